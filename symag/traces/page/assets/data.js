// The data of the page: signals, unpacked when they are first seen.

const data = JSON.parse(document.getElementById("symag-trace").textContent);
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const DIGIT_VALUES = new Int8Array(128);
for (let i = 0; i < DIGITS.length; i++) DIGIT_VALUES[DIGITS.charCodeAt(i)] = i;

// The number of the text at every step, -1 where there is none. See packing.py.
function unpack(packed, steps) {
  const numbers = new Int32Array(steps).fill(-1);
  if (packed.s !== undefined) {
    const width = packed.w;
    for (let step = 0; step < steps; step++) {
      let number = 0;
      for (let digit = width - 1; digit >= 0; digit--) {
        number = number * 64 + DIGIT_VALUES[packed.s.charCodeAt(step * width + digit)];
      }
      numbers[step] = number - 1;
    }
    return numbers;
  }
  let at = 0;
  for (let i = 0; i < packed.c.length; i += 2) {
    at += packed.c[i];
    const end = i + 2 < packed.c.length ? at + packed.c[i + 2] : steps;
    numbers.fill(packed.c[i + 1], at, end);
  }
  return numbers;
}

class Signal {
  constructor(raw, index) {
    this.index = index;
    this.name = raw.name;
    this.kind = raw.kind;
    this.group = data.groups[raw.group];
    this.depth = raw.depth;
    this.texts = raw.t;
    this.packed = raw;
    this.unpacked = null;
    // Pins survive in the address: by name, formulas by their place too, for two may look alike.
    this.key = raw.kind === "formula" || raw.kind === "define" ? `${raw.kind}:${index}` : raw.name;
  }

  get numbers() {
    return (this.unpacked ??= unpack(this.packed, data.steps));
  }

  // The text at a step, null where the signal has no value.
  at(step) {
    const number = this.numbers[step];
    return number < 0 ? null : this.texts[number];
  }

  get changes() {
    return this.texts.length > 1;
  }

  get isBoolean() {
    return this.texts.every((text) => text === "TRUE" || text === "FALSE");
  }

  get isOfTransition() {
    return this.kind === "input" || this.kind === "action";
  }
}

const signals = data.signals.map((raw, index) => new Signal(raw, index));
const wholeFormula = signals.find((signal) => signal.kind === "formula" && signal.depth === 0) ?? null;
const actionSignal = signals.find((signal) => signal.kind === "action") ?? null;

// Of a tree: the step before each step, and the steps behind which nothing comes.
const parents = data.parents
  ? Array.from(unpack(data.parents, data.steps), (number) => Number(data.parents.t[number]))
  : null;
const leaves = [];
if (parents) {
  const inner = new Set(parents);
  for (let step = 0; step < data.steps; step++) if (!inner.has(step)) leaves.push(step);
}

const cuts = data.cuts.map((cut) => ({
  ...cut,
  joinedNumbers: cut.joined ? unpack(cut.joined, data.steps) : null,
  joinedParts: cut.joined ? cut.joined.t.map((text) => (text ? text.split(",").map(Number) : [])) : null,
}));

// Values that force the violation: for each signal the set of its steps.
function stepSets(byNumber) {
  return new Map(Object.entries(byNumber).map(([number, steps]) => [Number(number), new Set(steps)]));
}
const core = data.core
  ? { steps: stepSets(data.core.steps), chosen: stepSets(data.core.chosen), note: data.core.note }
  : null;

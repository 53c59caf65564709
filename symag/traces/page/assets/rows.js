// Which rows are shown: pinned signals first, then the others under their groups' headings.

function termOf(word) {
  const found = /^(.+?)(!=|<=|>=|=|<|>)(.*)$/.exec(word);
  return found ? { name: found[1].toLowerCase(), relation: found[2], value: found[3] } : { name: word.toLowerCase() };
}

// Numbers are compared as numbers (0ud4_12 is 12), everything else as text.
function numberOf(text) {
  const word = /^(-?)0[us]d\d*_(\d+)$/.exec(text);
  return word ? Number(word[1] + word[2]) : text.trim() === "" ? NaN : Number(text);
}

function compares(text, relation, value) {
  const [left, right] = [numberOf(text), numberOf(value)];
  const known = !Number.isNaN(left) && !Number.isNaN(right);
  const equal = known ? left === right : text.toLowerCase() === value.toLowerCase();
  switch (relation) {
    case "=": return equal;
    case "!=": return !equal;
    case "<": return known && left < right;
    case ">": return known && left > right;
    case "<=": return known && left <= right;
    default: return known && left >= right;
  }
}

function fits(signal, terms) {
  const name = signal.name.toLowerCase();
  return terms.every((term) => {
    if (term.relation === undefined) return name.includes(term.name);
    if (!name.includes(term.name)) return false;
    return signal.texts.some((text) => compares(text, term.relation, term.value));
  });
}

// Blanks around =, <, .. belong to a term.
function termsOf(text) {
  return text.replace(/\s*(!=|<=|>=|=|<|>)\s*/g, "$1").split(/\s+/).filter(Boolean).map(termOf);
}

function shownSignals() {
  const terms = termsOf(state.filter);
  return signals.filter((signal) => {
    if (state.pins.has(signal.key)) return false;
    if (terms.length && !fits(signal, terms)) return false;
    if (state.core && signal.kind !== "formula" && !core.steps.has(signal.index)) return false;
    return !(state.still && signal.kind !== "formula" && signal.kind !== "action" && !signal.changes);
  });
}

// {title} or {signal, pinned}
function visibleRows() {
  const rows = [];
  const pinned = signals.filter((signal) => state.pins.has(signal.key));
  if (pinned.length) rows.push({ title: "Pinned" }, ...pinned.map((signal) => ({ signal, pinned: true })));
  let group = null;
  for (const signal of shownSignals()) {
    if (signal.group !== group) rows.push({ title: (group = signal.group) });
    rows.push({ signal, pinned: false });
  }
  return rows;
}

// The next column in a direction where a signal gets another value; null if there is none.
function nextChange(signal, column, direction) {
  for (let next = column + direction; next >= 0 && next < columnCount(); next += direction) {
    const [from, to] = direction > 0 ? [next - 1, next] : [next, next + 1];
    if (textAt(signal, from) !== textAt(signal, to)) {
      if (direction > 0) return next;
      if (to < column) return to;
    }
  }
  return null;
}

// The next column where a term such as x=3 becomes true of a signal whose name fits, searching round.
function findColumn(text) {
  const [term] = termsOf(text);
  if (!term) return null;
  const relation = term.relation ?? null;
  const named = (signal) => signal.name.toLowerCase();
  let candidates = signals.filter((signal) => named(signal) === term.name);
  if (!candidates.length) candidates = signals.filter((signal) => named(signal).includes(term.name));
  const holds = (signal, column) => {
    const value = textAt(signal, column);
    if (relation === null) return value !== null && (column === 0 || isChanged(signal, column));
    return value !== null && compares(value, relation, term.value);
  };
  for (let offset = 1; offset <= columnCount(); offset++) {
    const column = (state.column + offset) % columnCount();
    for (const signal of candidates) {
      if (!holds(signal, column)) continue;
      if (relation !== null && column > 0 && holds(signal, column - 1)) continue;
      return { column, signal };
    }
  }
  return null;
}

// What the reader has chosen; the address keeps the part that is worth sending to somebody.

const state = {
  column: 0, // the place on the path, from 0
  path: [], // the steps that the columns show
  leaf: null, // of a tree: the step that the path leads to
  view: "table",
  filter: "",
  still: false, // hide what does not change
  core: false, // show only what matters
  pins: new Set(), // keys of signals
  selected: null, // a signal
  cut: 0,
  widths: { table: null, waves: 30, lanes: null }, // pixels of a column; null: by what stands in it
};

const MANY_ROWS = 40;

// A lasso shows the state that it returns to once more, behind the others.
function columnCount() {
  return state.path.length + (data.loop === null ? 0 : 1);
}

function stepOf(column) {
  return column < state.path.length ? state.path[column] : data.loop;
}

function isInLoop(column) {
  return data.loop !== null && column >= data.loop;
}

function choosePath(leaf) {
  state.leaf = leaf;
  state.path = [];
  if (leaf === null) {
    for (let step = 0; step < data.steps; step++) state.path.push(step);
    return;
  }
  for (let step = leaf; step >= 0; step = parents[step]) state.path.push(step);
  state.path.reverse();
}

// What stands in a cell. Inputs and actions stand at the state that they leave; which of them leave the state that a
// lasso shows again, its first visit says. In a tree they are known of the step that they lead to.
function textAt(signal, column) {
  if (!signal.isOfTransition) return signal.at(stepOf(column));
  if (column >= state.path.length) return null;
  if (parents) return column + 1 < state.path.length ? signal.at(state.path[column + 1]) : null;
  return signal.at(state.path[column]);
}

// Whether a cell differs from the one to its left.
function isChanged(signal, column) {
  if (column === 0) return false;
  const now = textAt(signal, column);
  const before = textAt(signal, column - 1);
  return now !== null && before !== null && now !== before;
}

function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  const wanted = Number(given.get("branch"));
  choosePath(parents ? (leaves.includes(wanted - 1) ? wanted - 1 : firstLeaf()) : null);
  const step = Number(given.get("step"));
  const opening = Math.max(0, state.path.indexOf(data.shown));
  state.column = given.has("step") && step >= 1 ? Math.min(step, columnCount()) - 1 : opening;
  if (["table", "waves", "lanes"].includes(given.get("view"))) state.view = given.get("view");
  if (state.view === "lanes" && !cuts.length) state.view = "table";
  state.filter = given.get("filter") ?? "";
  state.still = given.has("still") ? given.get("still") === "1" : signals.length > MANY_ROWS;
  state.core = core !== null && given.get("core") === "1";
  state.pins = new Set(given.getAll("pin"));
  state.cut = Math.min(Number(given.get("lanes") ?? 0) || 0, Math.max(0, cuts.length - 1));
  state.selected = signals.find((signal) => signal.key === given.get("signal")) ?? null;
}

// Of a tree, the leaf below the step at which the page opens.
function firstLeaf() {
  for (const leaf of leaves) {
    for (let step = leaf; step >= 0; step = parents[step]) if (step === data.shown) return leaf;
  }
  return leaves[0];
}

function writeAddress() {
  const kept = new URLSearchParams();
  kept.set("step", String(state.column + 1));
  if (state.view !== "table") kept.set("view", state.view);
  if (state.filter) kept.set("filter", state.filter);
  if (state.still !== signals.length > MANY_ROWS) kept.set("still", state.still ? "1" : "0");
  if (state.core) kept.set("core", "1");
  if (state.cut) kept.set("lanes", String(state.cut));
  if (parents) kept.set("branch", String(state.leaf + 1));
  if (state.selected) kept.set("signal", state.selected.key);
  for (const pin of state.pins) kept.append("pin", pin);
  history.replaceState(null, "", `#${kept}`);
}

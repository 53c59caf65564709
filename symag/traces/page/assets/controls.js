// Buttons, keys and pointers: each changes the state and shows it again.

function byId(id) {
  return document.getElementById(id);
}

function showControls() {
  for (const view of ["table", "waves", "lanes"]) byId(`view-${view}`).setAttribute("aria-pressed", String(state.view === view));
  byId("view-lanes").hidden = !cuts.length;
  byId("cut-label").hidden = cuts.length < 2 || state.view !== "lanes";
  byId("shown").hidden = !data.violated;
  byId("core-label").hidden = core === null;
  byId("still").checked = state.still;
  byId("core").checked = state.core;
  for (const id of ["change-before", "change-after"]) byId(id).disabled = state.selected === null;
  if (byId("filter").value !== state.filter) byId("filter").value = state.filter;
}

// After anything that changes which rows there are.
function refresh() {
  rows = visibleRows();
  showControls();
  reveal(true);
  render();
  renderDetails();
  writeAddress();
}

function goTo(column, alsoRow = false) {
  state.column = Math.max(0, Math.min(columnCount() - 1, column));
  showControls();
  reveal(alsoRow);
  render();
  renderDetails();
  writeAddress();
}

function select(signal) {
  state.selected = signal;
  goTo(state.column, true);
}

function chooseView(view) {
  if (view === "lanes" && !cuts.length) return;
  state.view = view;
  grid.scrollTop = 0;
  refresh();
}

function jump(direction) {
  if (!state.selected) return;
  const column = nextChange(state.selected, state.column, direction);
  if (column !== null) goTo(column, true);
}

function togglePin(signal) {
  if (!signal) return;
  if (!state.pins.delete(signal.key)) state.pins.add(signal.key);
  refresh();
}

function zoom(factor) {
  state.widths[state.view] = Math.max(6, Math.min(400, Math.round(columnWidth() * factor)));
  reveal(false);
  render();
}

function moveSelection(direction) {
  const listed = rows.filter((row) => row.signal).map((row) => row.signal);
  if (!listed.length) return;
  const at = listed.indexOf(state.selected);
  select(listed[at < 0 ? 0 : Math.max(0, Math.min(listed.length - 1, at + direction))]);
}

function goToShown() {
  if (parents && !state.path.includes(data.shown)) choosePath(firstLeaf());
  goTo(Math.max(0, state.path.indexOf(data.shown)));
}

function find() {
  const found = findColumn(byId("find").value);
  byId("find").setAttribute("aria-invalid", String(found === null && byId("find").value !== ""));
  if (!found) return;
  state.selected = found.signal;
  goTo(found.column, true);
}

async function copy() {
  await copyText(traceText());
  byId("copy").textContent = "Copied";
  setTimeout(() => (byId("copy").textContent = "Copy as text"), 1500);
}

const KEYS = {
  ArrowLeft: () => goTo(state.column - 1),
  ArrowRight: () => goTo(state.column + 1),
  Home: () => goTo(0),
  End: () => goTo(columnCount() - 1),
  ArrowUp: () => moveSelection(-1),
  ArrowDown: () => moveSelection(1),
  n: () => jump(1),
  N: () => jump(-1),
  v: goToShown,
  p: () => togglePin(state.selected),
  h: () => { state.still = !state.still; refresh(); },
  m: () => { if (core) { state.core = !state.core; refresh(); } },
  t: () => chooseView("table"),
  w: () => chooseView("waves"),
  l: () => chooseView("lanes"),
  "/": () => byId("filter").focus(),
  f: () => byId("find").focus(),
  "+": () => zoom(1.3),
  "-": () => zoom(1 / 1.3),
  c: copy,
  "?": () => byId("keys").showModal(),
};

function connectKeys() {
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input[type=search], select, dialog *");
    if (typing) {
      if (event.key === "Escape") event.target.blur();
      if (event.key === "Enter" && event.target === byId("find")) find();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(KEYS, event.key)) return;
    event.preventDefault();
    KEYS[event.key]();
  });
}

function connectPointers() {
  grid.addEventListener("scroll", renderSoon, { passive: true });
  addEventListener("resize", renderSoon);
  addEventListener("hashchange", () => { readAddress(); refresh(); });
  const clicked = (event) => {
    const row = event.target.closest("[data-signal]");
    const signal = row ? signals[Number(row.dataset.signal)] : null;
    if (event.target.closest(".pin")) { togglePin(signal); return; }
    const cell = event.target.closest("[data-column]");
    if (signal) state.selected = signal;
    if (cell) goTo(Number(cell.dataset.column));
    else if (signal && state.view === "waves" && event.target.closest("svg")) {
      goTo(Math.floor((event.clientX - grid.getBoundingClientRect().left - nameWidth() + grid.scrollLeft) / columnWidth()));
    } else if (signal) select(signal);
  };
  grid.addEventListener("click", clicked);
  details.addEventListener("click", clicked);
}

function connectControls() {
  for (const view of ["table", "waves", "lanes"]) byId(`view-${view}`).addEventListener("click", () => chooseView(view));
  const clicks = {
    first: KEYS.Home, previous: KEYS.ArrowLeft, next: KEYS.ArrowRight, last: KEYS.End, shown: goToShown,
    "change-before": KEYS.N, "change-after": KEYS.n, narrower: KEYS["-"], wider: KEYS["+"], copy, help: KEYS["?"],
  };
  for (const [id, action] of Object.entries(clicks)) byId(id).addEventListener("click", action);
  byId("filter").addEventListener("input", (event) => { state.filter = event.target.value; refresh(); });
  byId("still").addEventListener("change", (event) => { state.still = event.target.checked; refresh(); });
  byId("core").addEventListener("change", (event) => { state.core = event.target.checked; refresh(); });
  byId("cut").innerHTML = cuts.map((cut, number) => `<option value="${number}">${escaped(cut.title)}</option>`).join("");
  byId("cut").value = String(state.cut);
  byId("cut").addEventListener("change", (event) => { state.cut = Number(event.target.value); refresh(); });
}

function connectBranches() {
  if (!parents) return;
  byId("branch-label").hidden = false;
  const names = leaves.map((leaf, number) => `<option value="${leaf}">${number + 1} of ${leaves.length}, to node ${leaf}</option>`);
  byId("branch").innerHTML = names.join("");
  byId("branch").value = String(state.leaf);
  byId("branch").addEventListener("change", (event) => {
    choosePath(Number(event.target.value));
    state.column = Math.min(state.column, columnCount() - 1);
    refresh();
  });
}

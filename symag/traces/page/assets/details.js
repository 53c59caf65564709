// Beside the grid: what happens on the way into the chosen state.

const details = document.getElementById("details");
const MOST_LISTED = 60;

function listHtml(title, items, id) {
  if (!items.length) return "";
  const more = items.length > MOST_LISTED ? `<li>… ${items.length - MOST_LISTED} more</li>` : "";
  return `<h2>${title}</h2><ul id="${id}">${items.slice(0, MOST_LISTED).join("")}${more}</ul>`;
}

function signalButton(signal) {
  return `<button type="button" class="signal" data-signal="${signal.index}">${escaped(signal.name)}</button>`;
}

function changeItems() {
  const found = [];
  for (const signal of signals) {
    if (signal.isOfTransition || signal.kind === "formula" || !isChanged(signal, state.column)) continue;
    const [before, now] = [textAt(signal, state.column - 1), textAt(signal, state.column)];
    found.push(`<li>${signalButton(signal)} ${escaped(before)} → <b>${escaped(now)}</b></li>`);
  }
  return found;
}

function inputItems() {
  return signals
    .filter((signal) => signal.isOfTransition && textAt(signal, state.column - 1) !== null)
    .map((signal) => `<li>${signalButton(signal)} <b>${escaped(textAt(signal, state.column - 1))}</b></li>`);
}

function crossingItems() {
  const cut = theCut();
  const joined = joinedParts(state.column - 1);
  if (joined.length) {
    const action = actionAt(state.column - 1);
    const names = joined.map((part) => escaped(cut.parts[part])).join(", ");
    return [`<li><b>${escaped(action)}</b> ${joined.length > 1 ? "joins" : "of"} ${names}</li>`];
  }
  const found = crossings(state.column - 1);
  const fresh = found.filter((crossing) => crossing.isNew);
  const items = fresh.map(({ from, to, signal, before, text }) => {
    const change = before === null || before === text ? escaped(text) : `${escaped(before)} → ${escaped(text)}`;
    const way = `${escaped(shortPart(from))} → ${escaped(shortPart(to))}`;
    return `<li><span class="way">${way}</span> ${signalButton(signal)} ${change}</li>`;
  });
  const rest = found.length - fresh.length;
  if (rest) items.push(`<li class="soft">${rest} read with an old value</li>`);
  return items;
}

// "part 1" of "part 1: x, y"
function shortPart(part) {
  return theCut().parts[part].split(":")[0];
}

function renderDetails() {
  const total = columnCount();
  const back = state.column >= state.path.length;
  const where = back ? `state ${data.loop + 1} again` : `state ${state.column + 1} of ${state.path.length}`;
  document.getElementById("where").textContent = where;
  let html = `<h1>${where[0].toUpperCase()}${where.slice(1)}</h1>`;
  if (data.loop !== null && state.column >= total - 1) {
    html += `<p>The run goes on at state ${data.loop + 1}, for ever.</p>`;
  }
  if (wholeFormula && !back) {
    const truth = textAt(wholeFormula, state.column);
    if (truth !== null) html += `<p class="${truth === "TRUE" ? "yes" : "no"}">The property is ${truth === "TRUE" ? "true ✓" : "false ✗"} here.</p>`;
  }
  if (state.column > 0) {
    const from = state.column;
    html += listHtml(`Step from state ${from}`, inputItems(), "inputs");
    html += listHtml("Changed", changeItems(), "changed");
    if (cuts.length) html += listHtml(`Crossed in the step from state ${from}`, crossingItems(), "crossed");
  } else html += "<p>The first state.</p>";
  if (state.core && core) html += `<p class="soft">${escaped(core.note)}</p>`;
  details.innerHTML = html;
}

// Lanes: one for each part, with what changes in it, and arrows for the signals that cross from part to part.

const MOST_IN_CELL = 3; // lines; two where the upper half is for actions

function theCut() {
  return cuts[state.cut];
}

function laneNameWidth() {
  return Math.round(Math.min(190, grid.clientWidth * 0.26));
}

// A value that a part has just set crosses to every other part that reads it, in the step that leaves `column`.
// At the first state every value is new.
function crossings(column) {
  const cut = theCut();
  const found = [];
  for (const [number, readers] of Object.entries(cut.readers)) {
    const signal = signals[number];
    const text = textAt(signal, column);
    if (text === null) continue;
    // An input is new with every step; a state's value where it differs from the one before.
    const isNew = column === 0 || signal.isOfTransition || isChanged(signal, column);
    const before = column === 0 ? null : textAt(signal, column - 1);
    for (const to of readers) found.push({ from: cut.owner[number], to, signal, text, before, isNew });
  }
  return found;
}

// The parts that take part in the step that leaves `column`, where the model says so.
function joinedParts(column) {
  const cut = theCut();
  const leaving = parents ? column + 1 : column; // in a tree: where it leads
  if (!cut.joined || leaving >= state.path.length) return [];
  const number = cut.joinedNumbers[state.path[leaving]];
  return number < 0 ? [] : cut.joinedParts[number];
}

function actionAt(column) {
  return (actionSignal && textAt(actionSignal, column)) ?? "";
}

let ownedSignals = null;
function signalsOf(part) {
  const cut = theCut();
  if (ownedSignals?.cut !== cut) {
    const byPart = cut.parts.map(() => []);
    cut.owner.forEach((owner, number) => owner >= 0 && byPart[owner].push(signals[number]));
    ownedSignals = { cut, byPart };
  }
  return ownedSignals.byPart[part];
}

function laneCell(part, column, left, width, top) {
  const owned = signalsOf(part);
  const changed = column === 0 ? owned : owned.filter((signal) => isChanged(signal, column));
  const short = (signal) => (owned.length === 1 ? "" : `${signal.name.slice(signal.name.lastIndexOf(".") + 1)}=`);
  const most = theCut().joined ? MOST_IN_CELL - 1 : MOST_IN_CELL;
  const lines = changed.slice(0, most).map((signal) => {
    const text = textAt(signal, column) ?? "·";
    return `<span title="${escaped(`${signal.name} = ${text}`)}">${escaped(short(signal) + text)}</span>`;
  });
  if (changed.length > most) lines[most - 1] = `<span>… ${changed.length - most + 1} more</span>`;
  const current = column === state.column ? " current" : "";
  return (
    `<div class="lane-cell${current}" data-column="${column}"` +
    ` style="left:${left}px;width:${width}px;top:${top}px">${lines.join("")}</div>`
  );
}

// Arrows of one step: those between the same two parts are one.
function arrowsOf(column, x, y, width) {
  const bundles = new Map();
  for (const crossing of crossings(column)) {
    if (!crossing.isNew) continue;
    const key = `${crossing.from},${crossing.to}`;
    if (!bundles.has(key)) bundles.set(key, []);
    bundles.get(key).push(crossing);
  }
  let drawn = "";
  let place = 0;
  for (const bundle of bundles.values()) {
    const { from, to } = bundle[0];
    const down = to > from ? 1 : -1;
    const [x1, y1] = [x(column) + width * 0.72, y(from) + down * 20];
    const [x2, y2] = [x(column + 1) + width * 0.2, y(to) - down * 24];
    const names = bundle.map((crossing) => crossing.signal.name);
    const label = names.length === 1 ? names[0].slice(names[0].lastIndexOf(".") + 1) : `${names.length} signals`;
    const share = 0.35 + 0.15 * (place++ % 3);
    drawn +=
      `<g class="arrow" data-column="${column + 1}"><title>${escaped(names.join("\n"))}</title>` +
      `<path d="M${x1} ${y1}C${x1 + 18} ${y1 + down * 14} ${x2 - 18} ${y2 - down * 14} ${x2} ${y2}" marker-end="url(#head)"/>` +
      `<text x="${x1 + (x2 - x1) * share + 5}" y="${y1 + (y2 - y1) * share + 4}">${escaped(label)}</text></g>`;
  }
  return drawn;
}

// The parts that a step joins are joined by a line with the action's name.
function joinOf(column, x, y) {
  const parts = joinedParts(column);
  if (!parts.length) return "";
  const place = x(column + 1);
  const heights = parts.map(y);
  const action = actionAt(column);
  const dots = heights.map((height) => `<circle cx="${place}" cy="${height}" r="4"/>`).join("");
  const [top, bottom] = [Math.min(...heights), Math.max(...heights)];
  return (
    `<g class="join" data-column="${column + 1}"><title>${escaped(action)}</title>` +
    `<path d="M${place} ${top}V${bottom}"/>${dots}<text x="${place + 6}" y="${top - 8}">${escaped(action)}</text></g>`
  );
}

function arrowsHtml(seen, width, names) {
  const height = ROW_HEIGHTS.lanes;
  const start = Math.max(0, seen.firstColumn - 1);
  const left = start * width;
  const x = (column) => column * width - left;
  const y = (part) => HEAD + part * height + height / 2;
  let drawn = "";
  for (let column = start; column < Math.min(seen.lastColumn, columnCount() - 1); column++) {
    drawn += arrowsOf(column, x, y, width) + joinOf(column, x, y);
  }
  const total = (seen.lastColumn - start + 1) * width;
  return (
    `<svg class="arrows" style="left:${names + left}px" width="${total}" height="${HEAD + rows.length * height}">` +
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">' +
    `<path d="M0 0L8 4L0 8z"/></marker></defs>${drawn}</svg>`
  );
}

function renderLanes() {
  const cut = theCut();
  const height = ROW_HEIGHTS.lanes;
  const width = columnWidth();
  const names = laneNameWidth();
  const seen = sight(width, height, names);
  let html = headHtml(seen, width, names);
  for (let part = seen.firstRow; part < seen.lastRow; part++) {
    let cells = "";
    for (let column = seen.firstColumn; column < seen.lastColumn; column++) {
      cells += laneCell(part, column, names + column * width, width, 0);
    }
    const title = escaped(cut.parts[part]);
    html +=
      `<div class="row lane${cut.joined ? " joined" : ""}" role="row" style="top:${HEAD + part * height}px;height:${height}px">` +
      `<div class="name" role="rowheader" style="width:${names}px" title="${title}">` +
      `<span class="label">${title}</span></div>${cells}</div>`;
  }
  sheet.innerHTML = html + arrowsHtml(seen, width, names);
}

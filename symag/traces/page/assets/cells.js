// The table: only the rows and columns in sight are in the document.

const grid = document.getElementById("grid");
const sheet = document.getElementById("sheet");
const HEAD = 26;
const ROW_HEIGHTS = { table: 24, waves: 32, lanes: 66 };
const MARGIN = 2; // rows and columns beyond those in sight

let rows = [];

function escaped(text) {
  return text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
}

function nameWidth() {
  const longest = Math.max(6, ...rows.map((row) => (row.signal ? row.signal.name.length + row.signal.depth * 1.5 : 0)));
  return Math.round(Math.min(longest * 7.6 + 44, grid.clientWidth * (grid.clientWidth < 700 ? 0.38 : 0.3)));
}

// Wide enough for most values: the longest, but not over 22 letters.
let longestText = null;
function columnWidth() {
  const chosen = state.widths[state.view];
  if (chosen !== null) return chosen;
  if (state.view === "lanes") return Math.max(96, Math.min(150, grid.clientWidth / 5));
  longestText ??= Math.max(
    wholeFormula ? 7 : 5,
    ...signals.map((signal) => signal.texts.reduce((most, text) => Math.max(most, text.length), 0)),
  );
  return Math.round(Math.min(longestText, 22) * 7.6 + 18);
}

// What part of the sheet is in sight, in rows and columns, ends excluded.
function sight(width, height, names) {
  const left = Math.max(0, grid.scrollLeft);
  const top = Math.max(0, grid.scrollTop);
  return {
    firstColumn: Math.max(0, Math.floor(left / width) - MARGIN),
    lastColumn: Math.min(columnCount(), Math.ceil((left + grid.clientWidth - names) / width) + MARGIN),
    firstRow: Math.max(0, Math.floor(top / height) - MARGIN),
    lastRow: Math.min(rows.length, Math.ceil((top + grid.clientHeight) / height) + MARGIN),
  };
}

function headClass(column) {
  const classes = ["head-cell"];
  if (column === state.column) classes.push("current");
  if (column >= state.path.length) classes.push("back");
  else if (wholeFormula?.at(stepOf(column)) === "FALSE") classes.push("bad");
  if (isInLoop(column)) classes.push("in-loop");
  if (column === data.loop) classes.push("loop-start");
  return classes.join(" ");
}

function headText(column) {
  if (column >= state.path.length) return `↩ ${data.loop + 1}`;
  return (column === data.loop ? "⟳ " : "") + (column + 1) + (headClass(column).includes("bad") ? " ✗" : "");
}

function headHtml(seen, width, names) {
  const cells = [];
  // Where columns are narrow, only every so many of them says its number.
  const every = Math.ceil((String(columnCount()).length * 8 + 14) / width);
  for (let column = seen.firstColumn; column < seen.lastColumn; column++) {
    const isShown = column === state.column || (column % every === 0 && Math.abs(column - state.column) >= every);
    const title = column >= state.path.length ? `the loop: back to state ${data.loop + 1}` : `state ${column + 1}`;
    cells.push(
      `<div class="${headClass(column)}" role="columnheader" title="${title}" data-column="${column}"` +
        ` style="left:${names + column * width}px;width:${width}px">${isShown ? headText(column) : ""}</div>`,
    );
  }
  return `<div class="head" role="row"><div class="name corner" style="width:${names}px">state</div>${cells.join("")}</div>`;
}

function cellText(signal, text) {
  if (signal.kind !== "formula") return escaped(text);
  return text === "TRUE" ? "✓ true" : "✗ false";
}

function cellHtml(signal, column, left, width) {
  const step = stepOf(column);
  const text = textAt(signal, column);
  const classes = ["cell"];
  if (column === state.column) classes.push("current");
  if (text === null) classes.push("none");
  else if (signal.kind === "formula") classes.push(text === "TRUE" ? "yes" : "no");
  else {
    if (isChanged(signal, column)) classes.push("changed");
    if (text === "FALSE") classes.push("false");
  }
  let mark = "";
  if (core?.steps.get(signal.index)?.has(step) && column < state.path.length) {
    classes.push("matters");
    mark = core.chosen.get(signal.index)?.has(step) ? "◆ " : "◇ ";
  }
  const title = text !== null && text.length * 7.6 > width - 12 ? ` title="${escaped(text)}"` : "";
  return (
    `<div class="${classes.join(" ")}" role="gridcell" data-column="${column}"${title}` +
    ` style="left:${left}px;width:${width}px">${text === null ? "·" : mark + cellText(signal, text)}</div>`
  );
}

function nameHtml(signal, pinned, names) {
  const path = signal.kind === "formula" ? "" : signal.name.slice(0, signal.name.lastIndexOf(".") + 1);
  const indent = signal.kind === "formula" ? ` style="padding-left:${signal.depth * 11}px"` : "";
  const label = `${pinned ? "Unpin" : "Pin"} ${escaped(signal.name)}`;
  return (
    `<div class="name" role="rowheader" style="width:${names}px" title="${escaped(signal.name)}">` +
    `<button type="button" class="pin" aria-pressed="${pinned}" aria-label="${label}" title="${label}">` +
    `${pinned ? "★" : "☆"}</button><span class="label"${indent}>` +
    `<span class="path">${escaped(path)}</span>${escaped(signal.name.slice(path.length))}</span></div>`
  );
}

function rowHtml(row, number, seen, width, names) {
  const height = ROW_HEIGHTS[state.view];
  const place = `top:${HEAD + number * height}px;height:${height}px`;
  if (row.title) {
    return `<div class="row title" role="row" style="${place}"><span>${escaped(row.title)}</span></div>`;
  }
  const { signal } = row;
  const classes = signal === state.selected ? "row selected" : "row";
  let cells = "";
  if (state.view === "waves") cells = waveHtml(signal, seen, width, names);
  else {
    for (let column = seen.firstColumn; column < seen.lastColumn; column++) {
      cells += cellHtml(signal, column, names + column * width, width);
    }
  }
  const name = nameHtml(signal, row.pinned, names);
  return `<div class="${classes}" role="row" data-signal="${signal.index}" style="${place}">${name}${cells}</div>`;
}

// The size of all that there is to see: scrolling needs it.
function resize() {
  if (state.view === "lanes") rows = theCut().parts.map((title) => ({ lane: title }));
  const names = state.view === "lanes" ? laneNameWidth() : nameWidth();
  sheet.style.width = `${names + columnCount() * columnWidth() + 24}px`;
  sheet.style.height = `${HEAD + rows.length * ROW_HEIGHTS[state.view]}px`;
}

function render() {
  resize();
  if (state.view === "lanes") {
    renderLanes();
    return;
  }
  const height = ROW_HEIGHTS[state.view];
  const width = columnWidth();
  const names = nameWidth();
  const seen = sight(width, height, names);
  let html = headHtml(seen, width, names);
  for (let number = seen.firstRow; number < seen.lastRow; number++) {
    html += rowHtml(rows[number], number, seen, width, names);
  }
  sheet.innerHTML = html;
}

let waiting = false;
function renderSoon() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    render();
  });
}

// Scrolls as little as needed to have the chosen column, and the selected row, in sight.
function reveal(alsoRow) {
  resize();
  const width = columnWidth();
  const names = state.view === "lanes" ? laneNameWidth() : nameWidth();
  const room = grid.clientWidth - names;
  const left = state.column * width;
  if (left < grid.scrollLeft || left + width > grid.scrollLeft + room) {
    grid.scrollLeft = Math.max(0, left - Math.max(0, room - width) / 2);
  }
  const number = alsoRow && state.selected ? rows.findIndex((row) => row.signal === state.selected) : -1;
  if (number < 0 || state.view === "lanes") return;
  const height = ROW_HEIGHTS[state.view];
  const top = number * height;
  if (top < grid.scrollTop) grid.scrollTop = top;
  else if (top + height > grid.scrollTop + grid.clientHeight - HEAD) {
    grid.scrollTop = top + height - grid.clientHeight + HEAD;
  }
}

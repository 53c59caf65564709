// Waveforms: truth values as high and low, everything else as a bus with its value written into it.

const TOP = 6;
const BOTTOM = 26;
const MIDDLE = 16;

// Stretches of equal values among the columns in sight: [from, to, text].
function stretches(signal, seen) {
  const found = [];
  for (let column = seen.firstColumn; column < seen.lastColumn; column++) {
    const text = textAt(signal, column);
    const last = found.at(-1);
    if (last && last[2] === text) last[1] = column + 1;
    else found.push([column, column + 1, text]);
  }
  return found;
}

function truthWave(pieces, x) {
  let line = "";
  let fill = "";
  let before = null;
  for (const [from, to, text] of pieces) {
    if (text === null) {
      before = null;
      continue;
    }
    const y = text === "TRUE" ? TOP : BOTTOM;
    line += before === null ? `M${x(from)} ${y}` : `V${y}`;
    line += `H${x(to)}`;
    if (text === "TRUE") fill += `M${x(from)} ${BOTTOM}V${TOP}H${x(to)}V${BOTTOM}Z`;
    before = y;
  }
  return `<path class="high" d="${fill}"/><path class="line" d="${line}"/>`;
}

function busWave(pieces, x, leftEdge) {
  let line = "";
  let texts = "";
  for (const [from, to, text] of pieces) {
    if (text === null) continue;
    const [a, b] = [x(from), x(to)];
    const slant = Math.min(4, (b - a) / 2);
    line += `M${a} ${MIDDLE}L${a + slant} ${TOP}H${b - slant}L${b} ${MIDDLE}L${b - slant} ${BOTTOM}H${a + slant}Z`;
    const start = Math.max(a, leftEdge) + slant + 3;
    const letters = Math.floor((b - start - slant) / 7);
    if (letters >= 1) {
      const shown = text.length <= letters ? text : letters > 2 ? `${text.slice(0, letters - 1)}…` : "";
      texts += `<text x="${start}" y="${MIDDLE + 4}">${escaped(shown)}</text>`;
    }
  }
  return `<path class="bus" d="${line}"/>${texts}`;
}

function coreMarks(signal, seen, x, width) {
  const steps = core?.steps.get(signal.index);
  if (!steps) return "";
  let marks = "";
  for (let column = seen.firstColumn; column < Math.min(seen.lastColumn, state.path.length); column++) {
    if (steps.has(stepOf(column))) marks += `<rect class="matters" x="${x(column)}" y="29" width="${width}" height="3"/>`;
  }
  return marks;
}

function waveHtml(signal, seen, width, names) {
  const start = seen.firstColumn * width;
  const x = (column) => column * width - start;
  const pieces = stretches(signal, seen);
  const drawn = signal.isBoolean ? truthWave(pieces, x) : busWave(pieces, x, grid.scrollLeft - start);
  const total = (seen.lastColumn - seen.firstColumn) * width;
  const current = `<rect class="current" x="${x(state.column)}" y="0" width="${width}" height="32"/>`;
  const kind = signal.kind === "formula" ? "wave formula" : "wave";
  return (
    `<svg class="${kind}" role="img" aria-label="${escaped(signal.name)}" width="${total}" height="32"` +
    ` style="left:${names + start}px">${current}${drawn}${coreMarks(signal, seen, x, width)}</svg>`
  );
}

// The rows that are shown, as text: a state's values where they change, as NuSMV prints them.

function traceText() {
  const listed = state.view === "lanes" ? shownSignals() : rows.filter((row) => row.signal).map((row) => row.signal);
  const chosen = listed.filter((signal) => signal.kind !== "formula");
  const lines = [document.querySelector("h1").title];
  for (let column = 0; column < columnCount(); column++) {
    if (column === data.loop) lines.push("  -- Loop starts here");
    lines.push(`-> State: ${data.number ?? 1}.${column + 1} <-`);
    for (const signal of chosen) {
      const text = textAt(signal, column);
      if (text === null || signal.isOfTransition) continue;
      if (column === 0 || isChanged(signal, column)) lines.push(`  ${signal.name} = ${text}`);
    }
    if (column >= state.path.length - 1) continue;
    const moved = chosen.filter((signal) => signal.isOfTransition && textAt(signal, column) !== null);
    if (moved.length) lines.push(`-> Input: ${data.number ?? 1}.${column + 2} <-`);
    for (const signal of moved) lines.push(`  ${signal.name} = ${textAt(signal, column)}`);
  }
  return `${lines.join("\n")}\n`;
}

// A page from a file may have no right to the clipboard: then through a text that is selected.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

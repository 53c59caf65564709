"""The style sheet and the script of a report's page."""

STYLE = """
:root { color-scheme: light dark; --ink: #1d2530; --faint: #5c6773; --line: #d5dbe2; --paper: #ffffff; --wash: #f3f6f9;
  --accent: #2f5f9e; --good: #14693d; --bad: #a3262a; --bad-wash: #fbeaea; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ef; --faint: #9aa6b2; --line: #38424d; --paper: #14191f;
  --wash: #1c232b; --accent: #8db4e6; --good: #6fd39b; --bad: #ff9a94; --bad-wash: #3a1d1f; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }
main { max-width: 1500px; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.5rem; margin: 0 0 .5rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .6rem; }
.facts, footer, figcaption, #shown { color: var(--faint); font-size: .87rem; margin: .15rem 0; }
.scroll { overflow: auto; max-height: 85vh; border: 1px solid var(--line); border-radius: 6px; }
table { border-collapse: collapse; width: 100%; font-size: .85rem; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
td.long { white-space: normal; overflow-wrap: anywhere; min-width: 13rem; }
tbody tr:last-child td { border-bottom: 0; }
th { background: var(--wash); position: sticky; top: 0; }
th button { all: unset; cursor: pointer; font-weight: 600; }
th button:focus-visible { outline: 2px solid var(--accent); }
th[aria-sort=ascending] button::after { content: " \\25B2"; }
th[aria-sort=descending] button::after { content: " \\25BC"; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
tr.wrong td, section.wrong { background: var(--bad-wash); color: var(--bad); }
section.wrong { margin-top: 1rem; border: 2px solid var(--bad); border-radius: 6px; padding: 0 1rem 1rem; }
section.wrong h2 { margin-top: 1rem; }
td.holds { color: var(--good); }
td.holds::before { content: "\\2713  "; }
td.violated { color: var(--bad); }
td.violated::before { content: "\\2717  "; }
td.unknown { color: var(--faint); }
td.unknown::before { content: "?  "; }
a { color: var(--accent); }
details summary { cursor: pointer; color: var(--accent); }
details code { display: block; white-space: normal; min-width: 16rem; }
code { font-size: .85rem; overflow-wrap: anywhere; }
figure { display: inline-block; margin: .5rem 1rem .5rem 0; vertical-align: top; background: #ffffff; color: #1d2530;
  border: 1px solid var(--line); border-radius: 6px; padding: .5rem; max-width: 100%; }
figure svg { max-width: 100%; height: auto; }
figcaption { color: #5c6773; }
@media (prefers-color-scheme: dark) { figure { background: var(--wash); color: var(--ink); }
  figure svg { filter: invert(.88) hue-rotate(180deg); } figcaption { color: var(--faint); } }
input[type=search] { font: inherit; padding: .25rem .5rem; min-width: 18rem; border: 1px solid var(--line);
  border-radius: 6px; background: var(--paper); color: var(--ink); }
"""

SCRIPT = """
"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => heading.querySelector("button").addEventListener("click", () => {
    const descending = heading.getAttribute("aria-sort") === "ascending";
    const sign = descending ? -1 : 1;
    const numeric = heading.classList.contains("number");
    const value = row => row.cells[column].title || row.cells[column].textContent;
    const number = row => value(row) === "" || isNaN(value(row)) ? Infinity : Number(value(row));
    const rows = [...table.tBodies[0].rows];
    rows.sort((one, other) => {
      if (!numeric) return sign * value(one).localeCompare(value(other));
      const [left, right] = [number(one), number(other)];
      return left === right ? 0 : left === Infinity ? 1 : right === Infinity ? -1 : sign * (left - right);
    });
    table.tBodies[0].append(...rows);
    for (const each of headings) each.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
  }));
}
const field = document.getElementById("filter");
const shown = document.getElementById("shown");
function filter() {
  const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const rows = [...document.querySelectorAll("#results tbody tr")];
  let count = 0;
  for (const row of rows) {
    const text = [...row.cells].map(cell => cell.title || cell.textContent).join(" ").toLowerCase();
    row.hidden = !words.every(word => text.includes(word));
    if (!row.hidden) count += 1;
  }
  shown.textContent = `${count} of ${rows.length} rows`;
}
field.addEventListener("input", filter);
filter();
"""

"""The style sheet of a trace's table, light and dark. Every rule applies only inside ``.symag-trace``."""

from __future__ import annotations

STYLE = """
.symag-trace { color-scheme: light dark;
  --card: #ffffff; --ink: #1d2329; --soft: #69727c; --faint: #a6adb5; --line: #e4e2dd;
  --head: #f4f2ee; --changed: #ffe9b8; --changed-ink: #6b4700; --bad: #b42318; --bad-soft: #fde7e4;
  --good: #1a7f4b; --loop: #5b5bd6; --loop-soft: #ececfc; color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
@media (prefers-color-scheme: dark) {
  .symag-trace { --card: #1b1f23; --ink: #e6e8ea; --soft: #9aa4ae; --faint: #626b74; --line: #30363c;
    --head: #22272c; --changed: #4a3a12; --changed-ink: #ffdf9a; --bad: #ff8a7d; --bad-soft: #4a1f1b;
    --good: #6fd39b; --loop: #a5a5ff; --loop-soft: #2a2a4d; }
}
.symag-trace * { box-sizing: border-box; }
.symag-trace code, .symag-trace table, .symag-trace .value { font-family: ui-monospace, SFMono-Regular, Menlo,
  Consolas, "DejaVu Sans Mono", monospace; }
.symag-trace h1 { margin: .1rem 0 .3rem; font-size: 1.35rem; font-weight: 600; line-height: 1.35;
  overflow-wrap: anywhere; }
.symag-trace h1 code { font-weight: 600; }
.symag-trace .kicker { margin: 0; color: var(--soft); font-size: .8rem; letter-spacing: .06em;
  text-transform: uppercase; }
.symag-trace .facts { margin: 0 0 1.1rem; color: var(--soft); }
.symag-trace .badge { display: inline-block; margin-left: .5rem; padding: .05rem .55rem; border-radius: 1rem;
  vertical-align: 2px; background: var(--bad-soft); color: var(--bad); font-size: .78rem; font-weight: 600;
  white-space: nowrap; }
.symag-trace label, .symag-trace .key { margin-right: 1.4rem; color: var(--soft); font-size: .88rem; }
.symag-trace label { cursor: pointer; }
.symag-trace input { margin: 0 .4rem 0 0; vertical-align: -1px; accent-color: var(--loop); }
.symag-trace .sample { padding: 0 .35rem; border-radius: 3px; background: var(--changed); color: var(--changed-ink); }
.symag-trace .scroll { margin-top: .7rem; overflow: auto; max-width: 100%; width: fit-content;
  border: 1px solid var(--line); border-radius: 8px; background: var(--card); }
.symag-trace table { margin: 0; border: 0; background: none; border-collapse: separate; border-spacing: 0;
  font-size: 13px; line-height: 1.35; }
.symag-trace th, .symag-trace td { padding: .28rem .7rem; border-bottom: 1px solid var(--line); text-align: left;
  white-space: nowrap;
  vertical-align: top; }
.symag-trace tbody:last-child tr:last-child > * { border-bottom: 0; }
.symag-trace thead th { position: sticky; top: 0; z-index: 2; background: var(--head); color: var(--soft);
  font-weight: 600; }
.symag-trace tbody th { position: sticky; left: 0; z-index: 1; max-width: 26rem; overflow: hidden;
  text-overflow: ellipsis;
  background: var(--card); border-right: 1px solid var(--line); font-weight: 500; }
.symag-trace thead th:first-child { left: 0; z-index: 3; border-right: 1px solid var(--line); }
.symag-trace .group th { padding-top: .75rem; border-right: 0; max-width: none;
  color: var(--soft); font: 600 .72rem/1.3 system-ui, sans-serif; letter-spacing: .06em; text-transform: uppercase; }
.symag-trace .group span { position: sticky; left: 0; }
.symag-trace .path { color: var(--faint); }
.symag-trace td.changed { background: var(--changed); color: var(--changed-ink); font-weight: 600; }
.symag-trace td.none { color: var(--faint); }
.symag-trace .f { color: var(--faint); }
.symag-trace td.changed .f { color: inherit; }
.symag-trace .yes { color: var(--good); }
.symag-trace .no { color: var(--bad); }
.symag-trace .no.whole { font-weight: 700; }
.symag-trace thead th.bad { background: var(--bad-soft); color: var(--bad); }
.symag-trace thead th.in-loop { box-shadow: inset 0 3px 0 var(--loop); }
.symag-trace thead th.back { background: var(--loop-soft); color: var(--loop); }
.symag-trace input.only-changes:checked ~ .scroll tr.still { display: none; }
.symag-trace input.no-defines:checked ~ .scroll .defines { display: none; }
.symag-trace footer { margin-top: .9rem; color: var(--soft); font-size: .8rem; }
"""

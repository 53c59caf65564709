"""The page of a proof: its parts and their interfaces, its assumptions as a picture, sizes, and the trusted code.

It is a certificate file too: the page carries the document.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence, Set
from html import escape
from importlib.resources import files

from msgspec import Struct, field

from symag.core.evidence.documents import page_element
from symag.core.grouping import some

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
#: A list shows this many names and counts the rest.
_LISTED = 12
_MOST_LINES = 2000
_BOX = 46
_GAP = 26
_WIDTH = 360


class ProofPart(Struct, frozen=True):
    """A part of the system, the names that it owns, and a short text about its assumption, empty for none."""

    title: str
    owns: tuple[str, ...]
    assumption: str = ""


class Proof(Struct, frozen=True):
    """The content of a proof's page, from the family.

    ``links`` are the names that cross from one part to another; with ``joined`` both take part in them. ``lines`` are
    the certificate in words, ``picture`` its assumptions as SVG. ``trusted`` lists what must be right for the verdict
    to be right, ``sizes`` has figures of the certificate by name. ``arguments`` are the model and the question as
    arguments of ``symag check``.
    """

    summary: str
    arguments: tuple[str, ...]
    parts: tuple[ProofPart, ...] = ()
    links: Mapping[tuple[int, int], tuple[str, ...]] = field(default_factory=dict)
    joined: bool = False
    lines: tuple[str, ...] = ()
    picture: str | None = None
    sizes: Mapping[str, int] = field(default_factory=dict)
    trusted: tuple[str, ...] = ()


def shared_actions(alphabets: Sequence[Set[str]]) -> dict[tuple[int, int], tuple[str, ...]]:
    """The links of parts that are joined by the actions that they share."""
    pairs = itertools.combinations(enumerate(alphabets), 2)
    return {(one, other): tuple(sorted(mine & theirs)) for (one, mine), (other, theirs) in pairs if mine & theirs}


class ProvedAnswer(Struct, frozen=True):
    """The answer that a proof is for; ``figures`` are those of the search, ``command`` made the page."""

    question: str
    verdict: str
    method: str
    certified: bool
    figures: Mapping[str, object]
    command: str


def proof_text(answer: ProvedAnswer, proof: Proof, document: str) -> str:
    """The page as text; it carries ``document``, the certificate as JSON."""
    style = (files("symag.traces.page") / "assets" / "proof.css").read_text(encoding="utf-8")
    title = answer.question if len(answer.question) <= 160 else answer.question[:160] + " ..."
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{style}</style></head><body>",
        f'<header><p class="kicker">Proof</p><h1 title="{escape(answer.question)}"><code>{escape(title)}</code>'
        f'<span class="badge {escape(answer.verdict)}">{escape(answer.verdict)}</span></h1>'
        f'<p class="facts">{escape(proof.arguments[0])} · {escape(answer.method)} · {escape(proof.summary)}</p>',
        "</header><main>",
        *_trust(answer, proof),
        *_parts(proof),
        *_assumptions(proof),
        *_sizes(answer, proof, document),
        f"</main><footer>Written by symag. <code>{escape(answer.command)}</code></footer>",
        page_element(document),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _trust(answer: ProvedAnswer, proof: Proof) -> Iterator[str]:
    yield '<section id="trust"><h2>Who trusts what</h2><dl>'
    yield f"<dt>found by</dt><dd>{escape(answer.method)}, which nobody has to trust: it only claims</dd>"
    judged = "✓ separate code has proved every premise again" if answer.certified else "✗ not re-checked: only a claim"
    yield f'<dt>re-checked</dt><dd class="{"yes" if answer.certified else "no"}">{judged}</dd>'
    yield "<dt>to be trusted</dt><dd><ul>"
    yield from (f"<li>{escape(item)}</li>" for item in proof.trusted)
    yield "</ul></dd></dl></section>"


def _parts(proof: Proof) -> Iterator[str]:
    if not proof.parts:
        return
    yield '<section id="parts"><h2>Parts</h2><div class="beside">'
    yield _picture(proof)
    yield '<div class="scroll"><table><thead><tr><th>part</th><th>owns</th>'
    yield "<th>shares with others</th>" if proof.joined else "<th>reads from others</th><th>is read by others</th>"
    yield "<th>assumption</th></tr></thead><tbody>"
    for number, part in enumerate(proof.parts):
        read = sorted({name for (_, to), names in proof.links.items() if to == number for name in names})
        linked = sorted({name for (source, _), names in proof.links.items() if source == number for name in names})
        cells = [sorted({*read, *linked})] if proof.joined else [read, linked]
        yield f"<tr><th>{escape(part.title)}</th><td>{_names(part.owns)}</td>"
        yield "".join(f"<td>{_names(cell)}</td>" for cell in cells) + f"<td>{escape(part.assumption)}</td></tr>"
    yield "</tbody></table></div></div></section>"


def _names(names: Sequence[str]) -> str:
    return f'<span title="{escape(", ".join(names))}">{escape(some(names, _LISTED)) or "nothing"}</span>'


def _picture(proof: Proof) -> str:
    """The parts as boxes below each other; their links run along the right side, a lane for each pair of parts."""
    lanes = sorted(proof.links)
    height = len(proof.parts) * (_BOX + _GAP)
    width = _WIDTH + 40 + 120 * max(1, len(lanes))
    drawn = [
        f'<svg class="wires" role="img" aria-label="parts and wires" viewBox="0 0 {width} {height}" width="{width}">'
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0L8 4L0 8z"/></marker></defs>'
    ]
    for number, part in enumerate(proof.parts):
        top = number * (_BOX + _GAP) + 4
        owned = f"{len(part.owns)} owned" + (f" · {part.assumption}" if part.assumption else "")
        drawn.append(
            f'<g><rect x="2" y="{top}" width="{_WIDTH}" height="{_BOX}" rx="7"/>'
            f'<text x="14" y="{top + 19}">{escape(part.title[:44])}</text>'
            f'<text class="soft" x="14" y="{top + 37}">{escape(owned[:48])}</text></g>'
        )
    for lane, (source, target) in enumerate(lanes):
        names = proof.links[source, target]
        x = _WIDTH + 30 + 120 * lane
        start, end = (n * (_BOX + _GAP) + 4 + _BOX / 2 + (-6 if n == source else 6) for n in (source, target))
        label = names[0] if len(names) == 1 else f"{len(names)} names"
        tip = "" if proof.joined else ' marker-end="url(#tip)"'
        drawn.append(
            f'<g class="wire"><title>{escape(", ".join(names))}</title>'
            f'<path d="M{_WIDTH + 2} {start}H{x}V{end}H{_WIDTH + 4}"{tip}/>'
            f'<text x="{x + 5}" y="{(start + end) / 2 + 4}">{escape(label[:15])}</text></g>'
        )
    return "".join(drawn) + "</svg>"


def _assumptions(proof: Proof) -> Iterator[str]:
    if proof.picture is not None:
        yield f'<section id="assumptions"><h2>Assumptions</h2><div class="scroll">{proof.picture}</div></section>'
    if proof.lines:
        more = len(proof.lines) - _MOST_LINES
        shown = [*proof.lines[:_MOST_LINES], *([f"... {more} more lines"] if more > 0 else [])]
        yield '<section id="words"><details><summary>The certificate in words</summary>'
        yield f"<pre>{escape(chr(10).join(shown))}</pre></details></section>"


def _sizes(answer: ProvedAnswer, proof: Proof, document: str) -> Iterator[str]:
    yield '<section id="sizes"><h2>Sizes</h2><div class="scroll"><table><tbody>'
    yield f"<tr><th>certificate as JSON</th><td>{len(document.encode()):,} bytes</td></tr>"
    for name, size in proof.sizes.items():
        yield f"<tr><th>{escape(name)}</th><td>{size:,}</td></tr>"
    for name, figure in answer.figures.items():
        if isinstance(figure, int | float | str) and not isinstance(figure, bool):
            yield f"<tr><th>{escape(name.replace('_', ' '))}</th><td>{escape(str(figure))}</td></tr>"
    yield "</tbody></table></div></section>"

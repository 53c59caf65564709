"""Labelled transition systems as FSP text, flat: one process for each component, one line for each state.

When the text is read, the processes have the same states, transitions and alphabets, apart from the numbers of
states. Silent moves are an action that the process hides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from symag.core.errors import UsageError
from symag.lts.language.composites import System
from symag.lts.language.reading import KEYWORDS
from symag.lts.lts import ERROR, TAU, Lts

_NUMBER = re.compile(r"-?[0-9]+")
_NAME = re.compile(r"[a-z_][A-Za-z0-9_]*")
_WIDTH = 110


def fsp_text(system: System) -> str:
    """The components and their composition, with priorities and hiding, but without words such as ``minimal``.

    Raises UsageError for a label that FSP cannot express.
    """
    names = _process_names([lts.name for lts in system.components])
    blocks = [_process(lts, name) for lts, name in zip(system.components, names, strict=True)]
    (composite,) = _process_names([system.name], names)
    text = f"||{composite} = ({' || '.join(names)})"
    if system.priority is not None:
        text += f" {'>>' if system.priority.low else '<<'} {_set(sorted(system.priority.labels))}"
    if system.hidden is not None:
        text += f" {'@' if system.expose else chr(92)} {_set(sorted(system.hidden))}"
    return "\n\n".join([*blocks, f"{text}.\n"])


def _process(lts: Lts, name: str) -> str:
    spelt = {label: _spelt(label) for label in lts.alphabet[1:]}
    silent = "silent"
    while silent in spelt:
        silent += "_"
    is_property = lts.is_property and lts.is_deterministic()
    is_property = is_property and lts.transitions == lts.states * (len(lts.alphabet) - 1)
    moves: list[dict[int, list[str]]] = [{} for _ in range(lts.states)]
    for source, action, target in lts.triples():
        if target != ERROR or not is_property:
            moves[source].setdefault(target, []).append(silent if action == TAU else spelt[lts.alphabet[action]])
    bodies = [_state(move, state == lts.end) for state, move in enumerate(moves)]
    lines = [f"{'property ' if is_property else ''}{name} = Q0", *(f"Q{k} = {body}" for k, body in enumerate(bodies))]
    text = ",\n".join(lines)
    if spelt:
        text += f"\n    + {_set(spelt)}"
    if (lts.action == TAU).any():
        text += f"\n    \\ {{{silent}}}"
    return f"{text}."


def _state(moves: dict[int, list[str]], has_ended: bool) -> str:
    if not moves:
        return "END" if has_ended else "STOP"
    choices = []
    for target, labels in sorted(moves.items()):
        together = labels[0] if len(labels) == 1 else f"{{{', '.join(labels)}}}"
        choices.append(f"{together} -> {'ERROR' if target == ERROR else f'Q{target}'}")
    return "(" + "\n     | ".join(choices) + ")"


def _set(labels: Sequence[str] | dict[str, str]) -> str:
    """A set of labels such as ``{a, b[1]}``, broken into lines."""
    spelt = list(labels.values()) if isinstance(labels, dict) else [_spelt(label) for label in labels]
    return "{" + "\n       ".join(_filled(spelt)) + "}"


def _filled(words: Sequence[str]) -> Iterator[str]:
    line = ""
    for index, word in enumerate(words):
        piece = word if index == len(words) - 1 else f"{word}, "
        if line and len(line) + len(piece) > _WIDTH:
            yield line.rstrip()
            line = ""
        line += piece
    yield line


def _spelt(label: str) -> str:
    """A label as FSP spells it: ``a.1.b`` as ``a[1].b``."""
    text = ""
    for piece in label.split("."):
        if _NUMBER.fullmatch(piece):
            text += f"[{piece}]"
        elif _NAME.fullmatch(piece) and piece not in KEYWORDS and piece != "tau":
            text += f".{piece}" if text else piece
        else:
            raise UsageError(f"FSP has no form for the label {label}")
    return text


def _process_names(names: Sequence[str], taken: Sequence[str] = ()) -> list[str]:
    """Names for processes, each once: ``a:WORKER(2)`` becomes ``A_WORKER_2``."""
    processes: list[str] = []
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")
        plain = plain[:1].upper() + plain[1:]
        if not plain[:1].isalpha() or plain in ("STOP", "END", "ERROR"):
            plain = f"P_{plain}"
        free, number = plain, 2
        while free in processes or free in taken:
            free, number = f"{plain}_{number}", number + 1
        processes.append(free)
    return processes

"""A labelled transition system in Aldebaran's format, as a picture, or as FSP text: ``symag convert``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from symag.core.errors import UsageError
from symag.core.limits import Progress
from symag.core.reports import Conversion
from symag.core.values import replace
from symag.lts import Model
from symag.lts.automata import FORMATS
from symag.lts.checking.by_parts import resolved_options
from symag.lts.determinisation import determinised, minimised, strongly_minimised
from symag.lts.language.aldebaran import lost, text_of
from symag.lts.language.evaluation import existing
from symag.lts.language.reading import KEYWORDS
from symag.lts.language.systems import System
from symag.lts.lts import ERROR, TAU, Lts
from symag.lts.methods.options import LtsOptions
from symag.lts.methods.quotient.method import replacement
from symag.lts.safety_problem import SafetyProblem, safety_problem
from symag.traces.graphviz import quoted, transition_system

#: A smallest system that is strongly bisimilar, weakly bisimilar, or deterministic with the same traces.
MINIMAL: Mapping[str, Callable[[Lts], Lts]] = {
    "strong": strongly_minimised,
    "weak": minimised,
    "traces": lambda lts: strongly_minimised(determinised(lts)),
}


def converted(
    model: Model,
    targets: Sequence[str],
    form: str,
    unquoted: bool,
    silent: str,
    equivalence: str | None,
    quotient: LtsOptions | None,
    progress: Progress,
) -> Conversion:
    """A process in another format; ``equivalence`` names an entry of MINIMAL. Raises InputError and UsageError."""
    system = chosen_system(model, targets)
    notes: tuple[str, ...] = ()
    if quotient is not None:
        system, note = with_quotient(system, quotient, progress)
        notes = (note,)
    process = WrittenProcess(system, quotient is None and system.name not in model.targets, not unquoted, silent)
    if equivalence is not None:
        process = replace(process, system=_alone(system.name, MINIMAL[equivalence](process.lts())), is_process=True)
    text, warnings = FORMATS[form].function()(process)
    return Conversion(text.encode(), (*model.warnings, *warnings), notes)


@dataclass(frozen=True, slots=True)
class WrittenProcess:
    """The process to write: a composite, or (``is_process``) the only component of the system.

    ``quoted`` and ``silent`` say how labels and the silent action are spelt, if the format allows several spellings.
    """

    system: System
    is_process: bool
    quoted: bool
    silent: str

    def lts(self) -> Lts:
        """The process as one system. Costs its composition."""
        return self.system.components[0] if self.is_process else self.system.finished(self.system.product().lts)


def aldebaran_text(process: WrittenProcess) -> tuple[str, Sequence[str]]:
    """Aldebaran's format."""
    lts = process.lts()
    return text_of(lts, process.quoted, process.silent), lost(lts)


def process_text(process: WrittenProcess) -> tuple[str, Sequence[str]]:
    """FSP, with a process for each component."""
    return fsp_text(process.system), ()


def _alone(name: str, lts: Lts) -> System:
    return System(name, (lts,), None, None, False, frozenset())


def chosen_system(model: Model, targets: Sequence[str]) -> System:
    """The process with this name, or the only composite; a primitive process becomes a system of one component.

    Raises InputError, and UsageError if there is no such process or if several could be meant.
    """
    names = (*model.targets, *model.processes)
    if len(targets) > 1 or (not targets and len(model.targets) != 1):
        raise UsageError(f"choose one process with --target; {existing(names)}")
    name = targets[0] if targets else model.targets[0]
    if name not in names:
        raise UsageError(f"no process '{name}'; {existing(names)}")
    if name not in model.targets:
        return _alone(name, model.process(name))
    return model.composite(name)


def with_quotient(system: System, options: LtsOptions, progress: Progress) -> tuple[System, str]:
    """The system with a quotient, its last component: ERROR can be reached in it exactly if it can be in the given
    system; and the size of the quotient in words.

    Nothing else is preserved, so nothing is hidden or minimised in it. Refinement runs to its end, or until
    ``options.steps`` or ``options.seconds`` are over. Raises UsageError, UnsupportedError and MemoryError.
    """
    problem = safety_problem(system)
    smaller = replacement(problem, resolved_options(problem, options, progress), progress, options.seconds)
    replaced = {problem.indices[number] for number in smaller.replaced}
    others = [lts for index, lts in enumerate(system.components) if index not in replaced]
    components = (*others, _failing(problem, smaller.quotient))
    result = System(f"{system.name}_with_quotient", components, None, None, expose=False, kinds=frozenset())
    end = "the end of the refinement" if smaller.is_exact else "stopped before the refinement ended"
    sizes = f"{smaller.quotient.states} of {smaller.n.states} states after {smaller.steps} steps"
    return result, f"quotient: {sizes}, {end}"


def _failing(problem: SafetyProblem, quotient: Lts) -> Lts:
    """The quotient with silent moves to ERROR instead of the fresh actions that replaced ERROR in components."""
    alphabet = [label for label in quotient.alphabet if label not in problem.failures]
    fails = np.array([label in problem.failures for label in quotient.alphabet])[quotient.action]
    number = {label: action for action, label in enumerate(alphabet)}
    action = np.array([number.get(label, TAU) for label in quotient.alphabet], dtype=np.int64)[quotient.action]
    target = np.where(fails, ERROR, quotient.target)
    return Lts.of_arrays("QUOTIENT", alphabet, quotient.states, quotient.source, action, target)


#: The largest number of labels of one arrow that are listed; then comes the number of the others.
MOST_LABELS = 12


def dot_text(process: WrittenProcess) -> tuple[str, Sequence[str]]:
    """A graph for Graphviz: a node for each state, and one arrow for all transitions from a state to another.

    An arrow points at the initial state, END has two rings, ERROR is a filled box.
    """
    lts, states = process.lts(), []
    for state in range(lts.states):
        rings = ", peripheries=2" if state == lts.end else ""
        states.append(f'  {state} [label="{state}"{rings}];')
    if lts.has_error:
        states.append('  ERROR [shape=box, style=filled, fillcolor="#f4b6b6"];')
    arrows = []
    labels: dict[tuple[int, int], list[str]] = {}
    silent: set[tuple[int, int]] = set()
    for source, action, target in lts.triples():
        labels.setdefault((source, target), []).append(lts.alphabet[action])
        if action == TAU:
            silent.add((source, target))
    for (source, target), names in labels.items():
        text = ", ".join(names[:MOST_LABELS])
        if len(names) > MOST_LABELS:
            text += f", and {len(names) - MOST_LABELS} more"
        dashed = ", style=dashed" if (source, target) in silent and len(names) == 1 else ""
        arrows.append(f"  {source} -> {'ERROR' if target == ERROR else target} [label={quoted(text)}{dashed}];")
    return transition_system(lts.name, states, arrows), ()


#: Other spellings, such as 007 and -0, come back as other labels.
_NUMBER = re.compile(r"0|-?[1-9][0-9]*")
_NAME = re.compile(r"[a-z_][A-Za-z0-9_]*")
_WIDTH = 110


def fsp_text(system: System) -> str:
    """The components and their composition, with priorities, hiding and words such as ``minimal``.

    Raises UsageError for a label that FSP cannot express.
    """
    names = _process_names([lts.name for lts in system.components])
    blocks = [_process(lts, name) for lts, name in zip(system.components, names, strict=True)]
    (composite,) = _process_names([system.name], names)
    words = "".join(f"{kind} " for kind in sorted(system.kinds))
    text = f"{words}||{composite} = ({' || '.join(names)})"
    if system.priority is not None:
        text += f" {'>>' if system.priority.low else '<<'} {_set(sorted(system.priority.labels))}"
    if system.hidden is not None:
        text += f" {'@' if system.expose else chr(92)} {_set(sorted(system.hidden))}"
    return "\n\n".join([*blocks, f"{text}.\n"])


def _process(lts: Lts, name: str) -> str:
    spelt = {label: _spelt(label) for label in lts.alphabet[1:]}
    silent = "silent"
    # Hiding a label hides those that begin with it and a dot, too.
    while any(label.partition(".")[0] == silent for label in spelt):
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
    """A set of labels such as ``{a, b[1]}``, broken into lines. FSP has an empty one as a difference only."""
    spelt = list(labels.values()) if isinstance(labels, dict) else [_spelt(label) for label in labels]
    return "{" + "\n       ".join(_filled(spelt or ["{none}\\{none}"])) + "}"


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

"""The page of a trace of a composite process: a lane for each process, joined where an action happens in several."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from symag.core.trace import Step, Trace
from symag.lts.certify.assertion_words import cannot_hold, known_truths
from symag.lts.certify.traces import labelled_trace_text
from symag.lts.checking.trace_formats import WrittenRun
from symag.lts.language.composites import Model
from symag.lts.language.fluents import FALSE, TRUE, ActionOccurs, Temporal
from symag.lts.language.systems import System
from symag.lts.lts import ERROR
from symag.lts.questions import CompositeQuestion
from symag.lts.words import local_names, violated_components
from symag.traces.page.content import Content, Cut, Explanation, Signal
from symag.traces.page.writing import page_text

_PROCESSES = "Processes"
_PROPERTY = "Property and its parts"
_ACTION = "Action, on the way to the next state"
_ASSUMPTIONS = "Assumptions: the state that reads the next action"
_SILENT = "tau"
#: The largest number of parts of an assertion in the table.
_MOST_PARTS = 60


def text(run: WrittenRun) -> str:
    """See ``trace_formats.TraceFormat``."""
    return page_text(content_of(run.model, run.target, run.question, run.trace, run.assumption_runs, run.file))


def content_of(
    model: Model,
    target: str,
    question: CompositeQuestion | None,
    trace: Trace,
    assumption_runs: Sequence[Sequence[str]],
    path: str | None,
) -> Content:
    """The content of the page; ``question`` is the one that the trace answers, None if it answers none.

    ``assumption_runs`` are the states of assumptions along the trace (``PropertyResult.assumption_runs``). ``path``
    is the page's file, for the command that makes the page again.
    """
    system = model.composite(target)
    shown, formulas = _with_formulas(question, trace)
    violated = violated_components(system.components, trace)
    count = len(shown.steps)
    facts = [f"||{target} of {model.source.path}", f"{count} state{'s' if count != 1 else ''}"]
    if shown.loop is not None:
        facts.append(f"then again from state {shown.loop + 1} for ever")
    return Content(
        title=f"||{target}" if question is None else f"||{target}: {question.text}",
        purpose="Simulation" if question is None else "Counterexample",
        steps=count,
        signals=(*formulas, *_processes(system, shown, violated), _actions(shown)),
        loop=shown.loop,
        verdict="" if question is None else "violated",
        facts=tuple(facts),
        explanation=Explanation(
            shown=_opening(question, shown),
            because=_because(question, trace, violated),
            cuts=(_cut(system, shown),),
            command="" if question is None or path is None else _command(model, question, path),
            assumptions=tuple(
                Signal(f"assumption {number}", "assumption", _ASSUMPTIONS, tuple(run))
                for number, run in enumerate(assumption_runs)
                if len(run) == count
            ),
        ),
        evidence=labelled_trace_text(model, target, question, trace),
    )


def _command(model: Model, question: CompositeQuestion, path: str) -> str:
    """The command line that makes the page again; empty if components come from files of their own."""
    if model.given:
        return ""
    constants = [word for name, value in model.constants.items() for word in ("--const", f"{name}={value}")]
    options = ["--target", question.target, "--property", question.name or question.kind, "--trace", path]
    return shlex.join(["symag", "check", model.source.path, *constants, *options])


def _opening(question: CompositeQuestion | None, trace: Trace) -> int:
    if question is None:
        return 0
    return len(trace.steps) - 1 if trace.loop is None else trace.loop


def _because(question: CompositeQuestion | None, trace: Trace, violated: Sequence[str]) -> str:
    if question is None:
        return ""
    if violated:
        return f"the action {trace.steps[-2].action} violates {', '.join(violated)}"
    if question.kind == "deadlock":
        return "no action can follow the last state"
    if question.kind == "progress" and trace.loop is not None:
        happening = sorted({step.action for step in trace.steps[trace.loop :] if step.action is not None})
        return f"for ever only {', '.join(happening) or 'nothing'} happens"
    return ""


def _with_formulas(question: CompositeQuestion | None, trace: Trace) -> tuple[Trace, list[Signal]]:
    """The trace, and the truth of the parts of an assertion in each state: after the action that leads to it.

    If fluents differ after one round of a loop, the trace gets that round before the loop.
    """
    if question is None or question.formula is None:
        return trace, []
    labels = [step.action for step in trace.steps]
    actions = labels if trace.loop is not None else labels[:-1]
    ended = trace.loop is None and not cannot_hold(question.formula, actions)
    parts = list(parts_of(question.formula))[:_MOST_PARTS]
    columns = [known_truths(part, actions, trace.loop, ended) for part, _, _ in parts]
    shown = trace
    if trace.loop is not None and any(trace.loop == 0 or values[trace.loop - 1] != values[-1] for values in columns):
        start, count = trace.loop, len(trace.steps)
        shown = Trace("lasso", (*trace.steps, *trace.steps[start:]), count)
        columns = [(*values, *values[start:]) for values in columns]
    signals = []
    for (_, depth, text), column in zip(parts, columns, strict=True):
        truths = (None, *column)[: len(shown.steps)]
        texts = tuple(None if truth is None else str(truth).upper() for truth in truths)
        signals.append(Signal(text, "formula", _PROPERTY, texts, depth))
    return shown, signals


def _processes(system: System, trace: Trace, violated: Sequence[str]) -> Iterator[Signal]:
    """The state of each process; in ERROR only the states of violated processes are known."""
    for name in local_names(system.components):
        column = tuple(_state_text(name, step, violated) for step in trace.steps)
        yield Signal(name, "state", _PROCESSES, column)


def _state_text(name: str, step: Step, violated: Sequence[str]) -> str | None:
    if name in step.state:
        return "ERROR" if step.state[name] == ERROR else str(step.state[name])
    return "ERROR" if name in violated else None


def _actions(trace: Trace) -> Signal:
    return Signal("action", "action", _ACTION, tuple(step.action for step in trace.steps))


def _cut(system: System, trace: Trace) -> Cut:
    """A lane for each component. An action joins all components that have it; tau is in the one that moves."""
    names = local_names(system.components)
    owners: dict[str, tuple[int, ...]] = {}
    joined: list[tuple[int, ...]] = []
    following = [*trace.steps[1:], None if trace.loop is None else trace.steps[trace.loop]]
    for step, after in zip(trace.steps, following, strict=True):
        if step.action is None or after is None:
            joined.append(())
        elif step.action == _SILENT:
            moved = [index for index, name in enumerate(names) if step.state.get(name) != after.state.get(name)]
            joined.append(tuple(moved) if "ERROR" not in after.state else ())
        else:
            if step.action not in owners:
                having = (k for k, lts in enumerate(system.components) if step.action in lts.alphabet[1:])
                owners[step.action] = tuple(having)
            joined.append(owners[step.action])
    return Cut("processes", tuple(names), {name: index for index, name in enumerate(names)}, {}, tuple(joined))


def parts_of(formula: Temporal) -> Iterator[tuple[Temporal, int, str]]:
    """The formula and its parts in reading order, each with its depth below the whole and its text, each text once."""
    seen: set[str] = set()
    waiting = [(formula, 0)]
    while waiting:
        part, depth = waiting.pop()
        text = text_of(part)
        if text in seen or part in (TRUE, FALSE):
            continue
        seen.add(text)
        yield part, depth, text
        waiting += [(operand, depth + 1) for operand in reversed(part.operands)]


def text_of(formula: Temporal) -> str:
    """A formula in negation normal form as FSP writes it: ``[]``, ``<>``, ``U``; ``p R q`` is ``q W (p && q)``."""
    operands = [_operand(operand) for operand in formula.operands]
    match formula.operator:
        case "true" | "false":
            return formula.operator
        case "atom" | "not atom":
            return ("!" if formula.operator == "not atom" else "") + _atom(formula)
        case "and":
            return " && ".join(operands)
        case "or":
            return " || ".join(operands)
        case "X":
            return f"X {operands[0]}"
        case "U":
            return f"<>{operands[1]}" if formula.operands[0] == TRUE else f"{operands[0]} U {operands[1]}"
        case _:
            if formula.operands[0] == FALSE:
                return f"[]{operands[1]}"
            return f"{operands[1]} W ({operands[0]} && {operands[1]})"


def _operand(formula: Temporal) -> str:
    text = text_of(formula)
    simple = formula.operator in ("true", "false", "atom", "not atom") or text.startswith(("[]", "<>", "X "))
    return text if simple else f"({text})"


def _atom(formula: Temporal) -> str:
    atom = formula.atom
    if not isinstance(atom, ActionOccurs):
        return "?" if atom is None else atom.name
    actions = sorted(atom.actions)
    return actions[0] if len(actions) == 1 else f"{{{', '.join(actions)}}}"

"""Traces of labelled transition systems: their JSON files, and the runs with a given list of actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from symag.core.errors import CertificationError, InputError
from symag.core.evidence.documents import Member, evidence_text, read_evidence
from symag.core.files import write_file
from symag.core.trace import Step, Trace
from symag.core.values import replace
from symag.lts.certify.kinds import fingerprint
from symag.lts.certify.product_on_demand import ProductOnDemand
from symag.lts.language.composites import Model
from symag.lts.language.systems import System
from symag.lts.lts import ERROR
from symag.lts.questions import CompositeQuestion, questions

_KIND = "trace"
_State = tuple[int, ...]


def labelled_trace_text(model: Model, target: str, question: CompositeQuestion | None, trace: Trace) -> str:
    """The document of a counterexample, or of a run without a question."""
    about = None
    if question is not None:
        about = {"index": question.index, "kind": question.kind, "name": question.name, "text": question.text}
    sha256 = fingerprint(model.composite(target))
    return evidence_text(_KIND, model.source.path, sha256, about, {"target": target, **trace.to_json()})


def write_labelled_trace(
    path: str | Path, model: Model, target: str, question: CompositeQuestion | None, trace: Trace
) -> None:
    """Write that document. Raises UsageError if the file cannot be written."""
    write_file(path, labelled_trace_text(model, target, question, trace))


def read_labelled_trace(path: str, model: Model) -> tuple[str, CompositeQuestion | None, Trace]:
    """The composite process, the question that the trace claims to refute (None: none), and the trace.

    Raises InputError for a file that is truncated, malformed, of another tool, or of another model.
    """
    root = read_evidence(path, _KIND)
    evidence = root.member("evidence")
    target = evidence.get("target", str)
    if target not in model.targets:
        raise InputError(f"trace of a composite that the model does not have: {target[:200]}", path)
    system = model.composite(target)
    if root.get("sha256", str) != fingerprint(system):
        raise InputError(f"trace of another model: {target} in {model.source.path} has another SHA-256", path)
    return target, _question(root.member("property"), model, target, path), _trace(evidence, system)


def _question(about: Member, model: Model, target: str, path: str) -> CompositeQuestion | None:
    if about.value is None:
        return None
    kind, text = about.get("kind", str), about.get("text", str)
    for question in questions(model, target, default_progress=True):
        if (question.kind, question.text) == (kind, text):
            return replace(question, index=about.get("index", int))
    raise InputError(f"trace of a property that the model does not have: {text[:200]}", path)


def _trace(evidence: Member, system: System) -> Trace:
    steps = []
    for item in evidence.items("steps"):
        state = item.member("state")
        values = {name: state.get(name, int) for name in state.has(dict)}
        is_state = len(values) == len(system.components) and all(
            0 <= value < lts.states for value, lts in zip(values.values(), system.components, strict=True)
        )
        if not is_state and values != {"ERROR": ERROR}:
            raise state.wrong("the number of a state of each component, or ERROR alone")
        action = item.member("action")
        steps.append(Step(values, action=None if action.value is None else action.has(str)))
    if not steps:
        raise evidence.member("steps").wrong("a list of at least one step")
    loop = evidence.member("loop")
    if evidence.get("kind", str) == "finite":
        if loop.value is not None:
            raise loop.wrong("null, as the trace is finite")
        return Trace("finite", tuple(steps))
    if not 0 <= loop.has(int) < len(steps):
        raise loop.wrong("the number of a step")
    return Trace("lasso", tuple(steps), loop.has(int))


def runs(system: System, actions: Sequence[str], loop: int | None) -> Iterator[Trace]:
    """For each state in which runs with these actions (tau included) can end one such run, in the order of the states.

    From action ``loop`` on the actions repeat. Raises CertificationError for an action that is not possible there.
    """
    product = ProductOnDemand(system)
    if loop is None:
        for path in _paths(product, product.start, actions, 0):
            yield Trace("finite", tuple(_steps(system, path, [*actions, None])))
        return
    possible = False
    refusal: CertificationError | None = None
    for path in _paths(product, product.start, actions[:loop], 0):
        try:
            cycles = list(_paths(product, path[-1], actions[loop:], loop))
        except CertificationError as error:
            refusal = error
            continue
        possible = True
        for cycle in cycles:
            if cycle[-1] == path[-1]:
                yield Trace("lasso", tuple(_steps(system, [*path, *cycle[1:-1]], actions)), loop)
    if refusal is not None and not possible:
        raise refusal


def _steps(system: System, states: Sequence[_State], actions: Sequence[str | None]) -> Iterator[Step]:
    for state, action in zip(states, actions, strict=True):
        yield Step(valuation(system, state), action=action)


def valuation(system: System, state: _State) -> dict[str, int]:
    """The states of the components by their names; a name that an earlier component has gets its number as suffix."""
    if ERROR in state:
        return {"ERROR": ERROR}
    names = [lts.name for lts in system.components]
    distinct = [f"{name}#{index}" if name in names[:index] else name for index, name in enumerate(names)]
    return dict(zip(distinct, state, strict=True))


def _paths(product: ProductOnDemand, start: _State, actions: Sequence[str], offset: int) -> Iterator[list[_State]]:
    """For each state that the actions can lead to one path of states."""
    layers: list[dict[_State, _State]] = [{start: start}]
    for index, label in enumerate(actions):
        following: dict[_State, _State] = {}
        for state in layers[-1]:
            if ERROR in state:
                continue
            if label != "tau" and label not in product.labels:
                following.setdefault(state, state)  # no component has it: it may happen at any time
            for after in sorted(after for action, after in product.moves(state) if action == label):
                following.setdefault((ERROR,) if ERROR in after else after, state)
        if not following:
            raise CertificationError(f"the trace is not accepted: step {offset + index + 1}, {label}, is not possible")
        layers.append(following)
    for last in sorted(layers[-1]):
        path = [last]
        for layer in reversed(layers[1:]):
            path.append(layer[path[-1]])
        yield path[::-1]

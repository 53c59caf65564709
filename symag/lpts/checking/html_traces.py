"""Trees and walks as pages; the page of a tree carries the JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from symag.core.errors import UsageError
from symag.core.files import has_suffix
from symag.core.trace import Step, Trace
from symag.lpts.certificates.equivalences import DistinguishingTree
from symag.lpts.checking.check import running
from symag.lpts.checking.written_traces import WrittenTree, WrittenWalk
from symag.lpts.language.reading import read_model
from symag.lpts.lpts import Lpts
from symag.lpts.problems import EquivalenceProblem, SimulationProblem
from symag.lpts.readers import PRISM_SUFFIXES
from symag.lpts.state_values import StateValues
from symag.traces.page.content import Content, Cut, Explanation, Signal
from symag.traces.page.writing import page_text

_STATES = "States"
_STEP = "On the way to the next state"
_ASSUMPTIONS = "Assumptions: the state that stands for this state of the tree"
_UNLABELLED = "(no label)"


class Lane(Struct, frozen=True):
    """A component: its variables as the trace names them, and its actions."""

    name: str
    variables: tuple[str, ...]
    actions: frozenset[str]


def lanes_of(components: Sequence[Lpts], values: Sequence[StateValues]) -> tuple[Lane, ...]:
    """A lane for each component of a problem; a name of several variables stands after its component's name."""
    names = [part.names for part in values] or [(component.name,) for component in components]
    every = [name for part in names for name in part]
    return tuple(
        Lane(
            component.name,
            tuple(f"{component.name}.{name}" if every.count(name) > 1 else name for name in part),
            frozenset(component.alphabet) - {""},
        )
        for component, part in zip(components, names, strict=True)
    )


def lanes_of_model(path: str, constants: Mapping[str, str]) -> tuple[Lane, ...]:
    """A lane for each module of a PRISM model and for its global variables; none for other files. Raises InputError."""
    if not has_suffix(path, PRISM_SUFFIXES):
        return ()
    model = read_model(path, constants)
    lanes = [
        Lane(
            module.name,
            tuple(variable.name for variable in model.variables if variable.module == number),
            frozenset(module.alphabet) - {""},
        )
        for number, module in enumerate(model.modules)
    ]
    shared = tuple(variable.name for variable in model.variables if variable.module is None)
    return (*lanes, Lane("global variables", shared, frozenset())) if shared else tuple(lanes)


def tree_text(tree: WrittenTree) -> str:
    """The page of a tree; every node is a step, reached by its action. Raises UsageError for a formula whose violation
    has none.
    """
    files, read, result = tree.model.files, tree.model.problem, tree.result
    trace = result.trace
    if trace is None or read is None or not isinstance(read.problem, SimulationProblem | EquivalenceProblem):
        raise UsageError("there is no tree")
    lanes = () if files.further else lanes_of_model(files.path, files.constants)
    components, values = read.problem.components, read.values
    if isinstance(read.problem, EquivalenceProblem) and isinstance(result.certificate, DistinguishingTree):
        lanes = lanes if result.certificate.side == "left" else ()
        components, values = running(result.certificate, read.problem, read)
    lanes = lanes or lanes_of(components, values)
    parents = tuple(int(step.inputs["parent"]) for step in trace.steps)
    shares = [Fraction(str(step.inputs["probability"])) for step in trace.steps]
    ends = _ends(parents)
    before = [None if parent < 0 else trace.steps[parent] for parent in parents]
    probabilities = tuple(None if parent < 0 else str(share) for parent, share in zip(parents, shares, strict=True))
    content = Content(
        title=tree.question.text,
        purpose="Counterexample",
        steps=len(trace.steps),
        signals=_signals(trace, probabilities),
        parents=parents,
        verdict="violated",
        facts=(files.path, f"a tree of {len(parents)} nodes, {len(ends)} branches"),
        explanation=Explanation(
            shown=max(ends, key=lambda end: (_probability(end, parents, shares), -end)),
            because="the page shows one branch at a time, the most probable one first",
            cuts=_cuts(lanes, [(one, step) for one, step in zip(before, trace.steps, strict=True)], trace),
            command=files.command(tree.file),
            assumptions=tuple(
                Signal(f"assumption {number}", "assumption", _ASSUMPTIONS, tuple(run))
                for number, run in enumerate(result.assumption_runs)
                if len(run) == len(trace.steps)
            ),
        ),
        evidence=tree.document,
    )
    return page_text(content)


def walk_text(walk: WrittenWalk) -> str:
    """The page of a walk, which has a trace."""
    files, trace = walk.files, walk.walk.trace
    assert trace is not None
    lanes = () if files.further else lanes_of_model(files.path, files.constants)
    count = len(trace.steps)
    shares = tuple(map(str, walk.walk.probabilities))
    after = [*trace.steps[1:], None]
    content = Content(
        title=files.path,
        purpose="Simulation",
        steps=count,
        signals=_signals(trace, (*shares, *[None] * (count - len(shares)))),
        facts=(f"{count} state{'s' if count != 1 else ''}",),
        explanation=Explanation(cuts=_cuts(lanes, list(zip(trace.steps, after, strict=True)), trace)),
    )
    return page_text(content)


def _ends(parents: Sequence[int]) -> list[int]:
    inner = set(parents)
    return [node for node in range(len(parents)) if node not in inner]


def _probability(node: int, parents: Sequence[int], shares: Sequence[Fraction]) -> Fraction:
    probability = Fraction(1)
    while node >= 0:
        probability *= shares[node]
        node = parents[node]
    return probability


def _signals(trace: Trace, probabilities: tuple[str | None, ...]) -> tuple[Signal, ...]:
    names = dict.fromkeys(name for step in trace.steps for name in step.state)
    return (
        *(Signal(name, "state", _STATES, tuple(_spelled(name, step) for step in trace.steps)) for name in names),
        Signal("action", "action", _STEP, tuple(_label(step) for step in trace.steps)),
        Signal("probability", "input", _STEP, probabilities),
    )


def _spelled(name: str, step: Step) -> str | None:
    value = step.state.get(name)
    return str(value).upper() if isinstance(value, bool) else None if value is None else str(value)


def _label(step: Step) -> str | None:
    return None if step.action is None else step.action or _UNLABELLED


def _cuts(lanes: Sequence[Lane], moves: Sequence[tuple[Step | None, Step | None]], trace: Trace) -> tuple[Cut, ...]:
    if not lanes:
        return ()
    owner = {name: index for index, lane in enumerate(lanes) for name in lane.variables}
    actions = (step.action for step in trace.steps)
    joined = (tuple(_joined(lanes, *move, action)) for move, action in zip(moves, actions, strict=True))
    return (Cut("components", tuple(lane.name for lane in lanes), owner, {}, tuple(joined)),)


def _joined(lanes: Sequence[Lane], before: Step | None, after: Step | None, action: str | None) -> Iterator[int]:
    """The components that take part: all that have the action; without a label those whose values change."""
    if before is None or after is None or action is None:
        return
    for index, lane in enumerate(lanes):
        moved = any(before.state.get(name) != after.state.get(name) for name in lane.variables)
        if action in lane.actions or (moved and not action):
            yield index

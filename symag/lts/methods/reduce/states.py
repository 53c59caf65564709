"""The method ``reduce`` for deadlock and progress: compositional minimisation of all components.

Both are about states that can be reached: one in which nothing can happen, one from which some actions no longer can.
Minimisation is by branching bisimulation, for deadlock one that preserves divergence. It needs components of another
form:

- What leads to ERROR leads to a new state instead. There is no deadlock beyond it: for deadlock it has a silent move to
  itself. For progress, which is not decided if ERROR can be reached, it has a fresh action, which is never made silent.
- Where everything has ended there is no deadlock: in its END state each component has a move to itself by a fresh
  action, which all that can end have to do together.

Two states are branching bisimilar if each can do what the other does, after silent moves on which nothing changes.
It preserves divergence if a state that can do such moves for ever is equivalent to states only that can, too. Then
(R. J. van Glabbeek, B. Luttik and N. Trcka, "Branching bisimilarity with explicit divergence", 2009):

- It is a congruence for composition and for hiding.
- It preserves deadlock: let s be without a silent move, and t equivalent to it. Silent moves from t on which nothing
  changes come to an end, in a state t' that has no silent move, as s has none that could answer it; and t' has the same
  actions as s. So in every composition t leads to a deadlock where s is in one.

Both preserve which actions stay possible, so progress under fair choice. Weak bisimilarity preserves progress, but no
deadlock. States on a cycle of tau are branching bisimilar. Once each cycle is one state, a divergent one has a further
move to itself, by an action of its own, and what is left is refined by signatures: the pairs (action, class of the
target) that a state has after silent moves inside of its class (S. Blom and J. van de Pol, "Distributed branching
bisimulation minimization by inductive signatures", 2009).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from symag.core.limits import Progress
from symag.core.ranges import distinct
from symag.core.results import Reason
from symag.core.values import replace
from symag.lts.certificates import ReductionChain
from symag.lts.components import carried_back
from symag.lts.composition import Composition, labels_of
from symag.lts.determinisation import quotient
from symag.lts.equivalence import MarkedGraph, numbered, stepwise
from symag.lts.language.systems import System
from symag.lts.lts import ERROR, TAU, Lts, Numbers, renamed
from symag.lts.methods.explored_composition import ExploredComposition
from symag.lts.methods.reduce.order import SMALL, Reduction
from symag.lts.methods.reduce.words import Item, merged, run_of_members
from symag.lts.questions import CompositeQuestion
from symag.lts.safety_problem import fresh


class StateOutcome(Struct, frozen=True):
    """``certificate`` if the question holds; ``word`` and the components' states after it if not; else ``reason``."""

    certificate: ReductionChain | None = None
    word: tuple[str, ...] | None = None
    states: tuple[int, ...] = ()
    reason: str | None = None
    statistics: Mapping[str, int] = field(default_factory=dict)


def decide_states(system: System, question: CompositeQuestion, progress: Progress, small: int = SMALL) -> StateOutcome:
    """The outcome for deadlock or progress of a system without priorities. Raises MemoryError.

    Items with at most ``small`` states together are composed without further steps.
    """
    is_deadlock = question.kind == "deadlock"
    components, failures = _running(system.components, is_deadlock)
    kept = frozenset() if is_deadlock else failures | _labels(components, question)
    items = [Item(number, lts) for number, lts in enumerate(components)]
    minimal = partial(branching_quotient, divergence=is_deadlock)
    reduction = Reduction(items, progress, small, minimal=minimal, kept=kept)
    last, product = reduction.whole(until_live=is_deadlock)
    figures = {
        "steps": len(reduction.steps),
        "largest_lts_states": reduction.largest[0],
        "largest_lts_transitions": reduction.largest[1],
    }
    happening = {product.lts.alphabet[action] for action in set(product.lts.action.tolist())}
    if failures & happening:
        reason = Reason.UNSUPPORTED.text("ERROR can be reached, so check safety first")
        return StateOutcome(reason=reason, statistics=figures)
    trace = ExploredComposition(_without(product, failures), False).refutation(question)[0]
    if trace is None:
        return StateOutcome(ReductionChain((), tuple(reduction.steps), reduction.last), statistics=figures)
    end = trace.loop if trace.loop is not None else len(trace.steps) - 1
    actions = [step.action for step in trace.steps[:end] if step.action is not None and step.action != "tau"]
    goal = [int(str(state)) for state in trace.steps[end].state.values()]
    word, states = lifted(last, actions, goal, without_silent=is_deadlock)
    return StateOutcome(word=tuple(word), states=tuple(states[k] for k in range(len(items))), statistics=figures)


def _labels(components: Sequence[Lts], question: CompositeQuestion) -> frozenset[str]:
    """The actions that a progress question is about."""
    if question.actions is None:
        return frozenset(labels_of(components))
    return frozenset(question.actions).union(question.condition or ())


def _running(components: Sequence[Lts], is_deadlock: bool) -> tuple[list[Lts], frozenset[str]]:
    """The components without ERROR and END, and the fresh actions after ERROR."""
    taken = set(labels_of(components))
    ending = {label for lts in components if lts.end for label in lts.alphabet}
    may_end = is_deadlock and all(lts.end or ending.issuperset(lts.alphabet) for lts in components)
    ended = fresh("END", taken)
    failures: list[str] = []
    running: list[Lts] = []
    for lts in components:
        alphabet, triples, states = list(lts.alphabet), lts.triples(), lts.states
        if lts.has_error:
            triples = [(source, action, states if target == ERROR else target) for source, action, target in triples]
            if is_deadlock:
                triples.append((states, TAU, states))
            else:
                failures.append(fresh(f"ERROR.{len(running)}", taken))
                triples.append((states, len(alphabet), states))
                alphabet.append(failures[-1])
            states += 1
        if may_end and lts.end is not None:
            triples.append((lts.end, len(alphabet), lts.end))
            alphabet.append(ended)
        running.append(Lts.of(lts.name, alphabet, states, triples))
    return running, frozenset(failures)


def _without(product: Composition, labels: frozenset[str]) -> Composition:
    """The composition without these labels in its alphabet; no transition has one."""
    if not labels:
        return product
    names = [[] if label in labels else [label] for label in product.lts.alphabet]
    return replace(product, lts=renamed(product.lts, names))


def lifted(
    items: Sequence[Item], word: Sequence[str], goal: Sequence[int], without_silent: bool
) -> tuple[list[str], dict[int, int]]:
    """A word of the components, and the state of each one, by its number, after it.

    If an item of several members comes to one of its states by a word over its own actions, its members come to a state
    of that class by the same word, with actions of theirs between that no other item has. So these are put into the
    word, one item after the other, until only components are left.

    ``goal`` is the state of each item after ``word``. ``without_silent``: in these states, and in those of the
    components, no silent move is possible.
    """
    waiting = list(zip(items, goal, strict=True))
    actions = list(word)
    states: dict[int, int] = {}
    while waiting:
        item, state = waiting.pop()
        if item.origin is None:
            states[item.number] = state
            continue
        own = [label for label in actions if label in item.alphabet]
        run = run_of_members(item, own, _ends(item, state, without_silent).tolist())
        actions = merged(actions, run.labels, item.alphabet)
        waiting += zip(item.members, item.origin.local_states[run.state].tolist(), strict=True)
    return actions, states


def _ends(item: Item, goal: int, without_silent: bool) -> NDArray[np.bool_]:
    """For each state of the members' composition whether it is of class ``goal``, and without a silent move."""
    assert item.origin is not None
    assert item.classes is not None
    lts = item.origin.lts
    ends: NDArray[np.bool_] = item.classes == goal
    if without_silent:
        silent = ~np.array([label in item.alphabet for label in lts.alphabet])[lts.action]
        ends[lts.source[silent]] = False
    return ends


#: Beyond this many states, after cheaper steps, not all equivalent states are looked for.
_MOST = 5_000


def branching_quotient(system: Lts, divergence: bool) -> tuple[Numbers, Lts]:
    """The class of each state, numbered by their first members, and the system of the classes.

    ``divergence``: it is preserved; a class has tau to itself if its states are divergent. Else no class has. Costs, in
    each round of the refinement, the transitions that silent moves inside of classes lead to.
    """
    classes, divergent = _classes(system, divergence)
    small = quotient(system, classes)
    proper = (small.action != TAU) | (small.source != small.target)
    if divergence:
        proper |= divergent[small.source]
    columns = small.source[proper], small.action[proper], small.target[proper]
    return classes, Lts.of_arrays(small.name, small.alphabet, small.states, *columns, small.end, small.is_property)


def _classes(system: Lts, divergence: bool) -> tuple[Numbers, NDArray[np.bool_]]:
    """The class of each state, and for each class whether its states are divergent (never without ``divergence``)."""
    graph = MarkedGraph.of(system)
    cycle = graph.cycles_of_tau()
    inside = (graph.action == TAU) & (cycle[graph.source] == cycle[graph.target])
    turning = distinct(cycle[graph.source[inside]]) if divergence else np.zeros(0, dtype=np.int64)
    whole = graph.merged(cycle)
    small, where = stepwise(
        MarkedGraph(
            whole.mark,
            np.concatenate((whole.source, turning)),
            np.concatenate((whole.action, np.full(len(turning), whole.actions))),
            np.concatenate((whole.target, turning)),
            whole.actions + 1,
        )
    )
    if small.states <= _MOST:
        where = _refined(small)[where]
    classes = numbered(where[cycle][: system.states])
    divergent = np.zeros(int(classes.max()) + 1, dtype=bool)
    divergent[classes[np.isin(cycle[: system.states], turning)]] = True
    return classes, divergent


def _refined(graph: MarkedGraph) -> Numbers:
    """The coarsest classes by signatures after silent moves inside of a class; there are no cycles of tau."""
    if not (graph.action == TAU).any():
        return graph.refined()
    block: Numbers = np.unique(graph.mark, return_inverse=True)[1]
    count = int(block.max()) + 1
    while True:
        block = _split(graph, block)
        if int(block.max()) + 1 == count:
            return block
        count = int(block.max()) + 1


def _split(graph: MarkedGraph, block: Numbers) -> Numbers:
    """New classes: states stay together if they were, and have the same signature."""
    width = graph.actions * graph.states
    inert = (graph.action == TAU) & (block[graph.source] == block[graph.target])
    seen = ~inert
    letters = graph.action[seen] * graph.states + block[graph.target[seen]]
    own = distinct(graph.source[seen] * width + letters)
    codes = carried_back(own, width, graph.states, graph.source[inert], graph.target[inert])
    owner, letter = np.divmod(codes, width)
    ends = (8 * np.searchsorted(owner, np.arange(graph.states + 1))).tolist()
    data = letter.tobytes()
    groups: dict[tuple[int, bytes], int] = {}
    signatures = zip(block.tolist(), ends, ends[1:], strict=False)
    return np.array(
        [groups.setdefault((old, data[begin:end]), len(groups)) for old, begin, end in signatures], dtype=np.int64
    )

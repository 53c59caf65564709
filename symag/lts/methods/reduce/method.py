"""The method ``reduce``: compositional minimisation of as many components as a proof needs.

It begins with what can come to ERROR alone. A word to ERROR of the chosen components is a violation if the others can
take part in it. If not, those that refuse it are chosen too, or if none does by itself those that share its actions;
and as many of the same shape as have been chosen before, as the next words would choose these one by one.
What is not chosen is left out: it only prevents. Each time the chosen components are minimised and composed step by
step (``order``), where actions that none of the others *chosen* has are silent. With all components the answer is
exact, so this ends after at most as many rounds as there are components.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from symag.core.limits import Progress
from symag.core.results import Verdict
from symag.core.values import replace
from symag.lts.certificates import ReductionChain
from symag.lts.language.systems import System
from symag.lts.lts import Lts
from symag.lts.methods.options import LtsOptions
from symag.lts.methods.reduce.order import SMALL, MinimalItems, Reduction
from symag.lts.methods.reduce.words import Item
from symag.lts.safety_problem import SafetyOutcome, SafetyProblem
from symag.lts.words import realised


def decide(problem: SafetyProblem, options: LtsOptions, progress: Progress) -> SafetyOutcome:
    """Holds with the chain of steps, or violated with a word of all components. Raises MemoryError."""
    return decide_with(problem, progress, SMALL)


def decide_with(problem: SafetyProblem, progress: Progress, small: int) -> SafetyOutcome:
    """The same, where items with at most ``small`` states together are composed without further steps."""
    systems = [*problem.components, *(problem.observers or (problem.property,))]
    items = [Item(number, replace(lts, end=None)) for number, lts in enumerate(systems)]
    chosen = {item.number for item in items if item.lts.has_error}
    rounds, largest = 0, (0, 0)
    minimised: MinimalItems = {}
    while True:
        rounds += 1
        reduction = Reduction([item for item in items if item.number in chosen], progress, small, minimised)
        word = reduction.word_to_error()
        largest = max(largest, reduction.largest)
        figures = {
            "rounds": rounds,
            "components_chosen": len(chosen),
            "steps": len(reduction.steps),
            "largest_lts_states": largest[0],
            "largest_lts_transitions": largest[1],
        }
        if word is None:
            left_out = tuple(item.number for item in items if item.number not in chosen)
            chain = ReductionChain(left_out, tuple(reduction.steps), reduction.last)
            return SafetyOutcome(Verdict.HOLDS, certificate=chain, statistics=figures)
        whole = word if len(chosen) == len(items) else _completed(systems, word)
        if whole is not None:
            return SafetyOutcome(Verdict.VIOLATED, whole, statistics=figures)
        chosen.update(_with_similar(items, chosen, _missing(items, chosen, word)))
        progress(f"{len(chosen)} of {len(items)} components and properties")


def _completed(systems: Sequence[Lts], word: Sequence[str]) -> tuple[str, ...] | None:
    """The word with actions of single components that it needs; None if it is none of them all."""
    trace = realised(System("all", tuple(systems), None, None, False, frozenset()), word)
    if trace is None:
        return None
    return tuple(step.action for step in trace.steps if step.action not in (None, "tau"))


def _with_similar(items: Sequence[Item], chosen: Collection[int], missing: Collection[int]) -> set[int]:
    """The missing ones, and for each of their shapes at most as many others as are chosen with that shape."""
    more = set(missing)
    for shape in {items[number].shape for number in missing}:
        alike = [item.number for item in items if item.shape == shape]
        others = [number for number in alike if number not in chosen and number not in missing]
        more.update(others[: sum(number in chosen for number in alike)])
    return more


def _missing(items: Sequence[Item], chosen: Collection[int], word: Sequence[str]) -> set[int]:
    """Which items to choose too, at least one."""
    known = frozenset().union(*(item.alphabet for item in items if item.number in chosen))
    others = [item for item in items if item.number not in chosen]
    refusing = {item.number for item in others if not _can(item.lts, word, known)}
    sharing = {item.number for item in others if not item.alphabet.isdisjoint(word)}
    return refusing or sharing or {item.number for item in others}


def _can(lts: Lts, word: Sequence[str], known: Collection[str]) -> bool:
    """Whether a system can do its actions of the word, with tau and with actions that are not ``known`` between."""
    successors = lts.successors()
    free = [label not in known for label in lts.alphabet]

    def widened(states: Collection[int]) -> set[int]:
        reached, waiting = set(states), list(states)
        while waiting:
            for action, target in successors[waiting.pop()]:
                if free[action] and target not in reached:
                    reached.add(target)
                    waiting.append(target)
        return reached

    states = widened({0})
    for label in word:
        if label in lts.alphabet[1:]:
            action = lts.alphabet.index(label)
            states = widened({target for state in states for taken, target in successors[state] if taken == action})
    return bool(states)

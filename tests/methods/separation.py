"""What Rule-S needs of its assumption, by enumeration: an automaton between two sets of words, and how small it can be.

Words are of safe* . unsafe. An assumption must reject those that the first module shows and none that the second shows.
An automaton here is a pair of functions: the state after a safe letter, and whether a state rejects an unsafe letter;
states may be anything hashable. With the modules' sets of states (subset construction) everything is finite.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterator, Sequence

from symag.smv.methods.by_parts.turns import Learning
from tests.methods.weakest_assumption import ExplicitModule, Letter, Subset

Step = Callable[[Hashable, Letter], Hashable]
Rejects = Callable[[Hashable, Letter], bool]


def common_word(first: ExplicitModule, second: ExplicitModule) -> tuple[Letter, ...] | None:
    """A shortest word that both modules show; None if there is none."""
    seen: dict[tuple[Subset | None, Subset | None], tuple[Letter, ...]] = {(None, None): ()}
    for (one, other), word in _growing(seen):
        for letter in sorted(first.unsafe):
            if first.produces(one, letter) and second.produces(other, letter):
                return (*word, letter)
        for letter in sorted(first.safe):
            seen.setdefault((first.after(one, letter), second.after(other, letter)), (*word, letter))
    return None


def failing_premise(
    first: ExplicitModule, second: ExplicitModule, initial: Hashable, step: Step, rejects: Rejects
) -> int | None:
    """The number of a premise of Rule-S that an assumption fails; None if it satisfies both."""
    for number, module in enumerate((first, second), start=1):
        for subset, state in _pairs(module, initial, step):
            for letter in sorted(module.unsafe):
                if module.produces(subset, letter) and rejects(state, letter) == (number == 2):
                    return number
    return None


def failing_module(modules: Sequence[ExplicitModule], assumptions: Sequence[tuple[Step, Rejects]]) -> int | None:
    """A module that shows a word that its own assumption (state 0 is initial) allows, as Rule-G forbids; else None."""
    for number, (module, (step, rejects)) in enumerate(zip(modules, assumptions, strict=True)):
        for subset, state in _pairs(module, 0, step):
            if any(module.produces(subset, letter) and not rejects(state, letter) for letter in module.unsafe):
                return number
    return None


def rejected_by_all(letters: ExplicitModule, assumptions: Sequence[tuple[Step, Rejects]]) -> bool:
    """Whether some word is rejected by all assumptions, over the letters of a module."""
    start: tuple[Hashable, ...] = (0,) * len(assumptions)
    seen: dict[tuple[Hashable, ...], tuple[Letter, ...]] = {start: ()}
    for states, word in _growing(seen):
        both = list(zip(states, assumptions, strict=True))
        if any(all(rejects(state, letter) for state, (_, rejects) in both) for letter in letters.unsafe):
            return True
        for letter in sorted(letters.safe):
            seen.setdefault(tuple(step(state, letter) for state, (step, _) in both), (*word, letter))
    return False


def fewest_states(first: ExplicitModule, second: ExplicitModule, most: int, structures: int = 256) -> int | None:
    """The number of states of the smallest assumption that satisfies both premises, by trying all.

    None if there is none with ``most`` states, or before more than ``structures`` automata of a size had to be tried.
    """
    letters = sorted(first.safe)
    for size in range(1, most + 1):
        if size ** (size * len(letters)) > structures:
            return None
        for targets in itertools.product(range(size), repeat=size * len(letters)):
            table = dict(zip(itertools.product(range(size), letters), targets, strict=True))
            if _keeps_apart(first, second, table):
                return size
    return None


def _keeps_apart(first: ExplicitModule, second: ExplicitModule, table: dict[tuple[int, Letter], int]) -> bool:
    shown: list[set[tuple[Hashable, Letter]]] = []
    for module in (first, second):
        pairs = _pairs(module, 0, lambda state, letter: table[state, letter])  # type: ignore[index]
        shown.append({(state, b) for subset, state in pairs for b in module.unsafe if module.produces(subset, b)})
    return not shown[0] & shown[1]


def _pairs(module: ExplicitModule, initial: Hashable, step: Step) -> Iterator[tuple[Subset | None, Hashable]]:
    """The states that a module can be in, with the automaton's, after words of safe letters."""
    seen: dict[tuple[Subset | None, Hashable], tuple[Letter, ...]] = {(None, initial): ()}
    for (subset, state), word in _growing(seen):
        yield subset, state
        for letter in sorted(module.safe):
            seen.setdefault((module.after(subset, letter), step(state, letter)), (*word, letter))


def _growing(seen):
    """The items of a dictionary that grows meanwhile."""
    done = 0
    while done < len(seen):
        for item in list(seen.items())[done:]:
            done += 1
            yield item


def outcome_of(run: Learning) -> object:
    """The outcome of learning, after all of its rounds."""
    rounds = run.rounds()
    while True:
        try:
            next(rounds)
        except StopIteration as stop:
            return stop.value

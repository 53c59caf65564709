"""A formula that distinguishes two states, from the partitions that a refinement went through.

In the first round that separates states s and t, one of them has a move to a distribution over the classes before that
round that the other has not. Against each distribution of the other there is a class that gets more by the first: a
formula that is true of this class and false of the other's classes, by earlier rounds, tells them apart. A
formula that was made from the rounds before the k-th has the same truth in all states of a class of round k.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from symag.lpts.certificates.equivalences import DistinguishingFormula, ModalConjunct
from symag.lpts.lpts import Lpts, Numbers

#: A move to a distribution over the classes of a round: its action, and a mass for each class.
_Move = tuple[int, tuple[tuple[int, Fraction], ...]]
#: Two states that a formula separates.
_Pair = tuple[int, int]


class UnfoundedSplitError(Exception):
    """Two states were separated that have the same moves: two hashes were equal, or different, by chance."""


class _Difference:
    """Why one state is not the other: whose move it is, its action, and the masses that no move of the other has.

    ``masses`` are pairs of a mass and of the pairs of states that the formula with this mass has to separate.
    """

    def __init__(self, asserted: bool, action: int, masses: Sequence[tuple[Fraction, tuple[_Pair, ...]]]) -> None:
        self.asserted = asserted
        self.action = action
        self.masses = masses


def distinguishing_formula(
    system: Lpts, rounds: Sequence[Numbers], one: int, other: int, names: Sequence[str]
) -> DistinguishingFormula:
    """A formula that is true of state ``one`` and false of ``other``, which the last round separates.

    ``rounds`` has the class of each state before the first round and after each one, ``names`` what the formula calls
    the actions. Costs the moves of the states that are compared, at most once for each pair and round. Raises
    UnfoundedSplitError.
    """
    return _Building(system, rounds, names).formula(one, other)


class _Building:
    def __init__(self, system: Lpts, rounds: Sequence[Numbers], names: Sequence[str]) -> None:
        self._system = system
        self._rounds = rounds
        self._names = names
        self._offsets = system.offsets()
        self._number: dict[tuple[ModalConjunct, ...], int] = {}

    def formula(self, one: int, other: int) -> DistinguishingFormula:
        """The formula for two states, each part of it once."""
        waiting: dict[int, dict[_Pair, None]] = defaultdict(dict)
        waiting[self._round_of(one, other)][one, other] = None
        differences: dict[_Pair, _Difference] = {}
        order: list[_Pair] = []
        for number in range(len(self._rounds) - 1, 0, -1):
            for pair in list(waiting[number]):
                difference = differences[pair] = self._difference(number, *pair)
                order.append(pair)
                for _, pairs in difference.masses:
                    for needed in pairs:
                        waiting[self._round_of(*needed)][needed] = None
        conjuncts: dict[_Pair, ModalConjunct] = {}
        for pair in reversed(order):
            difference = differences[pair]
            masses = {
                (mass, self._of(sorted({conjuncts[needed] for needed in pairs}))) for mass, pairs in difference.masses
            }
            conjuncts[pair] = ModalConjunct(difference.asserted, self._names[difference.action], tuple(sorted(masses)))
        self._of([conjuncts[one, other]])
        return DistinguishingFormula(tuple(self._number))

    def _of(self, conjuncts: Sequence[ModalConjunct]) -> int:
        return self._number.setdefault(tuple(conjuncts), len(self._number))

    def _round_of(self, one: int, other: int) -> int:
        """The first round that separates two states."""
        low, high = 0, len(self._rounds) - 1
        while low < high:
            middle = (low + high) // 2
            if self._rounds[middle][one] != self._rounds[middle][other]:
                high = middle
            else:
                low = middle + 1
        return low

    def _moves(self, classes: Numbers, state: int) -> dict[_Move, dict[int, int]]:
        """The moves of a state to classes; of each, a state of every class."""
        moves: dict[_Move, dict[int, int]] = {}
        for transition in range(int(self._offsets[state]), int(self._offsets[state + 1])):
            masses: dict[int, Fraction] = {}
            members: dict[int, int] = {}
            for target, probability in self._system.distribution(transition).items():
                class_ = int(classes[target])
                masses[class_] = masses.get(class_, Fraction(0)) + probability
                members.setdefault(class_, target)
            moves.setdefault((int(self._system.action[transition]), tuple(sorted(masses.items()))), members)
        return moves

    def _difference(self, number: int, one: int, other: int) -> _Difference:
        classes = self._rounds[number - 1]
        mine, theirs = self._moves(classes, one), self._moves(classes, other)
        for asserted, first, second in ((True, mine, theirs), (False, theirs, mine)):
            alone = [move for move in first if move not in second]
            if alone:
                # The fewest answers to refute make the smallest formula.
                move = min(alone, key=lambda move: sum(action == move[0] for action, _ in second))
                return _Difference(asserted, move[0], self._masses(move, first[move], second))
        raise UnfoundedSplitError

    def _masses(
        self, move: _Move, members: dict[int, int], answers: dict[_Move, dict[int, int]]
    ) -> list[tuple[Fraction, tuple[_Pair, ...]]]:
        action, masses = move
        result = []
        for (label, answer), theirs in answers.items():
            if label == action:
                less = dict(answer)
                class_, mass = next(entry for entry in masses if entry[1] > less.get(entry[0], 0))
                pairs = tuple((members[class_], state) for its, state in theirs.items() if its != class_)
                result.append((mass, pairs))
        return result

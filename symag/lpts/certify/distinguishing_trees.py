"""Re-check of a tree that one system can run and another one cannot simulate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from symag.core.limits import Deadline
from symag.lpts.certificates.equivalences import DistinguishingTree
from symag.lpts.certify.simulations import check_run, is_simulated
from symag.lpts.certify.weights import (
    LocalMove,
    ProbabilisticAutomaton,
    ProbabilisticProduct,
    of_another_kind,
    product_of,
    refused,
    start_of,
)
from symag.lpts.problems import EquivalenceProblem, Problem

CERTIFICATE = DistinguishingTree


def check(problem: Problem, certificate: DistinguishingTree, deadline: Deadline) -> None:
    """See ``symag.lpts.certify.kinds``."""
    if not isinstance(problem, EquivalenceProblem) or problem.relation != "simulation":
        raise of_another_kind()
    if certificate.side not in ("left", "right"):
        raise of_another_kind()
    systems = problem.components, (problem.other,)
    running, answering = systems if certificate.side == "left" else systems[::-1]
    moves = check_run(running, certificate.tree, deadline)
    if is_simulated(certificate.tree, moves, _ExploredProduct(product_of(answering), deadline), deadline):
        raise refused("the other system simulates the tree")


class _ExploredProduct(ProbabilisticAutomaton):
    """The reachable states of a product with numbers, the initial one 0; it is not completed for any action."""

    def __init__(self, product: ProbabilisticProduct, deadline: Deadline) -> None:
        number = {start_of(product): 0}
        states = list(number)
        moves: list[list[LocalMove]] = []
        for state in states:
            if len(moves) % 1000 == 0:
                deadline.check()
            mine: list[LocalMove] = []
            for action, distribution in product.moves(state):
                for target in distribution:
                    if target not in number:
                        number[target] = len(states)
                        states.append(target)
                mine.append((action, {number[target]: mass for target, mass in distribution.items()}))
            moves.append(mine)
        super().__init__((), moves)

    def answers(self, state: int, action: str) -> Iterator[Mapping[int, Fraction]]:
        """The distributions that the state reaches by the action."""
        yield from (distribution for label, distribution in self.moves[state] if label == action)

"""Re-check of a formula that is true of one system and false of another one."""

from __future__ import annotations

from collections.abc import Sequence

from symag.core.limits import Deadline
from symag.lpts.certificates.equivalences import DistinguishingFormula, ModalConjunct
from symag.lpts.certify.weights import ProbabilisticProduct, State, of_another_kind, product_of, refused, start_of
from symag.lpts.problems import EquivalenceProblem, Problem

#: A side (0 is left) and a state of this side.
_Place = tuple[int, State]

CERTIFICATE = DistinguishingFormula


def check(problem: Problem, certificate: DistinguishingFormula, deadline: Deadline) -> None:
    """See ``symag.lpts.certify.kinds``. Only states within the depth of the formula are looked at."""
    if not isinstance(problem, EquivalenceProblem) or problem.relation != "bisimulation":
        raise of_another_kind()
    _check_formula((product_of(problem.components), product_of([problem.other])), certificate, deadline)


def _check_formula(
    sides: tuple[ProbabilisticProduct, ProbabilisticProduct], evidence: DistinguishingFormula, deadline: Deadline
) -> None:
    formulas = evidence.formulas
    needed: list[set[_Place]] = [set() for _ in formulas]
    if not formulas:
        raise refused("there is no formula")
    needed[-1].update((side, start_of(sides[side])) for side in (0, 1))
    for number in range(len(formulas) - 1, -1, -1):
        deadline.check()
        for conjunct in formulas[number]:
            if any(not 0 <= part < number or mass <= 0 for mass, part in conjunct.masses):
                raise refused(f"formula {number} has a part that is no earlier formula, or no mass")
            after = {
                (side, target)
                for side, state in needed[number]
                for action, distribution in sides[side].moves(state)
                if action == conjunct.action
                for target in distribution
            }
            for _, part in conjunct.masses:
                needed[part] |= after
    true: list[set[_Place]] = []
    for number, conjuncts in enumerate(formulas):
        deadline.check()
        places = needed[number]
        true.append({place for place in places if all(_is_true(sides, c, place, true) for c in conjuncts)})
    if (0, start_of(sides[0])) not in true[-1] or (1, start_of(sides[1])) in true[-1]:
        raise refused("the formula is not true of the first system, or not false of the second")


def _is_true(
    sides: tuple[ProbabilisticProduct, ProbabilisticProduct],
    conjunct: ModalConjunct,
    place: _Place,
    true: Sequence[set[_Place]],
) -> bool:
    side, state = place
    exists = any(
        action == conjunct.action
        and all(
            sum(p for target, p in mu.items() if (side, target) in true[part]) >= mass for mass, part in conjunct.masses
        )
        for action, mu in sides[side].moves(state)
    )
    return exists == conjunct.asserted

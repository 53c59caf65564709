"""The check of contracts: parts keep guarantees, assumptions follow from guarantees, and so do properties."""

from __future__ import annotations

import graphlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct, field

from symag.core.limits import Limits, Progress
from symag.core.results import PropertyResult, Reason, Verdict
from symag.core.tables import AUTO
from symag.core.values import replace
from symag.smv.checking.check import check
from symag.smv.checking.facts import model_facts
from symag.smv.contracts.contract import Contract, ContractCondition, without_contract
from symag.smv.contracts.obligations import ProofObligations
from symag.smv.expression_reader import expression
from symag.smv.facts.finding import Reach
from symag.smv.methods.options import SmvOptions
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.properties import invariant_of

#: How a guarantee depends on the part's assumptions (see ``obligations``). ``fact``: nobody wrote it; it is a fact
#: of the model, proved with its other facts.
Mode = Literal["unconditional", "delayed", "immediate", "fact"]

#: The terms of the relations among guarantees that are synthesised.
REACH: Reach = "variables"

#: Makes the question about a part in one of these modes.
Pose = Callable[[Contract, Sequence[ContractCondition]], FlatSystem]


class ProofObligation(Struct, frozen=True):
    """One question with its answer.

    ``kind``: a part keeps a ``guarantee``, an ``assumption`` follows from guarantees, the assumptions of a part are
    true together in some initial state (``possible``), or a ``property`` of the model follows. ``premises`` are the
    parts whose guarantees are used. ``holds`` means that the obligation is met, ``violated`` that it is not. The trace
    is then one of the part, or a state or step in which the premises are true and the conclusion is false.
    """

    kind: Literal["guarantee", "assumption", "possible", "property"]
    part: str | None
    text: str
    result: PropertyResult
    system: FlatSystem
    name: str | None = None
    mode: Mode | None = None
    premises: tuple[str, ...] = ()


class ContractReport(Struct, frozen=True):
    """All obligations. ``circle`` are parts whose guarantees depend on each other at the same instant, from which
    nothing follows. ``is_circle_certain`` is False if the questions whether those of earlier instants suffice are not
    all answered.
    """

    obligations: tuple[ProofObligation, ...]
    circle: tuple[str, ...] = ()
    is_circle_certain: bool = True

    @property
    def verdict(self) -> Verdict:
        """``HOLDS`` if every obligation is met, ``VIOLATED`` if one is not."""
        verdicts = {obligation.result.verdict for obligation in self.obligations}
        if Verdict.VIOLATED in verdicts or (self.circle and self.is_circle_certain):
            return Verdict.VIOLATED
        return Verdict.UNKNOWN if Verdict.UNKNOWN in verdicts or self.circle else Verdict.HOLDS


class ContractCheck(Struct, frozen=True):
    """How the obligations are decided: any method of ``symag check``, under its limits for each obligation.

    With ``synthesise`` parts without a guarantee, and instances of the main module without a contract, get the facts of
    the model (``symag facts``) that read one of their variables.
    """

    method: str = AUTO
    options: SmvOptions = field(default_factory=SmvOptions)
    limits: Limits = field(default_factory=Limits)
    certify: bool = True
    synthesise: bool = False

    def report(
        self, system: FlatSystem, contracts: Sequence[Contract], properties: Sequence[Property], progress: Progress
    ) -> ContractReport:
        """Check contracts of a system, and which of the properties follow from their guarantees.

        If all obligations are met, every guarantee is true in every reachable state, or on every step of a run. Raises
        InputError and UsageError as ``symag.smv.checking.check.check`` does.
        """
        return _Run(self, system, contracts, progress).report(properties)


class _Guarantee(Struct, frozen=True):
    """A guarantee of a part, as a premise; ``immediate``: it depends on assumptions at the same instant."""

    part: str
    condition: ContractCondition
    immediate: bool


class _Run:
    def __init__(
        self, how: ContractCheck, system: FlatSystem, contracts: Sequence[Contract], progress: Progress
    ) -> None:
        self._how = how
        self._system = system
        self._contracts = contracts
        self._progress = progress
        self._obligations = ProofObligations(system)
        self._stated: list[_Guarantee] = []
        #: Parts with an immediate guarantee that is perhaps a delayed one, and why that is not known.
        self._undecided: dict[str, str | None] = {}

    def report(self, properties: Sequence[Property]) -> ContractReport:
        met = [obligation for contract in self._contracts for obligation in self._kept(contract)]
        if self._how.synthesise:
            met.extend(self._synthesised())
        depends: dict[str, set[str]] = {}
        for contract in self._contracts:
            for assumption in contract.assumptions:
                obligation, immediate = self._discharged(contract, assumption)
                met.append(obligation)
                if self._is_immediate(contract.part) and obligation.result.verdict is Verdict.HOLDS:
                    depends.setdefault(contract.part, set()).update(immediate)
        circle = _circle(depends)
        met.extend(self._followed(properties))
        return ContractReport(tuple(met), circle, self._undecided.keys().isdisjoint(circle))

    def _decide(self, system: FlatSystem) -> list[PropertyResult]:
        how = self._how
        answers = check(system, system.properties, how.method, how.options, how.limits, how.certify, self._progress)
        return [result for _, result in answers]

    def _kept(self, contract: Contract) -> Iterator[ProofObligation]:
        if contract.assumptions:
            posed = self._obligations.satisfiable(contract)
            (result,) = self._decide(posed)
            yield ProofObligation("possible", contract.part, "", _negated(result), posed)
        waiting = list(contract.guarantees)
        pose: dict[Mode, Pose] = {"unconditional": self._obligations.unconditional}
        if contract.assumptions:
            pose |= {"delayed": self._obligations.delayed, "immediate": self._obligations.immediate}
        last = tuple(pose)[-1]
        for mode, posing in pose.items():
            if not waiting:
                return
            posed = posing(contract, waiting)
            left = []
            for guarantee, result in zip(waiting, self._decide(posed), strict=True):
                if result.verdict is not Verdict.HOLDS and mode != last:
                    left.append(guarantee)
                    if result.verdict is Verdict.UNKNOWN and mode == "delayed":
                        self._undecided[contract.part] = result.reason
                    continue
                immediate = mode == "immediate" and result.verdict is Verdict.HOLDS
                self._stated.append(_Guarantee(contract.part, guarantee, immediate))
                yield ProofObligation("guarantee", contract.part, guarantee.text, result, posed, mode=mode)
            waiting = left

    def _synthesised(self) -> Iterator[ProofObligation]:
        """The facts of the model as guarantees of the parts that have none: each of the first part that it reads."""
        silent = [contract for contract in self._contracts if not contract.guarantees]
        silent += without_contract(self._system, self._contracts)
        if not silent:
            return
        how = self._how
        known = model_facts(
            self._system, None, REACH, how.options.seed, how.limits, self._progress, certify=how.certify
        )
        if known.reason is not None:
            result = PropertyResult(Verdict.UNKNOWN, "facts", reason=known.reason)
            yield ProofObligation("guarantee", silent[0].part, "to be found", result, self._system, mode="fact")
            return
        proved = PropertyResult(Verdict.HOLDS, "facts", certified=how.certify)
        for fact in known.facts:
            owner = next((contract for contract in silent if set(fact.variables) & set(contract.variables)), None)
            if owner is not None:
                condition = ContractCondition(fact.text, expression(self._system, fact.text), on_steps=False)
                self._stated.append(_Guarantee(owner.part, condition, immediate=False))
                yield ProofObligation("guarantee", owner.part, fact.text, proved, self._system, mode="fact")

    def _discharged(self, contract: Contract, assumption: ContractCondition) -> tuple[ProofObligation, set[str]]:
        """The obligation, and the parts whose immediate guarantees it needs."""
        others = [stated for stated in self._stated if stated.part != contract.part]
        own = [stated for stated in self._stated if stated.part == contract.part and not stated.immediate]
        premises = [*others, *own]
        result, posed = self._consequence(premises, assumption)
        if result.verdict is Verdict.HOLDS:
            # Immediate guarantees are dropped first, so that fewer parts depend on each other at the same instant.
            for part in sorted({stated.part for stated in premises}, key=lambda part: not self._is_immediate(part)):
                fewer = [stated for stated in premises if stated.part != part]
                result_of_fewer, posed_of_fewer = self._consequence(fewer, assumption)
                if result_of_fewer.verdict is Verdict.HOLDS:
                    premises, result, posed = fewer, result_of_fewer, posed_of_fewer
        elif contract.part in self._undecided:
            by_all, posed_by_all = self._consequence(self._stated, assumption)
            if by_all.verdict is Verdict.HOLDS:
                result = PropertyResult(Verdict.UNKNOWN, by_all.method, reason=self._undecided[contract.part])
                premises, posed = self._stated, posed_by_all
        parts = tuple(dict.fromkeys(stated.part for stated in premises))
        obligation = ProofObligation("assumption", contract.part, assumption.text, result, posed, premises=parts)
        return obligation, {stated.part for stated in premises if stated.immediate}

    def _is_immediate(self, part: str) -> bool:
        return any(stated.part == part and stated.immediate for stated in self._stated)

    def _consequence(
        self, premises: Iterable[_Guarantee], conclusion: ContractCondition
    ) -> tuple[PropertyResult, FlatSystem]:
        posed = self._obligations.consequence([stated.condition for stated in premises], conclusion.expression)
        (result,) = self._decide(posed)
        return result, posed

    def _followed(self, properties: Sequence[Property]) -> Iterator[ProofObligation]:
        for target in properties:
            invariant = invariant_of(self._system, target)
            if invariant is None:
                reason = Reason.UNSUPPORTED.text(f"{target.kind} that is not an invariant of states")
                result, posed = PropertyResult(Verdict.UNKNOWN, "contracts", reason=reason), self._system
            else:
                result, posed = self._consequence(
                    self._stated, ContractCondition(target.text, invariant, on_steps=False)
                )
            yield ProofObligation("property", None, target.text, result, posed, name=target.name)


def _negated(result: PropertyResult) -> PropertyResult:
    """From the answer to "there is no such state" the answer to "there is one"."""
    opposite = {Verdict.HOLDS: Verdict.VIOLATED, Verdict.VIOLATED: Verdict.HOLDS}
    return replace(result, verdict=opposite.get(result.verdict, result.verdict))


def _circle(depends: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """Parts that depend on each other, the first one again at the end; none if they have an order."""
    sorter = graphlib.TopologicalSorter(depends)
    try:
        sorter.prepare()
    except graphlib.CycleError as error:
        circle: list[str] = error.args[1]
        return tuple(circle)
    return ()

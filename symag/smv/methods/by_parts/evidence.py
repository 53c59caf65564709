"""From an outcome of a rule to a result with evidence about the whole system, and the warnings it needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from symag.bdd.context import Bdd
from symag.core.limits import Progress
from symag.core.results import PropertyResult, Reason, Verdict
from symag.core.trace import Trace
from symag.core.values import replace
from symag.learning.symbolic_table import Conjecture
from symag.smv.certificates.assume_guarantee import AssumeGuarantee, Assumption, PartProof
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.formulas import DiagramTable
from symag.smv.certificates.invariants import InductiveSet
from symag.smv.methods import monolithic
from symag.smv.methods.by_parts.automaton import StateBits
from symag.smv.methods.by_parts.decision import DecompositionProblem
from symag.smv.methods.by_parts.module import Module
from symag.smv.methods.options import SmvOptions
from symag.smv.model.flat import FlatSystem, VariableKind
from symag.smv.model.printer import expression_text
from symag.smv.model.properties import in_its_logic
from symag.smv.model.types import bit_count, value_of
from symag.smv.symbolic.diagram import DiagramWriter
from symag.smv.symbolic.relation import transition_relation
from symag.smv.symbolic.system import SymbolicSystem, encode
from symag.smv.traversal.deadends import dead_ends, is_total
from symag.smv.traversal.fairness import FairConstraints
from symag.smv.traversal.reachability import reachable
from symag.smv.traversal.trace import SingleTransitions, Valuation, extend, finite_trace


def holds(
    prepared: DecompositionProblem, method: str, certificate: Certificate | None, figures: Mapping[str, Any]
) -> PropertyResult:
    """The result for a proof, with warnings about the whole system. ``certificate``: None where it is too large."""
    return PropertyResult(
        Verdict.HOLDS,
        method,
        certificate=certificate,
        warnings=_warnings(prepared.system, prepared.options),
        statistics=figures,
    )


def without_parts(prepared: DecompositionProblem, method: str) -> PropertyResult:
    """The result where there is nothing to cut: a proof of what no valuation violates, such as TRUE; else unknown."""
    symbolic = prepared.symbolic
    if not symbolic.context.implies(symbolic.invariant(), prepared.safe):
        return PropertyResult(Verdict.UNKNOWN, method, reason=Reason.UNSUPPORTED.text("no feasible partition"))
    certificate = product_certificate(prepared, (symbolic.context.true,))
    return holds(prepared, method, certificate, {"variables": len(prepared.cone.variables), "parts": 0})


def violated(
    prepared: DecompositionProblem,
    method: str,
    modules: Sequence[Module],
    word: Sequence[Bdd],
    figures: Mapping[str, Any],
    options: SmvOptions,
    progress: Progress,
    assumption_runs: tuple[tuple[str, ...], ...],
) -> PropertyResult | None:
    """The result for a word along which the composition violates the property.

    None if the run of the cone is not a run of the whole system; then that has a dead end or no initial state.
    A violation of ``AG p`` or ``G p`` counts on fair infinite runs only: the run is continued to a fair lasso.
    Where that is impossible, the whole system is searched for another run.
    """
    system = prepared.system
    kind = in_its_logic(prepared.target).kind
    fair = kind == "LTL" or (kind == "CTL" and (system.justice or system.compassion or not is_total(system)))
    states = _cone_states(prepared, modules, word)
    symbolic = encode(system, memory=options.memory, engine=options.bdd)
    whole = SingleTransitions.of(symbolic)
    full = extend(whole, states)
    if full is None and not fair:
        return None
    trace = None if full is None else finite_trace(whole, full) if not fair else _fair_lasso(symbolic, full, progress)
    if trace is not None:
        return PropertyResult(
            Verdict.VIOLATED, method, trace=trace, statistics=figures, assumption_runs=assumption_runs
        )
    progress("the violation is on no fair run; searching the whole system for one that is")
    result = monolithic.decide(system, prepared.target, options, progress)
    return replace(result, method=f"{method}, then {result.method}")


def _fair_lasso(symbolic: SymbolicSystem, states: Sequence[Valuation], progress: Progress) -> Trace | None:
    """A fair lasso that begins with these states, or None if no fair run goes on from the last."""
    last = symbolic.encoding.valuation(states[-1])
    reached = reachable(transition_relation(symbolic), last, progress)
    runs = FairConstraints.of(symbolic).runs(reached.states)
    return runs.lasso(states) if last & runs.states != symbolic.context.false else None


def _cone_states(prepared: DecompositionProblem, modules: Sequence[Module], word: Sequence[Bdd]) -> list[Valuation]:
    """The states of a run of the cone along a real word, without the wires and the inputs."""
    variables = prepared.cone.by_name
    names = {name for name, variable in variables.items() if variable.kind is not VariableKind.INPUT}
    run = prepared.composition(modules).run(word)
    states: list[Valuation] = [{name: value for name, value in values.items() if name in names} for values in run]
    return [_decoded(prepared, state) for state in states] if prepared.bits else states


def _decoded(prepared: DecompositionProblem, state: Valuation) -> Valuation:
    """A state over bits as a state of the variables that have all their bits in the cone."""
    codes: dict[str, dict[int, bool]] = {}
    for name, value in state.items():
        variable, index = prepared.bits[name]
        codes.setdefault(variable, {})[index] = bool(value)
    types = {variable.name: variable.type for variable in prepared.system.variables}
    return {
        name: value_of(types[name], sum(1 << index for index, value in bits.items() if value))
        for name, bits in codes.items()
        if len(bits) == bit_count(types[name])
    }


def _warnings(system: FlatSystem, options: SmvOptions) -> tuple[str, ...]:
    """Empty initial states and dead ends; a system of assignments without INIT has neither."""
    if is_total(system) and not system.init:
        return ()
    symbolic = encode(system, memory=options.memory, engine=options.bdd)
    if symbolic.initial_states() == symbolic.context.false:
        return ("the set of initial states is empty: every property holds",)
    names = frozenset(system.by_name)
    warning = dead_ends(symbolic, transition_relation(symbolic, names), names, None)
    return () if warning is None else (warning,)


def product_certificate(prepared: DecompositionProblem, sets: Sequence[Bdd]) -> InductiveSet:
    """The inductive set that one-state assumptions amount to: one conjunct for each module, without the wires."""
    context = prepared.symbolic.context
    encoding = prepared.symbolic.encoding
    # In a set a wire stands for its value in that state. Wires may read wires, but never in a circle.
    values = {
        name: conjunct.diagram
        for name, _ in prepared.wires
        for conjunct in prepared.symbolic.invar
        if conjunct.owner == name
    }
    writer = DiagramWriter(encoding)
    conjuncts = []
    for set_ in sets:
        states = set_
        while mentioned := [n for n in values if context.support(states) & frozenset(encoding.current_bits([n]))]:
            name = mentioned[0]
            states = context.exists(encoding.current_bits([name]), states & values[name])
        conjuncts.append(writer.add(states))
    return InductiveSet(_table(prepared, writer), tuple(conjuncts), prepared.facts)


def _table(prepared: DecompositionProblem, writer: DiagramWriter) -> DiagramTable:
    """The written diagrams over the bits of the system's own variables (and of wires)."""
    table = writer.table()
    return replace(table, bits=tuple(prepared.bits.get(name, (name, index)) for name, index in table.bits))


def assume_guarantee_certificate(
    prepared: DecompositionProblem,
    rule: str,
    modules: Sequence[Module],
    assumptions: Sequence[Conjecture],
    paired: Sequence[tuple[StateBits, int, Bdd]],
) -> AssumeGuarantee:
    """The assumptions with one inductive set per module and assumption state.

    ``paired[i]`` gives the state bits and the number of states of the assumption that module i was
    explored with, and the pairs of both after at least one letter. Variables outside the cone go to the last
    part, where no set mentions them. A variable whose bits are in several parts is listed in each.
    """
    context = prepared.symbolic.context
    writer = DiagramWriter(prepared.symbolic.encoding)
    cone = set(_originals(prepared, prepared.cone.by_name))
    outside = tuple(variable.name for variable in prepared.system.variables if variable.name not in cone)
    parts = []
    for index, (module, (bits, states, reached)) in enumerate(zip(modules, paired, strict=True)):
        sets = tuple(writer.add(context.exists(bits.current, reached & bits.state(state))) for state in range(states))
        owned = _originals(prepared, module.variables)
        parts.append(PartProof((*owned, *(outside if index + 1 == len(modules) else ())), sets))
    written = tuple(
        Assumption(
            tuple(tuple((target, writer.add(letters)) for target, letters in edges) for edges in conjecture.edges),
            tuple(writer.add(letters) for letters in conjecture.rejects),
        )
        for conjecture in assumptions
    )
    texts = tuple((name, expression_text(expression)) for name, expression in prepared.wires)
    table = _table(prepared, writer)
    return AssumeGuarantee(rule, table, tuple(parts), written, texts, prepared.property_wire, prepared.facts)


def _originals(prepared: DecompositionProblem, variables: Iterable[str]) -> tuple[str, ...]:
    """The system's variables that these variables of the subject are, or are bits of."""
    return tuple(dict.fromkeys(prepared.bits.get(name, (name, 0))[0] for name in variables))

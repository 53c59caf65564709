"""Decides invariants on a reduced system, before the whole one is encoded.

The stages are flat system -> cone of influence of the property, or of several with about the same cone -> that
without constant and equal variables -> its cone again -> ``invariants``. The result is about the whole system again:
certificates get the constants and equations as conjuncts, traces the values of the variables that were left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from symag.core.limits import Progress
from symag.core.results import PropertyResult, Verdict
from symag.core.values import replace
from symag.smv.certificates.invariants import InductiveSet
from symag.smv.methods import invariants
from symag.smv.methods.lifting import lifted, together
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.outside_cone import OutsideCones, is_constrained_outside
from symag.smv.methods.state_space import Approximation
from symag.smv.methods.state_spaces import LARGE_CONE, StateSpaces
from symag.smv.model.dependencies import Cones, Dependency, confined
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.properties import invariant_of, searched_invariant, speaks_of_transitions
from symag.smv.model.typed import Expression
from symag.smv.model.types import bit_count
from symag.smv.reduction.equal_variables import Redundancy, redundancy
from symag.smv.reduction.substitution import Substitution
from symag.smv.symbolic.choices import conjuncts
from symag.smv.symbolic.order import in_order_of, static_order
from symag.smv.traversal.completion import completed
from symag.smv.traversal.deadends import is_total

#: The largest number of reduced systems that are remembered; the oldest is forgotten first.
_KEPT = 4

#: A property uses a larger cone that it shares with others if its own cone is at least this share of it.
_ABOUT_AS_LARGE = 0.9

#: The conjuncts of an invariant, this many at most, are decided one by one, if its cone of influence has more than
#: FEW_BITS bits and theirs at most MUCH_SMALLER of these.
MOST_CONJUNCTS = 4
FEW_BITS = 50
MUCH_SMALLER = 0.75

#: After this many reduced systems the next one is for all properties, if it is about as large; and after MANY, if at
#: least this share of it is needed. A search of more than the cone may be much harder (tcas of NuSMV's suite).
_DISTINCT, _MANY, _HALF = 2, 8, 0.5


class _SmallerSystem(Struct, frozen=True, eq=False):
    """``variables`` of the system, the redundant ones among them, and the system without those, ready for searches."""

    variables: frozenset[str]
    redundancy: Redundancy
    substitution: Substitution | None
    spaces: StateSpaces

    def expression(self, expression: Expression) -> Expression:
        """An expression over ``variables`` as one over the variables that are left."""
        return expression if self.substitution is None else self.substitution.of(expression)


class ReducedSearches(Struct, eq=False):
    """The reduced systems of one system, kept from property to property.

    ``properties`` are all that may be decided. If some are not invariants, they need the whole system encoded anyway:
    invariants with nearly the whole system as their cone are then left to searches of the whole. ``rewritten``: the
    system is not the one that was given, of which a search may be much harder.
    """

    system: FlatSystem
    options: SmvOptions
    properties: Sequence[Property]
    rewritten: bool = False
    _share: float | None = None
    _cones: Cones | None = None
    _known: list[_SmallerSystem] = field(default_factory=list)
    _made: int = 0
    _union: frozenset[str] | None = None
    _whole_is_irreducible: bool = False
    _outside: OutsideCones | None = None
    _whole: StateSpaces | None = None

    def decide(self, property: Property, invariant: Expression, progress: Progress) -> PropertyResult | None:
        """The result about the whole system; None where that needs a search of the whole, or nothing is reduced.

        Raises InputError and MemoryExhausted.
        """
        if not self._is_about_states(property) and not self.rewritten:
            return None
        results = []
        for conjunct in self._conjuncts(invariant):
            result = self._decided(property, conjunct, progress)
            if result is None:
                return None
            results.append(result)
        return results[0] if len(results) == 1 else together(results)

    def _decided(self, property: Property, invariant: Expression, progress: Progress) -> PropertyResult | None:
        """The result about one conjunct of the invariant of a property."""
        reduced = self._reduced(invariant, progress)
        if reduced is None:
            return None
        expression = reduced.expression(invariant)
        left = reduced.spaces.system
        if speaks_of_transitions(self.system, invariant) and not speaks_of_transitions(left, expression):
            # The reduced invariant could be violated by a state without a transition.
            return None
        as_invariant = replace(property, kind="INVARSPEC", expression=expression)
        result = invariants.decide(reduced.spaces, as_invariant, expression, self.options, progress)
        return self._about_the_whole(result, reduced, property, progress)

    def _conjuncts(self, invariant: Expression) -> list[Expression]:
        """The conjuncts of an invariant, if their cones are much smaller than its own; else the invariant."""
        operands = conjuncts(self.system.defines, invariant)
        if not 1 < len(operands) <= MOST_CONJUNCTS or any(operand.primed for operand in operands):
            return [invariant]
        cones = [self._cone(operand.expression) for operand in operands]
        whole = self._bits(frozenset().union(*cones))
        if whole <= FEW_BITS or max(map(self._bits, cones)) > MUCH_SMALLER * whole:
            return [invariant]
        return [operand.expression for operand in operands]

    def _cone(self, expression: Expression) -> frozenset[str]:
        if self._cones is None:
            self._cones = Cones(self.system)
        return self._cones.variables(expression)

    def _bits(self, names: frozenset[str]) -> int:
        return sum(bit_count(self.system.by_name[name].type) for name in names)

    def _is_about_states(self, property: Property) -> bool:
        """Whether a path to a violation violates the property, whatever follows on the path."""
        if property.kind == "INVARSPEC":
            return True
        return not (self.system.justice or self.system.compassion) and is_total(self.system)

    def _about_the_whole(
        self, result: PropertyResult, reduced: _SmallerSystem, property: Property, progress: Progress
    ) -> PropertyResult | None:
        statistics = {**result.statistics, **self._sizes(reduced)}
        if result.verdict is Verdict.HOLDS:
            certificate = result.certificate
            if isinstance(certificate, InductiveSet) and reduced.redundancy:
                certificate = lifted(certificate, self.system, reduced.redundancy)
            return replace(result, certificate=certificate, statistics=statistics)
        if result.verdict is Verdict.VIOLATED and not self._is_about_states(property):
            return None
        if result.trace is None:
            return result
        run = completed(self.system, result.trace, self.options.bdd)
        # The system that was given has constraints if it was rewritten: that a run of it goes on is then shown.
        if property.kind == "LTL" or (property.kind == "CTL" and self.rewritten and self.options.evidence):
            if self._whole is None:
                self._whole = StateSpaces(self.system, self.options, only_searches=True)
            lasso = self._whole.walked_on([step.state for step in run.steps], progress)
            if lasso is None:
                return None
            run = lasso
        return replace(result, trace=run, statistics=statistics)

    def _sizes(self, reduced: _SmallerSystem) -> dict[str, int]:
        left = reduced.spaces.system
        return {
            "variables": len(self.system.variables),
            "bits": sum(bit_count(variable.type) for variable in self.system.variables),
            "cone_variables": len(reduced.variables),
            "constant_variables": len(reduced.redundancy.constants),
            "equal_variables": len(reduced.redundancy.equal),
            "encoded_bits": sum(bit_count(variable.type) for variable in left.variables),
        }

    def _reduced(self, invariant: Expression, progress: Progress) -> _SmallerSystem | None:
        """An earlier reduced system that fits, or a new one; None if nothing is reduced."""
        cone = self._cone(invariant)
        assert self._cones is not None
        for earlier in self._known:
            if (
                cone <= earlier.variables
                and len(cone) >= _ABOUT_AS_LARGE * len(earlier.variables)
                and self._fits(earlier, invariant)
            ):
                return earlier
        if self._large(cone) and self._whole_is_irreducible:
            return None
        if len(self._known) >= _DISTINCT:
            cone = self._with_all_invariants(cone)
        if self._large(cone):
            cone = frozenset(self.system.by_name)
        smaller = self._reduce(self._cones.relations, cone, invariant, progress)
        if smaller is None:
            self._whole_is_irreducible = self._whole_is_irreducible or self._large(cone)
            return None
        if len(self._known) >= _KEPT:
            del self._known[0]
        self._known.append(smaller)
        self._made += 1
        return smaller

    def _large(self, cone: frozenset[str]) -> bool:
        if self._share is None:
            # A single property is the invariant that is being decided.
            others = len(self.properties) > 1 and any(
                searched_invariant(self.system, property_) is None for property_ in self.properties
            )
            self._share = LARGE_CONE if others else 1.0
        return len(cone) >= self._share * len(self.system.variables)

    def _fits(self, earlier: _SmallerSystem, invariant: Expression) -> bool:
        """Whether the reduced property reads only variables of the reduced system."""
        left = earlier.spaces
        return left.cone(earlier.expression(invariant), fairness=False) <= left.system.by_name.keys()

    def _with_all_invariants(self, cone: frozenset[str]) -> frozenset[str]:
        """The cone of all invariants together, if it is not much larger than this one; by how much, see _DISTINCT."""
        if self._union is None:
            assert self._cones is not None
            as_invariants = (invariant_of(self.system, property_) for property_ in self.properties)
            self._union = frozenset().union(
                *(self._cones.variables(invariant) for invariant in as_invariants if invariant is not None)
            )
        union = self._union | cone
        share = _ABOUT_AS_LARGE if self._made < _MANY else _HALF
        return union if len(cone) >= share * len(union) else cone

    def _reduce(
        self, relations: tuple[Dependency, ...], cone: frozenset[str], invariant: Expression, progress: Progress
    ) -> _SmallerSystem | None:
        if self._outside is None:
            self._outside = OutsideCones(self.system, self.options)
        if not self._outside.may_be_left_out(relations, cone):
            return None
        cut = confined(self.system, relations, cone)
        may_fail = self._outside.failures.possible
        redundant = Redundancy({}, {})
        if not any(may_fail(relation.origin) for relation in relations if relation.variables <= cone):
            redundant = redundancy(cut)
        progress(
            f"cut to {len(cone)} of {len(self.system.variables)} variables, "
            f"{len(redundant.constants)} constant, {len(redundant.equal)} equal to others"
        )
        if not redundant:
            return (
                None
                if len(cone) == len(self.system.variables)
                else _SmallerSystem(cone, redundant, None, self._spaces(cut, redundant))
            )
        substitution = Substitution(cut, redundant)
        left = substitution.system
        inner = Cones(left)
        needed = inner.variables(substitution.of(invariant))
        if len(needed) < len(left.variables) and not is_constrained_outside(inner.relations, needed):
            left = confined(left, inner.relations, needed)
        return _SmallerSystem(cone, redundant, substitution, self._spaces(left, redundant))

    def _spaces(self, system: FlatSystem, redundant: Redundancy) -> StateSpaces:
        """Not explored yet; in the order of the last reduced system, which was sifted, if that has most of the bits."""
        order = None
        if self._known and self.options.order_file is None:
            static = static_order(system)
            earlier = self._known[-1].spaces.order_now()
            if 2 * len(set(earlier) & set(static)) > len(static):
                order = in_order_of(earlier, static)
        outer = self._approximation(system, redundant)
        return StateSpaces(system, self.options, only_searches=True, order=order, outer=outer)

    def _approximation(self, system: FlatSystem, redundant: Redundancy) -> Approximation | None:
        """Reachable states and perhaps more, of the last reduced system that has one and is a part of this one.

        A part has fewer constraints on its variables, but what it leaves out as redundant is known here too.
        """
        for earlier in reversed(self._known):
            left_out = earlier.redundancy
            if (
                left_out.constants.items() <= redundant.constants.items()
                and left_out.equal.items() <= redundant.equal.items()
            ):
                approximation = earlier.spaces.approximation()
                if approximation is not None and approximation.variables <= system.by_name.keys():
                    return approximation
        return None

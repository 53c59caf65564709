"""Sets of states for groups of components that move together by interactions, at first for every two components.

A component has the variables with memory of one module instance; a variable of the main module is one by itself. An
interaction changes few components and reads few, its *scope*. What it makes of a group of components is the image of
the sets of all groups within the group and the scope, so no diagram is over more components than that. The sets of all
pairs say which places and data of two components go together, in any number of steps: a reply on its way has the value
that its server keeps.

Source: Bensalem, Bozga, Nguyen, Sifakis, "Compositional verification for component-based systems and application" (ATVA
2008), where invariants of interactions are clauses over places; here they are overlapping sets, as in ``partwise``, and
know data.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from msgspec import Struct

from symag.bdd.context import Bdd, memory_errors
from symag.core.limits import Progress
from symag.smv.facts.atoms import scope_of
from symag.smv.methods.partwise.fixpoints import LARGEST_SET
from symag.smv.methods.projected import after_start
from symag.smv.model.flat import VariableKind
from symag.smv.symbolic.interactions import Interaction, Interactions
from symag.smv.symbolic.relational_product import RelationalProduct
from symag.smv.symbolic.system import SymbolicSystem


class ComponentStep(Struct, frozen=True, eq=False):
    """The transitions of an interaction, over the current bits of the components in ``scope`` and next bits.

    ``changed`` are the components with variables that need not keep their values, ``following`` the next bits of these
    variables by component, ``before`` their current bits.
    """

    relation: Bdd
    scope: frozenset[int]
    changed: frozenset[int]
    following: Mapping[int, frozenset[str]]
    before: frozenset[str]


class Components(Struct, frozen=True, eq=False):
    """The components by number: their names, their bits, and what the interactions do.

    ``owners`` are the components of each variable: for one without memory those that its conditions read.
    """

    symbolic: SymbolicSystem
    interactions: Interactions
    names: tuple[str, ...]
    bits: tuple[frozenset[str], ...]
    owners: Mapping[str, frozenset[int]]
    steps: tuple[ComponentStep, ...]

    @classmethod
    def of(cls, symbolic: SymbolicSystem, interactions: Interactions) -> Components:
        """Those of a system. Costs a product for each interaction. Raises MemoryExhausted."""
        encoding = symbolic.encoding
        members: dict[str, list[str]] = {}
        for variable in (*interactions.memory, *encoding.names(VariableKind.FROZEN)):
            members.setdefault(scope_of(variable) or variable, []).append(variable)
        names = tuple(members)
        number_of = {variable: number for number, name in enumerate(names) for variable in members[name]}
        bits = tuple(frozenset(encoding.current_bits(members[name])) for name in names)
        owners = {variable: frozenset((number,)) for variable, number in number_of.items()}
        for conjunct in symbolic.invar:
            read = frozenset(number_of[variable] for variable in conjunct.current if variable in number_of)
            for variable in conjunct.current - number_of.keys():
                if variable not in owners or len(read) < len(owners[variable]):
                    owners[variable] = read
        steps = (_step(symbolic, interactions, interaction, number_of) for interaction in interactions.by_value)
        possible = tuple(step for step in steps if step.relation != symbolic.context.false)
        return cls(symbolic, interactions, names, bits, owners, possible)

    def components_of(self, bits: Iterable[str]) -> frozenset[int]:
        """The components that say something about bits; a variable that most components read says nothing."""
        encoding = self.symbolic.encoding
        owners = {self.owners.get(encoding.variable_of_bit[bit][0], frozenset()) for bit in bits}
        return frozenset().union(*(owner for owner in owners if 2 * len(owner) <= len(self.names)))


def _step(
    symbolic: SymbolicSystem, interactions: Interactions, interaction: Interaction, number_of: Mapping[str, int]
) -> ComponentStep:
    """The step of an interaction: of the conditions on a state those that are about this interaction, and the ports."""
    context, encoding = symbolic.context, symbolic.encoding
    hidden = frozenset(encoding.current_bits(interactions.memoryless))
    conjuncts = []
    for diagram in interaction.conjuncts:
        read, following_names = encoding.variables_in(diagram)
        # Of a component that only keeps its values, the domains of these are left.
        if following_names or not context.implies(encoding.all_valid(sorted(read)), diagram):
            conjuncts.append(diagram)
    rest: list[Bdd] = []
    usual = (*(conjunct.diagram for conjunct in symbolic.invar), *interactions.after_a_step)
    for diagram, condition in zip(interaction.possible, usual, strict=True):
        (rest if diagram == condition else conjuncts).append(diagram)
    ports = hidden.intersection(frozenset().union(*map(context.support, conjuncts)))
    while new := [diagram for diagram in rest if context.support(diagram) & ports]:
        conjuncts += new
        rest = [diagram for diagram in rest if diagram not in new]
        ports = hidden.intersection(frozenset().union(*map(context.support, conjuncts)))
    with memory_errors():
        relation = RelationalProduct.of(context, conjuncts, ports).apply(context.true)
    following: dict[int, frozenset[str]] = {}
    for name in interaction.changed:
        number = number_of[name]
        following[number] = following.get(number, frozenset()).union(encoding.next_bits((name,)))
    read, _ = encoding.variables_in(relation)
    return ComponentStep(
        relation,
        frozenset(following).union(number_of[name] for name in read),
        frozenset(following),
        following,
        frozenset(encoding.current_bits(interaction.changed)),
    )


@dataclass(slots=True, eq=False)
class GroupSets:
    """``sets[i]`` has the bits of every reachable state in the components of ``groups[i]``, and perhaps others.

    The sets are inductive together with ``first``. ``initial`` are the first states; ``begin`` has also the values with
    memory one step later, if other states have conditions that the first ones need not satisfy. ``given_up`` are groups
    whose sets became too large.
    """

    components: Components
    initial: Bdd
    begin: Bdd
    groups: list[frozenset[int]]
    sets: list[Bdd] = field(default_factory=list)
    given_up: set[int] = field(default_factory=set)

    @classmethod
    def of(cls, components: Components) -> GroupSets:
        """Every two components."""
        symbolic, interactions = components.symbolic, components.interactions
        numbers = range(len(components.names))
        begin = initial = symbolic.initial_states()
        if interactions.after_a_step:
            begin = initial | after_start(symbolic, interactions, initial)
        return cls(
            components, initial, begin, [frozenset(pair) for pair in combinations(numbers, min(2, len(numbers)))]
        )

    @property
    def first(self) -> list[tuple[Bdd, Bdd]]:
        """Conditions that hold in all states but the first ones, each with the set of the first states."""
        return [(condition, self.initial) for condition in self.components.interactions.after_a_step]

    def within(self, numbers: frozenset[int]) -> list[int]:
        """The groups of these components."""
        return [index for index, group in enumerate(self.groups) if group <= numbers]

    def within_one(self, numbers: frozenset[int]) -> bool:
        """Whether one group has all these components."""
        return any(numbers <= group for group in self.groups)

    def uses(self, index: int) -> frozenset[int]:
        """The groups whose sets the steps of a group need."""
        group = self.groups[index]
        scopes = {step.scope for step in self.components.steps if step.changed & group}
        return frozenset((index,)).union(*(self.within(scope | group) for scope in scopes))

    def grow(self, progress: Progress) -> None:
        """Let all sets grow from the first states until no interaction adds a state. Raises MemoryExhausted.

        One interaction after the other, and each only where a set that it reads has changed.
        """
        context = self.components.symbolic.context
        everything = context.support(self.begin)
        self.sets = [context.exists(everything - self.bits(group), self.begin) for group in self.groups]
        for index in self.given_up:
            self.sets[index] = context.true
        around = {
            (number, index): self.within(step.scope | group)
            for number, step in enumerate(self.components.steps)
            for index, group in enumerate(self.groups)
            if step.changed & group
        }
        changed_at = [1] * len(self.groups)
        asked_at = dict.fromkeys(around, 0)
        clock = 1
        grown = True
        while grown:
            grown = False
            for number, step in enumerate(self.components.steps):
                waiting = [
                    index
                    for index in range(len(self.groups))
                    if (number, index) in around
                    and index not in self.given_up
                    and max(changed_at[other] for other in around[number, index]) > asked_at[number, index]
                ]
                if not waiting:
                    continue
                start = clock
                progress(f"interaction {number} of {len(self.components.steps)}")
                possible = context.conjunction((step.relation, *(self.sets[i] for i in self.within(step.scope))))
                for index in waiting:
                    asked_at[number, index] = start
                    image = self._image(index, step, possible, around[number, index])
                    if context.implies(image, self.sets[index]):
                        continue
                    self.sets[index] = self.sets[index] | image
                    if context.size(self.sets[index]) > LARGEST_SET:
                        self.given_up.add(index)
                        self.sets[index] = context.true
                    clock += 1
                    changed_at[index], grown = clock, True

    def _image(self, index: int, step: ComponentStep, possible: Bdd, around: Sequence[int]) -> Bdd:
        """What a group becomes by an interaction whose scope is in the states ``possible``."""
        encoding = self.components.symbolic.encoding
        group = self.groups[index]
        outside = [self.sets[other] for other in around if not self.groups[other] <= step.scope]
        gone = self.bits((step.scope | group) - group).union(
            step.before, *(bits for number, bits in step.following.items() if number not in group)
        )
        with memory_errors():
            product = RelationalProduct.over_clusters(encoding.context, (possible, *outside), gone)
            return encoding.to_current(product.apply(encoding.context.true))

    def bits(self, numbers: Iterable[int]) -> frozenset[str]:
        """The current bits of components."""
        return frozenset().union(*(self.components.bits[number] for number in numbers))

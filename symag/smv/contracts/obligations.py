"""The small systems that contracts are checked on.

A part is the system with the assignments of its variables, and with the constraints that read them. The variables of
other parts that these read take any value at any instant. So every run of the whole system, projected to these
variables, is a run of the part.

The instants of a run are 0, 1, ..; a condition on a step counts at the instant at which the step ends. There are three
modes of one question, where A is the part's assumption and g a guarantee:

- *unconditional*: the part alone satisfies g at every instant.
- *delayed*: g is true as long as A was true at all earlier instants. By induction over time such parts may assume each
  other's guarantees in a circle.
- *immediate*: g is true at every instant of runs on which A is true up to this instant. A must then follow from
  guarantees that do not depend on this one at the same instant: the parts need an order.

Source: the circular rule of McMillan, "Circular compositional reasoning about liveness" (CHARME 1999), for invariants.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symag.core.values import replace
from symag.smv.contracts.contract import Contract, ContractCondition
from symag.smv.expression_reader import symbolic_constants
from symag.smv.model.dependencies import Dependency, confined, relations
from symag.smv.model.flat import Assignment, Constraint, FlatSystem, Property, Variable, VariableKind
from symag.smv.model.printer import flat_expression_text
from symag.smv.model.supports import Supports
from symag.smv.model.typed import BOOLEAN, FALSE, TRUE, Expression, VariableReference, conjunction, implication


class ProofObligations:
    """The questions that the contracts of one system pose, each a system with properties."""

    def __init__(self, system: FlatSystem) -> None:
        self._system = system
        self._supports = Supports(system)
        self._relations = relations(system, self._supports)

    def unconditional(self, contract: Contract, guarantees: Sequence[ContractCondition]) -> FlatSystem:
        """The part alone; the properties are some of its guarantees."""
        return _posed(self._part(contract), [item.expression for item in guarantees])

    def delayed(self, contract: Contract, guarantees: Sequence[ContractCondition]) -> FlatSystem:
        """The part, with a monitor that is true as long as its assumptions were true at all earlier instants.

        A second monitor says whether those on steps were true of the last step.
        """
        assumed, stepped = self._fresh("assumed"), self._fresh("stepped")
        on_states = [item.expression for item in contract.assumptions if not item.on_steps]
        on_steps = [item.expression for item in contract.assumptions if item.on_steps]
        watched = _with_monitor(self._part(contract), stepped, on_steps)
        watched = _with_monitor(watched, assumed, [_read(assumed), _read(stepped), *on_states])
        questions = [implication(_read(assumed, item.on_steps), item.expression) for item in guarantees]
        return _posed(watched, questions)

    def immediate(self, contract: Contract, guarantees: Sequence[ContractCondition]) -> FlatSystem:
        """The part on runs where its assumptions are true in every state."""
        part = _assuming(self._part(contract), contract.assumptions)
        return _posed(part, [item.expression for item in guarantees])

    def satisfiable(self, contract: Contract) -> FlatSystem:
        """A property that is violated if the part has an initial state under its assumptions."""
        part = _assuming(self._part(contract), contract.assumptions)
        return _posed(part, [FALSE])

    def consequence(self, premises: Iterable[ContractCondition], conclusion: Expression) -> FlatSystem:
        """Whether a condition is true in every state (or step) in which the premises are.

        Every valuation of the variables that satisfies the premises, INVAR and current assignments counts as a state.
        """
        known = tuple(premises)
        names = set(self._supports.of(conclusion).variables)
        for premise in known:
            names |= self._supports.of(premise.expression).variables
        fixed = [relation for relation in self._relations if relation.kind == "invar"]
        names = _closed(names, [relation for relation in fixed if relation.assigned is not None])
        # Constraints that read other variables too are left out.
        states = _assuming(confined(self._system, fixed, names), known)
        return _posed(states, [conclusion])

    def _fresh(self, name: str) -> str:
        constants = symbolic_constants(self._system)
        while name in self._system.by_name or name in self._system.defines or name in constants:
            name += "_"
        return name

    def _part(self, contract: Contract) -> FlatSystem:
        own = frozenset(contract.variables)
        mine = [relation for relation in self._relations if _belongs(relation, own)]
        names = set(own)
        for relation in mine:
            names |= relation.variables
        for item in (*contract.assumptions, *contract.guarantees):
            names |= self._supports.of(item.expression).variables
        return confined(self._system, mine, names)


def _posed(system: FlatSystem, questions: Sequence[Expression]) -> FlatSystem:
    """The system with an INVARSPEC for each question, without the DEFINEs of variables that it does not have."""
    properties = (
        Property(number, "INVARSPEC", None, flat_expression_text(question), 0, question)
        for number, question in enumerate(questions)
    )
    supports = Supports(system)
    names = system.by_name.keys()
    defines = {name: value for name, value in system.defines.items() if supports.of(value).variables <= names}
    declared = {name: where for name, where in system.declared.items() if name in defines}
    return replace(system, properties=tuple(properties), defines=defines, declared=declared)


def _belongs(relation: Dependency, own: frozenset[str]) -> bool:
    """Whether an assignment is of the part's variables, or a constraint reads one."""
    return relation.assigned in own if relation.assigned is not None else bool(relation.variables & own)


def _assuming(system: FlatSystem, conditions: Iterable[ContractCondition]) -> FlatSystem:
    known = tuple(conditions)
    return replace(
        system,
        invar=(*system.invar, *(Constraint(item.expression, 0) for item in known if not item.on_steps)),
        trans=(*system.trans, *(Constraint(item.expression, 0) for item in known if item.on_steps)),
    )


def _with_monitor(system: FlatSystem, name: str, conditions: Sequence[Expression]) -> FlatSystem:
    """The system with a variable that is TRUE at first, and then whether the conditions were true before."""
    return replace(
        system,
        variables=(*system.variables, Variable(name, BOOLEAN, VariableKind.STATE, 0)),
        assignments=(
            *system.assignments,
            Assignment(name, "init", TRUE, 0),
            Assignment(name, "next", conjunction(*conditions), 0),
        ),
    )


def _read(name: str, primed: bool = False) -> Expression:
    return VariableReference(name, primed, BOOLEAN, 0)


def _closed(names: set[str], assignments: Sequence[Dependency]) -> set[str]:
    """The names, and those that their assignments read at the same instant."""
    while True:
        further = {
            name
            for relation in assignments
            if relation.assigned in names
            for name in relation.variables
            if name not in names
        }
        if not further:
            return names
        names = names | further

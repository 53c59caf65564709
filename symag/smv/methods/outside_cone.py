"""Whether a search may leave out what is outside a cone of influence: the rest must always be able to go on."""

from __future__ import annotations

from collections.abc import Iterable

from symag.core.limits import MemoryExhausted
from symag.core.values import replace
from symag.smv.methods.options import SmvOptions
from symag.smv.model.dependencies import Dependency
from symag.smv.model.failures import Failures
from symag.smv.model.flat import FlatSystem
from symag.smv.symbolic.system import encode


class OutsideCones:
    """Answers for the cones of one system; an assignment that was shown not to fail is not encoded again."""

    def __init__(self, system: FlatSystem, options: SmvOptions) -> None:
        self.failures = Failures(system)
        self._system = system
        self._options = options
        self._shown: set[int] = set()

    def may_be_left_out(self, relations: tuple[Dependency, ...], cone: frozenset[str]) -> bool:
        """Whether the rest of the system can always go on, and no expression outside the cone fails to evaluate.

        ``relations`` are those of the system. Raises InputError for an expression that fails. Assignments that may
        fail are encoded alone to see whether they do; False if they are more than half of the relations, or if
        memory is exhausted.
        """
        if is_constrained_outside(relations, cone):
            return False
        outside = (r for r in relations if r.assigned is not None and r.assigned not in cone)
        doubtful = [r for r in outside if id(r.origin) not in self._shown and self.failures.possible(r.origin)]
        if 2 * len(doubtful) > len(relations):
            return False
        if doubtful:
            origins = {id(relation.origin) for relation in doubtful}
            names = frozenset().union(*(relation.variables for relation in doubtful))
            try:
                encode(self._alone(origins, names), memory=self._options.memory, engine=self._options.bdd)
            except MemoryExhausted:
                return False
            self._shown |= origins
        return True

    def _alone(self, origins: set[int], names: frozenset[str]) -> FlatSystem:
        """The system of these assignments, by identity, and these variables only."""
        return replace(
            self._system,
            variables=tuple(variable for variable in self._system.variables if variable.name in names),
            assignments=tuple(assignment for assignment in self._system.assignments if id(assignment) in origins),
            init=(),
            invar=(),
            trans=(),
            selector=None,
        )


def is_constrained_outside(relations: Iterable[Dependency], cone: frozenset[str]) -> bool:
    """Whether a constraint reads a variable outside the cone; then the rest may be unable to go on."""
    return any(relation.assigned is None and not relation.variables <= cone for relation in relations)

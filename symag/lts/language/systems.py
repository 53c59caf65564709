"""A composite process of FSP, ready to be composed: its components, and the operations on their composition."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec import Struct

from symag.core.values import replace
from symag.lts.composition import Composition, Priority, composed, labels_of
from symag.lts.determinisation import determinised, minimised, without_needless_tau
from symag.lts.lts import Lts, completed_with_error, hidden, new_labels, relabelled


class System(Struct, frozen=True, eq=False):
    """A composite process, ready to be composed: its components, and the operations on the composition."""

    name: str
    components: tuple[Lts, ...]
    priority: Priority | None
    hidden: frozenset[str] | None
    expose: bool
    kinds: frozenset[str]

    @property
    def is_plain(self) -> bool:
        """Whether there is no operation on the composition, so that it need not be made."""
        return self.hidden is None and self.priority is None and not self.kinds

    def product(self) -> Composition:
        """The composition before hiding and minimisation. Raises MemoryError."""
        return composed(self.components or (idle(self.name),), self.name, self.priority)

    def finished(self, product: Lts) -> Lts:
        """The product with labels hidden, then minimal or deterministic, or completed as a property.

        No transition is there twice.
        """
        result = product.each_once() if self.hidden is None else hidden(product, self.hidden, expose=self.expose)
        if "deterministic" in self.kinds or "property" in self.kinds:
            result = determinised(result)
            return completed_with_error(result) if "property" in self.kinds else result
        return minimised(without_needless_tau(result)) if "minimal" in self.kinds else result

    def compiled(self) -> Lts:
        """The system as a component of another one: composed and finished, no transition twice. Raises MemoryError."""
        whole = self.finished(self.product().lts)
        return Lts.of_arrays(
            whole.name,
            whole.alphabet,
            whole.states,
            whole.source,
            whole.action,
            whole.target,
            whole.end,
            whole.is_property,
        )


def plain(name: str, components: tuple[Lts, ...]) -> System:
    """Components without an operation on their composition."""
    return System(name, components, None, None, False, frozenset())


def idle(name: str) -> Lts:
    """The composition of no components, as in ``||C = (if 0 then P)``: nothing can happen."""
    return Lts.of(name, ("tau",), 1, ())


def each(item: Lts | System, change: Callable[[Lts], Lts]) -> Lts | System:
    """The item with every component changed."""
    if isinstance(item, Lts):
        return change(item)
    return replace(item, components=tuple(map(change, item.components)))


def relabelled_item(item: Lts | System, relabelling: Mapping[str, Sequence[str]]) -> Lts | System:
    """The item relabelled; a composite with labels that become equal is composed before that."""
    if isinstance(item, System):
        labels = [new for label in labels_of(item.components) for new in new_labels(label, relabelling)]
        if len(labels) != len(set(labels)) and len(item.components) > 1:
            item = item.compiled()
    return each(item, partial(relabelled, relabelling=relabelling))

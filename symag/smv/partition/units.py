"""What a partition keeps whole: words of a netlist, and instances of modules.

- The bits of a word (``FlatSystem.words``: latches or inputs ``x[0]``, ``x[1]``, .. by the names of the file or by
  symbol files beside it) stay in one part.
- An instance is what the full names of its variables begin with: ``fork.sent`` and ``fork.buffer.full`` belong to
  ``fork``. The largest instances that fit into a share of the weight stay whole; of a larger one the instances in it
  do, and its own variables and words go where they cost least.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from msgspec import Struct

from symag.smv.model.flat import FlatSystem

#: What a partitioner moves (bits are variables of ``symag.smv.model.bits``).
Grain = Literal["variable", "word", "instance"]

#: The same, and the bits of variables one by one.
FinestGrain = Literal["variable", "bit", "word", "instance"]


def moved(grain: FinestGrain) -> Grain:
    """What is moved once bits are variables."""
    return "variable" if grain == "bit" else grain


class Unit(Struct, frozen=True):
    """At least two variables that stay together: a ``word`` or an ``instance`` by its full name."""

    kind: Literal["word", "instance"]
    name: str
    variables: tuple[str, ...]


def units(system: FlatSystem, grain: Grain, largest: int, weightless: Collection[str] = ()) -> tuple[Unit, ...]:
    """The units of a system, disjoint; an instance has at most ``largest`` variables.

    ``weightless`` are wires, which are in no unit: a wire belongs where it is cheapest. Words have any size. Linear in
    the length of all names.
    """
    if grain == "variable":
        return ()
    names = [variable.name for variable in system.variables if variable.name not in weightless]
    known = set(names)
    words = []
    for word, bits in system.words.items():
        inside = tuple(bit for bit in bits if bit in known)
        if len(inside) > 1:
            words.append(Unit("word", word, inside))
    if grain == "word":
        return tuple(words)
    whole = instances(names, largest)
    covered = {name for unit in whole for name in unit.variables}
    return (*whole, *(word for word in words if covered.isdisjoint(word.variables)))


def instances(names: Sequence[str], largest: int) -> tuple[Unit, ...]:
    """The largest instances of at least two and at most ``largest`` of the variables."""
    members: dict[str, list[str]] = {}
    for name in names:
        for instance in enclosing(name):
            members.setdefault(instance, []).append(name)
    whole = []
    taken: set[str] = set()
    for instance in sorted(members, key=lambda text: (text.count("."), text)):
        inside = members[instance]
        if 1 < len(inside) <= largest and inside[0] not in taken:
            taken.update(inside)
            whole.append(Unit("instance", instance, tuple(inside)))
    return tuple(whole)


def enclosing(name: str) -> list[str]:
    """The instances that a full name lies in, the outermost first: ``a``, ``a.b`` of ``a.b.x``."""
    parts = name.split(".")
    return [".".join(parts[:length]) for length in range(1, len(parts))]

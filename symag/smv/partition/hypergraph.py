"""The dependency hypergraph of a flat system (paper, Section 3).

Vertices are groups of variables that must stay in one part. Each variable x has a hyperedge: the vertex of x,
which owns it, and the vertices that read x in Init, Invar or Trans, also through DEFINEs. If the hyperedge is cut,
x is an input or output (I/O) variable.

The paper's variables are boolean; an n-valued variable is encoded in ceil(log2 n) bits, which all stay in
one part. Costs (I/O, |X_i u IO_i|) are in bits; in the balance of the parts every variable weighs 1. The
hypergraph of the system over bits (``symag.smv.model.bits``) is one over bits.

Every relation has one owner, so that the conjunction of the parts is the original system:

- An assignment belongs to the part of its variable.
- A constraint or assignment over next values belongs to the part of the variables whose next values it
  reads. Those stay together (one vertex), because a part determines the next values of its own variables only.
- Any other constraint (INIT, INVAR, a TRANS without ``next``) may belong to any part that owns one of its
  variables. In the hypergraph the vertex of its first variable, in the system's order, reads for it; the
  partition then gives it to the part where it costs least.
- Input variables, also the selector of processes, and frozen variables are owned like state variables: free
  for their part, part of the letters for the others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from msgspec import Struct

from symag.core.grouping import group_of, united
from symag.smv.model.dependencies import Dependency, relations
from symag.smv.model.flat import FlatSystem
from symag.smv.model.types import bit_count


class Hyperedge(Struct, frozen=True):
    """A variable, its bits and its readers: ``pins`` are vertices in increasing order, one is the ``owner``."""

    variable: str
    bits: int
    owner: int
    pins: tuple[int, ...]


class Hypergraph(Struct, frozen=True, eq=False):
    """``vertices[v]`` are variables in the system's order, ``weights[v]`` is their weight in the balance and
    ``bits[v]`` their number of bits, both without the weightless ones.
    """

    system: FlatSystem
    vertices: tuple[tuple[str, ...], ...]
    weights: tuple[int, ...]
    bits: tuple[int, ...]
    edges: tuple[Hyperedge, ...]
    relations: tuple[Dependency, ...]
    weightless: frozenset[str]

    @property
    def weight(self) -> int:
        """The weight of all vertices."""
        return sum(self.weights)


def hypergraph(system: FlatSystem, weightless: Collection[str] = (), units: Iterable[Sequence[str]] = ()) -> Hypergraph:
    """The dependency hypergraph of the system, in time linear in its size.

    Variables in ``weightless`` add nothing to the weight and bits of their vertex; their hyperedges count. The
    variables of a unit are in one vertex.
    """
    position = {variable.name: index for index, variable in enumerate(system.variables)}
    all_relations = relations(system)
    together = (*units, *(relation.next_variables for relation in all_relations))
    vertices = tuple(map(tuple, united(position, together)))
    vertex_of = group_of(vertices)
    bits = {variable.name: bit_count(variable.type) for variable in system.variables}

    readers: dict[str, set[int]] = {name: {vertex_of[name]} for name in position}
    for relation in all_relations:
        anchor = _anchor(relation, position, vertex_of)
        if anchor is not None:
            for name in relation.variables:
                readers[name].add(anchor)
    return Hypergraph(
        system=system,
        vertices=vertices,
        weights=tuple(sum(name not in weightless for name in names) for names in vertices),
        bits=tuple(sum(bits[name] for name in names if name not in weightless) for names in vertices),
        edges=tuple(
            Hyperedge(name, bits[name], vertex_of[name], tuple(sorted(pins))) for name, pins in readers.items()
        ),
        relations=all_relations,
        weightless=frozenset(weightless),
    )


def owners(relation: Dependency) -> frozenset[str]:
    """The variables of which the owner of the relation must own at least one, or all if they are next variables."""
    if relation.next_variables:
        return relation.next_variables
    if relation.assigned is not None:
        return frozenset([relation.assigned])
    return relation.variables


def _anchor(relation: Dependency, position: dict[str, int], vertex_of: dict[str, int]) -> int | None:
    candidates = owners(relation)
    return vertex_of[min(candidates, key=position.__getitem__)] if candidates else None


#: What a partitioner moves (bits are variables of ``symag.smv.model.bits``).
Grain = Literal["variable", "word", "instance"]

#: The same, and the bits of variables one by one.
FinestGrain = Literal["variable", "bit", "word", "instance"]


def moved(grain: FinestGrain) -> Grain:
    """What is moved once bits are variables."""
    return "variable" if grain == "bit" else grain


class Unit(Struct, frozen=True):
    """At least two variables that stay together: a ``word`` or an ``instance`` by its full name.

    A word (``FlatSystem.words``) is latches or inputs ``x[0]``, ``x[1]``, .. by the names of the file or by symbol
    files beside it. An instance is what the full names of its variables begin with: ``fork.sent`` and
    ``fork.buffer.full`` belong to ``fork``. The largest instances that fit into a share of the weight stay whole; of a
    larger one the instances in it do, and its own variables and words go where they cost least.
    """

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

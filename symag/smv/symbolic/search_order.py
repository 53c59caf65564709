"""Static orders of the bits for breadth-first searches, which start before anything is sifted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from symag.smv.model.dependencies import relations
from symag.smv.model.flat import FlatSystem
from symag.smv.model.types import RangeType, WordType, bit_count
from symag.smv.symbolic.choices import interaction_variable
from symag.smv.symbolic.order import INTERLEAVED_BITS, event_order, force, side_by_side, spread, static_order

#: Systems with more variables, or whose assignments read more variables together, stay as declared; so do those where
#: FORCE leaves more than this share of the distances.
_MOST_GATHERED, _MOST_READ, _MUCH_SHORTER = 300, 5_000, 0.7

#: And those with more than this share of their bits in numbers whose bits are interleaved. With 0.1 hs12 forward takes
#: 1.0 s instead of 0.3; without any such numbers tcas of NuSMV's suite forward 2.9 instead of 2.1.
_FEW = 0.08


def search_order(system: FlatSystem) -> tuple[tuple[str, int], ...] | None:
    """The variables of each assignment and constraint near each other, by FORCE; or, where declarations are about as
    good, data below control.

    None, for :func:`static_order`, with processes, events or interactions, and for large systems, as the order then
    costs more than it saves. Numbers of INTERLEAVED_BITS or more bits keep their bits interleaved, without FORCE unless
    they are few. Linear in the system and in the rounds of FORCE; for data cubic in the variables, by machine words.
    """
    names = [variable.name for variable in system.variables]
    if (
        system.selector is not None
        or len(names) > _MOST_GATHERED
        or event_order(system) is not None
        or interaction_variable(system) is not None
    ):
        return None
    reads = [relation for relation in relations(system) if relation.kind != "init"]
    edges = [sorted(relation.variables) for relation in reads if len(relation.variables) > 1]
    if sum(map(len, edges)) > _MOST_READ:
        return None
    if _share_of_numbers(system) <= _FEW:
        gathered = force(names, edges)
        spans = [spread({name: rank for rank, name in enumerate(order)}, edges) for order in (gathered, names)]
        if spans[0] <= _MUCH_SHORTER * spans[1]:
            return side_by_side(system, gathered)
    data = _data(names, [(relation.assigned, relation.variables) for relation in reads])
    return tuple(sorted(static_order(system), key=lambda bit: bit[0] in data)) if data else None


def _share_of_numbers(system: FlatSystem) -> float:
    """The share of the bits that belong to numbers of INTERLEAVED_BITS or more bits."""
    numbers = [
        bit_count(variable.type) for variable in system.variables if isinstance(variable.type, RangeType | WordType)
    ]
    wide = sum(bits for bits in numbers if bits >= INTERLEAVED_BITS)
    return wide / max(1, sum(bit_count(variable.type) for variable in system.variables))


def _data(names: Sequence[str], reads: Sequence[tuple[str | None, frozenset[str]]]) -> frozenset[str]:
    """The variables that read, perhaps through others, a cycle of at least half of all variables that does not read
    them; none without such a cycle.

    Sets of states relate data by equations that depend on the control: they are small in each case of it. ``reads`` are
    the assigned variables (None: all) with those that are read.
    """
    place = {name: 1 << number for number, name in enumerate(names)}
    closure = dict.fromkeys(names, 0)
    for assigned, read in reads:
        mask = sum(place[name] for name in read)
        for name in read if assigned is None else (assigned,):
            closure[name] |= mask
    for middle in names:  # Warshall (1962)
        through = closure[middle]
        for name in names:
            if closure[name] & place[middle]:
                closure[name] |= through
    # Variables of one cycle read the same ones, themselves among them.
    cycles = Counter(read for name, read in closure.items() if read & place[name])
    control, size = cycles.most_common(1)[0] if cycles else (0, 0)
    if 2 * size < len(names):
        return frozenset()
    return frozenset(name for name, read in closure.items() if not control & place[name] and read & control == control)

"""A BDD variable order for questions about a certificate's diagrams."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symag.smv.certificates.diagrams import DiagramTable
from symag.smv.certify.circuits.bit_blasting import Encoder
from symag.smv.certify.circuits.constraints import ConstraintReads


def bit_order(
    encoder: Encoder, table: DiagramTable, selected: Sequence[ConstraintReads], names: Iterable[str]
) -> list[tuple[str, int]]:
    """The table's bits in the order of its diagrams, in which those are small, with the other bits among them.

    A variable that the table does not mention stands at the mean position of the variables that constraints mention
    with it, which are placed first by constraints with the table's own variables. Variables without such constraints
    come last.
    """
    places: dict[str, float] = {}
    listed = table.order()
    for index, (name, _) in enumerate(listed):
        places.setdefault(name, float(index))
    missing = [name for name in names if name not in places]
    groups = [sorted(item.current | item.following) for item in selected]
    joined: dict[str, list[int]] = {name: [] for name in missing}
    for number, group in enumerate(groups):
        for name in group:
            if name in joined:
                joined[name].append(number)
    waiting = missing
    while waiting:
        position_of = {}
        for name in waiting:
            near = [
                sum(near_places) / len(near_places)
                for number in joined[name]
                if (near_places := [places[other] for other in groups[number] if other in places])
            ]
            if near:
                position_of[name] = sum(near) / len(near)
        places.update(position_of or dict.fromkeys(waiting, float(len(table.bits))))
        waiting = [name for name in waiting if name not in places]
    keyed = [(float(index), -1, name, bit) for index, (name, bit) in enumerate(listed)]
    # Variables at the same position alternate bit by bit: BDDs of words that are copied or compared stay small then.
    keyed += [(places[name], bit, name, bit) for name in missing for bit in range(len(encoder.bits(name, False)))]
    return [(name, bit) for _, _, name, bit in sorted(keyed)]

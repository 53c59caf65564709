"""NuSMV's variable order files (``.ord``): each line has a variable or a bit, from the top.

NuSMV numbers the bits of a word as symag does. For other types its bit n - 1 - k is symag's bit k: the parity of
the value's index is NuSMV's highest bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from symag.core.errors import InputError
from symag.core.files import write_file
from symag.core.input_files import content_of_file
from symag.smv.model.flat import FlatSystem, Variable
from symag.smv.model.types import BooleanType, WordType, bit_count
from symag.smv.symbolic.encoding import Encoding
from symag.smv.symbolic.order import bits_from_top, static_order


def chosen_order(system: FlatSystem, order_file: str | None) -> tuple[tuple[str, int], ...] | None:
    """The order of a file; without a file None, which means the static order to ``encode``.

    Raises InputError if the file cannot be read.
    """
    return None if order_file is None else complete_order(system, _text(order_file))


def order_warnings(system: FlatSystem, order_file: str) -> tuple[str, ...]:
    """At most one warning, of the names in a file that the whole system does not have.

    Raises InputError for a file that cannot be read, or that has names and none of the system's.
    """
    names = list(_names(_text(order_file)))
    unknown = [(line, name) for line, name in names if not _bits_named(system, name)]
    if not unknown:
        return ()
    line, name = unknown[0]
    if len(unknown) == len(names):
        raise InputError(f"this orders no variable of the model; it begins with {name[:40]!r}", order_file)
    others = f", nor {len(unknown) - 1} more of these names" if len(unknown) > 1 else ""
    return (f"{order_file}:{line}: the model has no variable or bit {name[:40]!r}{others}",)


def _text(order_file: str) -> str:
    # A search that begins with an order may leave a better one there.
    return content_of_file(order_file, may_be_replaced=True).decode(errors="replace")


def complete_order(system: FlatSystem, text: str) -> tuple[tuple[str, int], ...]:
    """The order of an ``.ord`` text: names that the system does not have are skipped, as are repetitions;
    variables and bits that the text does not name follow in the static order, as with ``NuSMV -i``.
    """
    listed: dict[tuple[str, int], None] = {}
    for _, name in _names(text):
        for bit in _bits_named(system, name):
            listed.setdefault(bit)
    for bit in static_order(system):
        listed.setdefault(bit)
    return tuple(listed)


def _names(text: str) -> Iterator[tuple[int, str]]:
    """The names with their lines."""
    names = ((number, line.split("--")[0].strip()) for number, line in enumerate(text.splitlines(), start=1))
    return (named for named in names if named[1])


def _bits_named(system: FlatSystem, name: str) -> list[tuple[str, int]]:
    variable = system.by_name.get(name)
    if variable is not None:
        return [(name, index) for index in bits_from_top(variable.type)]
    owner, _, number = name.rpartition(".")
    variable = system.by_name.get(owner)
    if variable is None or not number.isdecimal() or int(number) >= bit_count(variable.type):
        return []
    return [(owner, _other_numbering(variable, int(number)))]


def _other_numbering(variable: Variable, index: int) -> int:
    """NuSMV's number of a bit from symag's, and the other way round."""
    return index if isinstance(variable.type, WordType) else bit_count(variable.type) - 1 - index


def present_order(encoding: Encoding) -> list[tuple[str, int]]:
    """The context's order of the encoding's current bits; the context may have others, of a tableau."""
    owners = (encoding.variable_of_bit.get(bit) for bit in encoding.context.order())
    return [owner[:2] for owner in owners if owner is not None and not owner[2]]


def order_text(system: FlatSystem, order: Iterable[tuple[str, int]]) -> str:
    """An order of the bits as an ``.ord`` file."""
    lines = []
    for name, index in order:
        variable = system.by_name[name]
        boolean = isinstance(variable.type, BooleanType)
        lines.append(name if boolean else f"{name}.{_other_numbering(variable, index)}")
    return "".join(f"{line}\n" for line in lines)


def write_order_file(system: FlatSystem, order: Iterable[tuple[str, int]], path: str) -> None:
    """Write an order of the bits. Raises UsageError if the file cannot be written."""
    write_file(path, order_text(system, order))

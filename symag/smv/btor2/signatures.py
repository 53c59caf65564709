"""The sorts of operands and values of BTOR2's operators, by which each line is checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from symag.smv.btor2.format import Array, BitVector, Sort

_ONE_BIT = BitVector(1)


class Signature(Struct, frozen=True):
    """The sort of a line's value, if it has one, the sorts of its operands, and its numbers."""

    result: Sort | None
    operands: tuple[Sort, ...]
    numbers: tuple[int, ...]


#: The error in a line's sorts; None if there is none.
Check = Callable[[Signature], str | None]

_ALIKE = "not inc dec neg and nand nor or xnor xor add mul sub sdiv udiv smod srem urem rol ror sll sra srl".split()
_REDUCING = "redand redor redxor".split()
_COMPARING = (
    "sgt ugt sgte ugte slt ult slte ulte saddo uaddo sdivo smulo umulo ssubo usubo".split()
)  # two bit-vectors of one width, to one bit
_LOGICAL = "iff implies".split()
_JUDGING = "bad constraint fair justice".split()

#: How many operands each keyword has (a justice line has its own number).
ARITY: Mapping[str, int] = {
    **dict.fromkeys("input state const constd consth zero one ones justice".split(), 0),
    **dict.fromkeys("not inc dec neg redand redor redxor slice uext sext".split(), 1),
    **dict.fromkeys("bad constraint fair output".split(), 1),
    **dict.fromkeys((*_ALIKE[4:], *_COMPARING, *_LOGICAL), 2),
    **dict.fromkeys("eq neq concat read init next".split(), 2),
    **dict.fromkeys("ite write".split(), 3),
}
#: The keywords that a sort's number follows.
SORTED = frozenset(ARITY) - {*_JUDGING, "output"}


def signature_of(tag: str) -> Check:
    """The check of the sorts of a line with this keyword."""
    return _CHECKS[tag]


def _vectors(expected: Signature, given: Signature) -> str | None:
    """Compares sorts; only bit-vectors are expected."""
    for number, (needed, present) in enumerate(zip(expected.operands, given.operands, strict=True), start=1):
        if needed != present:
            return f"operand {number} must be of sort {needed}, not {present}"
    if expected.result != given.result:
        return f"the value is of sort {expected.result}, not {given.result}"
    return None


def _widths(given: Signature) -> list[int] | str:
    """The widths of the operands, or that one of them is an array."""
    widths = []
    for number, sort in enumerate(given.operands, start=1):
        if not isinstance(sort, BitVector):
            return f"operand {number} must be a bitvec, not an {sort}"
        widths.append(sort.width)
    return widths


def _of_widths(result: Callable[[list[int], tuple[int, ...]], int | str]) -> Check:
    """Bit-vectors of any widths; ``result`` gives the value's width, or what is wrong."""

    def check(given: Signature) -> str | None:
        widths = _widths(given)
        if isinstance(widths, str):
            return widths
        width = result(widths, given.numbers)
        if isinstance(width, str):
            return width
        return _vectors(Signature(BitVector(width), given.operands, ()), given)

    return check


def _alike(given: Signature) -> str | None:
    if not isinstance(given.result, BitVector):
        return f"the value is a bitvec, not an {given.result}"
    return _vectors(Signature(given.result, (given.result,) * len(given.operands), ()), given)


def _comparing(given: Signature) -> str | None:
    widths = _widths(given)
    if isinstance(widths, str):
        return widths
    return _vectors(Signature(_ONE_BIT, (given.operands[0],) * len(widths), ()), given)


def _equality(given: Signature) -> str | None:
    return _vectors(Signature(_ONE_BIT, (given.operands[0], given.operands[0]), ()), given)


def _bits(given: Signature) -> str | None:
    result = None if given.result is None else _ONE_BIT
    return _vectors(Signature(result, (_ONE_BIT,) * len(given.operands), ()), given)


def _slice(widths: list[int], numbers: tuple[int, ...]) -> int | str:
    high, low = numbers
    if not low <= high < widths[0]:
        return f"there are no bits {high} to {low} of {widths[0]} bits"
    return high - low + 1


def _choice(given: Signature) -> str | None:
    assert given.result is not None
    return _vectors(Signature(given.result, (_ONE_BIT, given.result, given.result), ()), given)


def _read(given: Signature) -> str | None:
    memory = given.operands[0]
    if not isinstance(memory, Array):
        return f"operand 1 must be an array, not {memory}"
    return _vectors(Signature(BitVector(memory.element), (memory, BitVector(memory.index)), ()), given)


def _write(given: Signature) -> str | None:
    memory = given.operands[0]
    if not isinstance(memory, Array):
        return f"operand 1 must be an array, not {memory}"
    return _vectors(Signature(memory, (memory, BitVector(memory.index), BitVector(memory.element)), ()), given)


def _next(given: Signature) -> str | None:
    assert given.result is not None
    return _vectors(Signature(given.result, (given.result, given.result), ()), given)


def _init(given: Signature) -> str | None:
    """As next; but an array may be given the value of all of its elements."""
    memory, value = given.operands
    if isinstance(memory, Array) and isinstance(value, BitVector):
        return _vectors(Signature(memory, (memory, BitVector(memory.element)), ()), given)
    return _next(given)


def _output(given: Signature) -> str | None:
    return None if isinstance(given.operands[0], BitVector) else "outputs of an array sort are not supported"


def _leaf(given: Signature) -> str | None:
    return None


_CHECKS: Mapping[str, Check] = {
    **dict.fromkeys("input state const constd consth zero one ones".split(), _leaf),
    **dict.fromkeys(_ALIKE, _alike),
    **dict.fromkeys(_REDUCING, _of_widths(lambda widths, _: 1)),
    **dict.fromkeys(_COMPARING, _comparing),
    **dict.fromkeys(_LOGICAL, _bits),
    **dict.fromkeys(_JUDGING, _bits),
    **dict.fromkeys(("eq", "neq"), _equality),
    **dict.fromkeys(("uext", "sext"), _of_widths(lambda widths, numbers: widths[0] + numbers[0])),
    "concat": _of_widths(lambda widths, _: sum(widths)),
    "slice": _of_widths(_slice),
    "ite": _choice,
    "read": _read,
    "write": _write,
    "init": _init,
    "next": _next,
    "output": _output,
}

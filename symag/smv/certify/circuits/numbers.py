"""Integers and words as vectors of signals.

A number is a vector in two's complement, least significant bit first; its last bit is the sign. Results are wide enough
not to overflow. A word is its bit pattern, least significant bit first; its arithmetic is that of numbers, cut to its
width.
"""

from __future__ import annotations

from collections.abc import Sequence

from symag.smv.certify.circuits.circuit import FALSE, TRUE, Circuit

Bits = tuple[int, ...]


def constant_number(value: int) -> Bits:
    """The shortest vector of a number."""
    return constant_word(value, value.bit_length() + 1)


def constant_word(value: int, width: int) -> Bits:
    """The pattern of a number in the given width."""
    return tuple(TRUE if value >> index & 1 else FALSE for index in range(width))


def extended(number: Bits, width: int) -> Bits:
    """The same number in exactly ``width`` bits: sign-extended, or cut off if it is longer."""
    return number[:width] + (number[-1],) * (width - len(number))


def trimmed(number: Bits) -> Bits:
    """The number without repeated sign bits."""
    length = len(number)
    while length > 1 and number[length - 1] == number[length - 2]:
        length -= 1
    return number[:length]


def word_number(bits: Bits, signed: bool) -> Bits:
    """The number that a word stands for."""
    return bits if signed else (*bits, FALSE)


def choice(circuit: Circuit, condition: int, a: Bits, b: Bits) -> Bits:
    """Number a where the condition is true, b elsewhere (for words: of equal width)."""
    width = max(len(a), len(b))
    pairs = zip(extended(a, width), extended(b, width), strict=True)
    return tuple(circuit.choice(condition, one, other) for one, other in pairs)


def equal(circuit: Circuit, a: Bits, b: Bits) -> int:
    """Whether two numbers are equal."""
    width = max(len(a), len(b))
    pairs = zip(extended(a, width), extended(b, width), strict=True)
    return circuit.all(circuit.equal(one, other) for one, other in pairs)


def add(circuit: Circuit, a: Bits, b: Bits) -> Bits:
    """The sum."""
    return trimmed(_sum(circuit, a, b, FALSE, max(len(a), len(b)) + 1))


def subtract(circuit: Circuit, a: Bits, b: Bits) -> Bits:
    """The difference."""
    return trimmed(_sum(circuit, a, tuple(-bit for bit in b), TRUE, max(len(a), len(b)) + 1))


def negate(circuit: Circuit, a: Bits) -> Bits:
    """The number with the other sign."""
    return subtract(circuit, (FALSE,), a)


def absolute(circuit: Circuit, a: Bits) -> Bits:
    """The magnitude."""
    return trimmed(choice(circuit, a[-1], negate(circuit, a), a))


def less(circuit: Circuit, a: Bits, b: Bits) -> int:
    """Whether a < b."""
    return subtract(circuit, a, b)[-1]


def multiply(circuit: Circuit, a: Bits, b: Bits) -> Bits:
    """The product."""
    width = len(a) + len(b)
    wide, factor = extended(a, width), extended(b, width)
    total: Bits = (FALSE,) * width
    for index, bit in enumerate(factor):
        row = (FALSE,) * index + tuple(circuit.conjunction(bit, shifted) for shifted in wide[: width - index])
        total = _sum(circuit, total, row, FALSE, width)
    return trimmed(total)


def divide(circuit: Circuit, a: Bits, b: Bits) -> tuple[Bits, Bits]:
    """Quotient and remainder, truncated towards zero; without meaning where b is zero."""
    dividend, divisor = absolute(circuit, a), absolute(circuit, b)
    quotient: list[int] = []
    rest: Bits = (FALSE,)
    for bit in reversed(dividend):  # long division from the highest bit
        rest = trimmed((bit, *rest))
        reduced = subtract(circuit, rest, divisor)
        fits = -reduced[-1]
        rest = trimmed(choice(circuit, fits, reduced, rest)[: len(divisor) + 1])
        quotient.append(fits)
    positive = (*reversed(quotient), FALSE)
    signed = choice(circuit, circuit.exclusive(a[-1], b[-1]), negate(circuit, positive), positive)
    return trimmed(signed), trimmed(choice(circuit, a[-1], negate(circuit, rest), rest))


def count(circuit: Circuit, signals: Sequence[int]) -> Bits:
    """How many signals are true."""
    sums: list[Bits] = [(signal, FALSE) for signal in signals] or [(FALSE,)]
    while len(sums) > 1:
        paired = [add(circuit, a, b) for a, b in zip(sums[::2], sums[1::2], strict=False)]
        sums = paired + sums[len(sums) // 2 * 2 :]
    return sums[0]


def shift_left(circuit: Circuit, word: Bits, amount: Bits) -> Bits:
    """The word moved to higher bits by an amount from 0 to its width; other amounts have no meaning."""
    for index, bit in enumerate(amount[:-1]):
        step = min(1 << index, len(word))
        moved = (FALSE,) * step + word[: len(word) - step]
        word = choice(circuit, bit, moved, word)
    return word


def shift_right(circuit: Circuit, word: Bits, amount: Bits, filler: int) -> Bits:
    """The word moved to lower bits by an amount from 0 to its width; the high bits become ``filler``."""
    for index, bit in enumerate(amount[:-1]):
        step = min(1 << index, len(word))
        moved = word[step:] + (filler,) * step
        word = choice(circuit, bit, moved, word)
    return word


def _sum(circuit: Circuit, a: Bits, b: Bits, carry: int, width: int) -> Bits:
    result = []
    for one, other in zip(extended(a, width), extended(b, width), strict=True):
        half = circuit.exclusive(one, other)
        result.append(circuit.exclusive(half, carry))
        carry = circuit.choice(half, carry, one)
    return tuple(result)

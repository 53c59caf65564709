"""Arrays as tuples of elements, and reads and writes at addresses that are values."""

from __future__ import annotations

from symag.smv.btor2 import words
from symag.smv.btor2.words import conjunction, equality, width_of
from symag.smv.model.typed import Expression

#: The elements, by their addresses from 0.
Memory = tuple[Expression, ...]


def read(memory: Memory, address: Expression) -> Expression:
    """The element at an address: a tree of choices, one level for each bit of the address."""
    number = words.known(address)
    if number is not None:
        return memory[number]
    level = list(memory)
    for index in range(width_of(address)):
        bit = words.bit(address, index)
        level = [words.choice(bit, high, low) for low, high in zip(level[::2], level[1::2], strict=True)]
    return level[0]


def write(memory: Memory, address: Expression, value: Expression) -> Memory:
    """The memory with another element at an address."""
    width = width_of(address)
    return tuple(
        words.choice(equality(address, words.constant(number, width)), value, element)
        for number, element in enumerate(memory)
    )


def choice(condition: Expression, one: Memory, other: Memory) -> Memory:
    """One where the condition is true, else the other."""
    return tuple(words.choice(condition, left, right) for left, right in zip(one, other, strict=True))


def same(one: Memory, other: Memory) -> Expression:
    """Whether all elements are equal."""
    return conjunction(*(equality(left, right) for left, right in zip(one, other, strict=True)))

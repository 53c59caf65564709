"""What every BDD context has to do, as tests that each implementation inherits.

Functions of three bits are all there, as truth tables: the number with bit v set where valuation v satisfies
the function. Equality of diagrams is equality of functions, so an operation is right if it gives the diagram
that was built from the table of its result.
"""

from __future__ import annotations

import itertools
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property

import pytest

from symag.bdd.context import Bdd, BddContext, memory_errors
from symag.core.limits import MemoryExhausted

NAMES = ("x", "y", "z")
FULL = 0xFF
#: The tables of the three bits: bit k of valuation v is the value of NAMES[k].
BITS = tuple(sum(1 << v for v in range(8) if v >> k & 1) for k in range(3))


def fixed(table: int, index: int, value: bool) -> int:
    """The table of a function with one of its bits fixed."""
    return sum(1 << v for v in range(8) if table >> (v & ~(1 << index) | value << index) & 1)


def without(table: int, indices: Sequence[int]) -> int:
    """The table of a function with bits quantified away existentially."""
    for index in indices:
        table = fixed(table, index, False) | fixed(table, index, True)
    return table


def reads(table: int) -> frozenset[str]:
    return frozenset(name for k, name in enumerate(NAMES) if fixed(table, k, False) != fixed(table, k, True))


SUBSETS = [[k for k in range(3) if chosen >> k & 1] for chosen in range(8)]


class Functions:
    """A context with all functions of three bits, by their tables."""

    def __init__(self, context: BddContext, names: Sequence[str] = NAMES) -> None:
        self.context = context
        self.names = names
        context.declare([name] for name in names)
        minterms = [context.cube({name: bool(v >> k & 1) for k, name in enumerate(names)}) for v in range(8)]
        self.of = [context.disjunction(minterms[v] for v in range(8) if table >> v & 1) for table in range(256)]

    def chosen(self, indices: Sequence[int]) -> frozenset[str]:
        return frozenset(self.names[k] for k in indices)


class ContextContract(ABC):
    """Inherited by the tests of each implementation."""

    #: Whether ``memory`` bounds the tables.
    bounded = True
    #: Of the pairs of functions every so many are tried; 1 is all.
    stride = 1

    @abstractmethod
    def make(self, memory: int | None = None) -> BddContext:
        """An empty context."""

    @cached_property
    def functions(self) -> Functions:
        return Functions(self.make())

    def test_constants_and_bits(self) -> None:
        context, of = self.functions.context, self.functions.of
        assert (context.false, context.true) == (of[0], of[FULL])
        assert [context.bit(name) for name in NAMES] == [of[table] for table in BITS]
        assert (context.constant(False), context.constant(True)) == (of[0], of[FULL])
        assert len(set(of)) == 256
        assert context.cube({}) == context.true
        with pytest.raises((KeyError, ValueError)):
            context.bit("nowhere")

    def test_operations_of_one_and_two(self) -> None:
        context, of = self.functions.context, self.functions.of
        for left in range(256):
            f = of[left]
            assert ~f == of[FULL ^ left]
            for right in range(left % self.stride, 256, self.stride):
                g = of[right]
                assert f & g == of[left & right]
                assert f | g == of[left | right]
                assert context.xor(f, g) == of[left ^ right]
                assert context.xnor(f, g) == of[FULL ^ left ^ right]
                assert context.implies(f, g) is (left & ~right == 0)

    def test_if_then_else(self) -> None:
        context, of = self.functions.context, self.functions.of
        # All of two bits, and a sample of three.
        small = [table for table in range(256) if not reads(table) - {"x", "y"}]
        triples = [*itertools.product(small, repeat=3)]
        generator = random.Random(1)
        triples += [tuple(generator.choices(range(256), k=3)) for _ in range(3000)]
        for f, g, h in triples:
            assert context.ite(of[f], of[g], of[h]) == of[f & g | ~f & h & FULL]

    def test_conjunction_and_disjunction_of_many(self) -> None:
        context, of = self.functions.context, self.functions.of
        assert context.conjunction([]) == context.true
        assert context.disjunction([]) == context.false
        assert context.conjunction(of[BITS[k]] for k in range(3)) == of[0x80]
        assert context.disjunction(of[BITS[k]] for k in range(3)) == of[0xFE]

    def test_quantification(self) -> None:
        context, of = self.functions.context, self.functions.of
        for table in range(256):
            for indices in SUBSETS:
                names = self.functions.chosen(indices)
                assert context.exists(names, of[table]) == of[without(table, indices)]
                assert context.exists(sorted(names), of[table]) == of[without(table, indices)]

    def test_and_exists(self) -> None:
        context, of = self.functions.context, self.functions.of
        generator = random.Random(2)
        pairs = [(f, g) for f in range(0, 256, 5 * self.stride) for g in range(0, 256, 3)]
        pairs += [(generator.randrange(256), generator.randrange(256)) for _ in range(1000 // self.stride)]
        for f, g in pairs:
            for indices in SUBSETS:
                names = self.functions.chosen(indices)
                assert context.and_exists(of[f], of[g], names) == of[without(f & g, indices)]

    def test_restriction_agrees_on_the_care_set(self) -> None:
        context, of = self.functions.context, self.functions.of
        for table in range(256):
            for care in range(1 + table % self.stride, 256, self.stride):
                found = context.restrict(of[table], of[care])
                assert found & of[care] == of[table & care]
                assert context.support(found) <= context.support(of[table])

    def test_cofactors(self) -> None:
        context, of = self.functions.context, self.functions.of
        for values in itertools.product((None, False, True), repeat=3):
            given = {NAMES[k]: value for k, value in enumerate(values) if value is not None}
            for table in range(256):
                expected = table
                for k, value in enumerate(values):
                    expected = expected if value is None else fixed(expected, k, value)
                assert context.cofactor(of[table], given) == of[expected]

    def test_renaming_puts_all_in_place_at_once(self) -> None:
        context, of = self.functions.context, self.functions.of
        assert context.rename(of[0x17], context.renaming({})) == of[0x17]
        generator = random.Random(3)
        swaps = [{NAMES[k]: BITS[order[k]] for k in range(3)} for order in itertools.permutations(range(3))]
        others = [{name: generator.randrange(256) for name in NAMES[: 1 + n % 3]} for n in range(20)]
        for by in (*swaps, *others):
            tables = [by.get(name, BITS[k]) for k, name in enumerate(NAMES)]
            renaming = context.renaming({name: of[table] for name, table in by.items()})
            for table in range(256):
                codes = [sum((tables[k] >> v & 1) << k for k in range(3)) for v in range(8)]
                expected = sum(1 << v for v in range(8) if table >> codes[v] & 1)
                assert context.rename(of[table], renaming) == of[expected]

    def test_support_size_and_decisions(self) -> None:
        context, of = self.functions.context, self.functions.of
        for table in range(256):
            assert context.support(of[table]) == reads(table)
            found = context.decision(of[table])
            if not reads(table):
                assert found is None
                assert context.size(of[table]) <= 1
                continue
            name, low, high = found
            k = NAMES.index(name)
            assert name == min(reads(table), key=context.order().index)
            assert (low, high) == (of[fixed(table, k, False)], of[fixed(table, k, True)])
            assert len(reads(table)) < context.size(of[table]) <= 8

    def test_valuations(self) -> None:
        context, of = self.functions.context, self.functions.of
        with pytest.raises(ValueError, match="empty"):
            context.pick(context.false)
        with pytest.raises(ValueError, match="other bits"):
            list(context.valuations(of[BITS[0]], ["y"]))
        for table in range(256):
            expected = [v for v in range(8) if table >> v & 1]
            all_of_them = list(context.valuations(of[table], NAMES))
            assert sorted(_number(each) for each in all_of_them) == expected
            order = [name for name in context.order() if name in NAMES]
            assert all_of_them == sorted(all_of_them, key=lambda each: [each[name] for name in order])
            if table:
                assert _number(context.pick(of[table])) in expected

    def test_bits_are_in_the_order_of_their_declaration(self) -> None:
        context = self.make()
        context.declare([("a", "a'"), ("b",)])
        context.declare([("c", "c'"), ("b",)])
        assert context.order() == ("a", "a'", "b", "c", "c'")

    def test_a_new_order_keeps_every_function_and_the_groups(self) -> None:
        context = self.make()
        count = 9
        context.declare((f"a{k}", f"a{k}'") for k in range(count))
        context.declare((f"b{k}", f"b{k}'") for k in range(count))
        equal = context.conjunction(context.xnor(context.bit(f"a{k}"), context.bit(f"b{k}")) for k in range(count))
        before = context.size(equal)
        to_next = context.renaming({f"{x}{k}": context.bit(f"{x}{k}'") for x in "ab" for k in range(count)})
        following = context.rename(equal, to_next)
        context.reorder([equal])
        assert context.size(equal) < before // 10
        order = context.order()
        assert sorted(order) == sorted(f"{x}{k}{p}" for x in "ab" for k in range(count) for p in ("", "'"))
        pairs = [(order.index(f"{x}{k}"), order.index(f"{x}{k}'")) for x in "ab" for k in range(count)]
        assert all(abs(now - then) == 1 for now, then in pairs)
        again = context.conjunction(context.xnor(context.bit(f"a{k}"), context.bit(f"b{k}")) for k in range(count))
        assert again == equal
        assert context.rename(equal, to_next) == following
        context.reorder_automatically(True)
        context.reorder_automatically(False)
        context.reorder_large_tables(1)
        context.reorder_when_it_pays([equal, following])
        context.reorder_if_large(1_000_000)
        assert context.exists({f"a{k}" for k in range(count)}, equal) == context.true

    def test_counts_of_nodes(self) -> None:
        context = self.make()
        context.declare([f"x{k}"] for k in range(20))
        kept = context.conjunction(context.bit(f"x{k}") for k in range(20))
        assert context.size(kept) == 21
        assert 20 <= context.nodes() <= context.peak_nodes()

    def test_random_functions_of_eight_bits(self) -> None:
        context = self.make()
        names = [f"v{k}" for k in range(8)]
        context.declare([name] for name in names)
        everything = (1 << 256) - 1
        tables = [sum(1 << v for v in range(256) if v >> k & 1) for k in range(8)]
        known: list[tuple[int, Bdd]] = [(table, context.bit(name)) for table, name in zip(tables, names, strict=True)]
        generator = random.Random(4)
        operations: list[tuple[Callable[[Bdd, Bdd], Bdd], Callable[[int, int], int]]] = [
            (lambda f, g: f & g, lambda f, g: f & g),
            (lambda f, g: f | g, lambda f, g: f | g),
            (context.xor, lambda f, g: f ^ g),
            (lambda f, g: ~context.xnor(f, g), lambda f, g: f ^ g),
            (lambda f, g: context.ite(f, ~g, g), lambda f, g: f ^ g),
        ]
        for step in range(600 // self.stride):
            (f, first), (g, second) = generator.choices(known, k=2)
            diagram, table = generator.choice(operations)
            k = generator.randrange(8)
            made, expected = diagram(first, second), table(f, g)
            if step % 3 == 0:
                low = _cofactor(expected, k, False)
                high = _cofactor(expected, k, True)
                made, expected = context.exists([names[k]], made), low | high
            known.append((expected & everything, made))
            if step % 200 == 99:
                context.reorder(diagram for _, diagram in known[-5:])
        seen: dict[int, Bdd] = {}
        for expected, made in known:
            assert seen.setdefault(expected, made) == made
            count = sum(1 for _ in context.valuations(made, names))
            assert count == expected.bit_count()
        assert len(set(seen.values())) == len(seen) > 20

    @pytest.mark.parametrize("memory", [10**6, 10**20])
    def test_a_limit_beyond_the_memory_of_the_machine(self, memory: int) -> None:
        context = self.make(memory)
        context.declare([["a"]])
        assert context.xnor(context.bit("a"), context.bit("a")) == context.true

    def test_a_full_table_is_one_exception_and_the_context_lives_on(self) -> None:
        if not self.bounded:
            pytest.skip("this implementation has no limit")
        context = self.make(48)
        count = 40
        context.declare([f"a{k}"] for k in range(count))
        context.declare([f"b{k}"] for k in range(count))
        pairs = [context.xnor(context.bit(f"a{k}"), context.bit(f"b{k}")) for k in range(count)]
        with pytest.raises(MemoryExhausted), memory_errors():
            context.conjunction(pairs)
        context.drop_dead_nodes()
        assert context.exists(["a0"], pairs[0]) == context.true
        small = context.conjunction(pairs[:8])
        assert sum(1 for _ in context.valuations(small, [f"{x}{k}" for x in "ab" for k in range(8)])) == 256


def _number(values: dict[str, bool]) -> int:
    return sum(values[name] << k for k, name in enumerate(NAMES) if name in values)


def _cofactor(table: int, k: int, value: bool) -> int:
    """The same as ``fixed`` for functions of eight bits."""
    half = sum(1 << v for v in range(256) if (v >> k & 1) == value)
    kept = table & half
    return kept | (kept >> (1 << k) if value else kept << (1 << k))

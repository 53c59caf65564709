"""Arrays over words, ``READ``, ``WRITE`` and ``CONSTARRAY``, against brute force over lists of numbers."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symag.core.errors import InputError
from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.certify.runs.replay import replay
from symag.smv.methods import bmc, monolithic
from symag.smv.methods.options import SmvOptions

Memory = tuple[int, ...]
#: A text, and its value in a state: the array and the index.
Words = tuple[str, Callable[[Memory, int], int]]
Arrays = tuple[str, Callable[[Memory, int], Memory]]


class RandomModel:
    """An array ``a`` with an index ``i`` that moves freely; ``a`` is written and read at random places."""

    def __init__(self, seed: int, index: int, element: int, form: str) -> None:
        self.random = random.Random(seed)
        self.index, self.element = index, element
        initial = self.random.randrange(1 << element)
        self.start: Memory = (initial,) * (1 << index)
        after, self.step = self.array(3)
        truth, self.holds = self.property()
        value = "w" if form == "define" else after
        assigned = f"ASSIGN next(a) := {value};" if form != "trans" else f"TRANS next(a) = {value}"
        first = f"CONSTARRAY(typeof(a), {self.number(initial)})"
        self.text = "\n".join(
            [
                "MODULE main",
                f"VAR a : array word[{index}] of unsigned word[{element}]; i : word[{index}];",
                f"DEFINE w := {after};" if form == "define" else "",
                f"INIT a = {first}" if form == "trans" else f"ASSIGN init(a) := {first};",
                assigned,
                f"INVARSPEC {truth}",
            ]
        )

    def number(self, value: int) -> str:
        return f"0ud{self.element}_{value}"

    def place(self, depth: int) -> Words:
        """An index: ``i``, a constant, or another index shifted by a constant."""
        chosen = self.random.randrange(1 << self.index)
        constant = f"0ud{self.index}_{chosen}"
        last = (1 << self.index) - 1
        return self.random.choice(
            [
                ("i", lambda a, i: i),
                (constant, lambda a, i: chosen),
                (f"i + {constant}", lambda a, i: i + chosen & last),
            ]
        )

    def word(self, depth: int) -> Words:
        """An element of an array, a constant, or a sum."""
        kind = self.random.choice(["constant", "read", "sum"] if depth else ["constant"])
        if kind == "constant":
            chosen = self.random.randrange(1 << self.element)
            return self.number(chosen), lambda a, i: chosen
        if kind == "read":
            (memory, elements), (place, at) = self.array(depth - 1), self.place(depth)
            return f"READ({memory}, {place})", lambda a, i: elements(a, i)[at(a, i)]
        (one, first), (other, second) = self.word(depth - 1), self.word(depth - 1)
        last = (1 << self.element) - 1
        return f"({one} + {other})", lambda a, i: first(a, i) + second(a, i) & last

    def array(self, depth: int) -> Arrays:
        """``a``, an array that was written, one that is constant, or a choice of two."""
        kind = self.random.choice(["a", "write", "write", "constant", "case"] if depth else ["a"])
        if kind == "a":
            return "a", lambda a, i: a
        if kind == "constant":
            text, value = self.word(depth - 1)
            return f"CONSTARRAY(typeof(a), {text})", lambda a, i: (value(a, i),) * len(a)
        memory, elements = self.array(depth - 1)
        if kind == "write":
            (place, at), (text, value) = self.place(depth), self.word(depth - 1)

            def written(a: Memory, i: int) -> Memory:
                before, here = elements(a, i), at(a, i)
                return (*before[:here], value(a, i), *before[here + 1 :])

            return f"WRITE({memory}, {place}, {text})", written
        (other, second), (one, left), (two, right) = self.array(depth - 1), self.word(depth - 1), self.word(depth - 1)
        condition = f"{one} = {two}"
        return (
            f"case {condition} : {memory}; TRUE : {other}; esac",
            lambda a, i: elements(a, i) if left(a, i) == right(a, i) else second(a, i),
        )

    def property(self) -> tuple[str, Callable[[Memory, int], bool]]:
        (one, left), (two, right) = self.word(2), self.word(2)
        if self.random.random() < 0.3:
            memory, elements = self.array(2)
            return f"{memory} != CONSTARRAY(typeof(a), {one})", lambda a, i: any(
                x != left(a, i) for x in elements(a, i)
            )
        return f"{one} <= {two}", lambda a, i: left(a, i) <= right(a, i)

    def distance(self) -> int | None:
        """Steps to the first bad state; None if none is reachable."""
        indices = range(1 << self.index)
        seen, ring = {self.start}, [self.start]
        for steps in itertools.count():
            if any(not self.holds(memory, i) for memory in ring for i in indices):
                return steps
            ring = list({self.step(memory, i) for memory in ring for i in indices} - seen)
            seen.update(ring)
            if not ring:
                return None
        raise AssertionError


@given(st.integers(0, 2**32), st.integers(1, 2), st.integers(1, 2), st.sampled_from(["assign", "trans", "define"]))
def test_models_with_arrays_over_words_agree_with_brute_force(seed, index, element, form):
    model = RandomModel(seed, index, element, form)
    steps = model.distance()
    system = read_text(model.text)
    (checked,) = system.properties
    for method in (monolithic, bmc):
        result = method.decide(system, checked, SmvOptions(bound=8), no_progress)
        if steps is None:
            assert result.verdict is (Verdict.HOLDS if method is monolithic else Verdict.UNKNOWN), model.text
        elif method is monolithic or steps <= 8:
            assert (result.verdict, len(result.trace.steps)) == (Verdict.VIOLATED, steps + 1), model.text
            replay(system, checked, result.trace)


@pytest.mark.parametrize("bounds", ["word[2]", "0..3"])
def test_nusmv_builds_no_model_with_an_array_over_words(bounds):
    text = f"MODULE main\nVAR b : boolean;\n  m : array {bounds} of array word[1] of boolean;\nINVARSPEC m[3][1] | b\n"
    system = read_text(text)
    assert system.warnings == ("line 3: an array over words; NuSMV builds no model with one",)
    assert [variable.name for variable in system.variables][1:3] == ["m[0][0]", "m[0][1]"]


HEAD = "MODULE main\nVAR a : array word[2] of word[3]; i : word[2]; j : word[3]; n : 0..3; c : array 0..2 of word[3];\n"

W = "unsigned word"
A = f"array 0..3 of {W}[3]"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("INVARSPEC READ(a, j) = j", f"3:11: illegal operand types of 'READ': {A} and {W}[3]"),
        ("INVARSPEC READ(a, n) = j", f"3:11: illegal operand types of 'READ': {A} and integer"),
        ("INVARSPEC READ(c, i) = j", f"3:11: illegal operand types of 'READ': array 0..2 of {W}[3] and {W}[2]"),
        ("INVARSPEC READ(j, i) = j", f"3:11: illegal operand types of 'READ': {W}[3] and {W}[2]"),
        ("INIT a = WRITE(a, i, i)", f"3:10: illegal operand types of 'WRITE': {A} and {W}[2]"),
        ("INIT a = CONSTARRAY(typeof(a), n)", f"3:10: illegal operand types of 'CONSTARRAY': {A} and integer"),
        ("INIT a = CONSTARRAY(typeof(j), j)", f"3:28: expected an array in 'typeof', not {W}[3]"),
        ("INIT a = CONSTARRAY(a, j)", "3:21: unexpected 'a', expected 'typeof'"),
        ("INIT a = CONSTARRAY(array word[2] of word[3], j)", "3:21: unexpected 'array', expected 'typeof'"),
        ("INIT a = CONSTARRAY(typeof(a) = a, j)", "3:31: 'CONSTARRAY' takes the type of an array: 'typeof(x)'"),
        ("VAR d: array word[2] of real;", "3:25: 'real' variables are not supported: symag supports finite types only"),
        ("INIT a = typeof(a)", "3:10: 'typeof' stands only in 'CONSTARRAY(typeof(...), ...)'"),
        ("INIT a = READ(a)", "3:10: 'READ' takes 2 arguments, not 1"),
        ("ASSIGN next(a) := j;", f"3:8: illegal operand types of ':=': {A} and {W}[3]"),
        ("ASSIGN next(a) := c;", f"3:8: illegal operand types of ':=': {A} and array 0..2 of {W}[3]"),
        ("ASSIGN next(a) := a; next(a[1]) := j;", "3:22: next(a[1]) is assigned twice"),
        ("VAR d : array of boolean;", "3:9: unbounded arrays are not supported: symag supports finite types only"),
        ("VAR d : array integer of int;", "3:9: unbounded arrays are not supported: symag supports finite types only"),
        ("VAR d : array word[40] of boolean;", "3:9: an array with more than 1,000,000 elements"),
        ("VAR d : array word[0] of boolean;", "3:20: word width 0 is out of range 1..65536"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_one_line(line, message):
    with pytest.raises(InputError) as caught:
        read_text(HEAD + line + "\n", "m.smv")
    assert str(caught.value) == f"m.smv:{message}"

"""Every operator, on all values of small widths: what the interpreter says, what the circuits and diagrams say."""

from __future__ import annotations

import itertools

import pytest

from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.smv.certify import accept
from symag.smv.certify.runs.interpreter import Program
from symag.smv.methods import monolithic
from symag.smv.methods.options import SmvOptions
from tests.btor2.oracle import Oracle
from tests.btor2.strategies import ALIKE, COMPARING, LOGICAL, REDUCING, UNARY, system_of

WIDTHS = (1, 2, 3)


def model(tag, width, amount=None):
    """One operator on inputs a and b, its value named r."""
    result = 1 if tag in (*COMPARING, *REDUCING, *LOGICAL) else 2 * width if tag == "concat" else width
    lines = ["1 sort bitvec 1", f"2 sort bitvec {width}", f"3 sort bitvec {result}", "4 input 2 a", "5 input 2 b"]
    operands = "4" if tag in (*UNARY, *REDUCING) else "4 5"
    if amount is not None:
        lines.append(f"6 constd 2 {amount}")
        operands = "4 6"
    return "\n".join([*lines, f"7 {tag} 3 {operands} r", "8 input 3 c", "9 neq 1 7 8", "10 neq 1 7 8", "11 bad 9"])


CASES = [
    (tag, width)
    for tag in (*UNARY, *REDUCING, *ALIKE, *COMPARING, "concat", *LOGICAL)
    for width in (WIDTHS if tag not in LOGICAL else (1,))
]


@pytest.mark.parametrize(("tag", "width"), CASES)
def test_an_operator_is_what_it_is_on_numbers(tag, width):
    constants = range(1 << width) if tag in ("sll", "srl", "sra", "rol", "ror") else ()
    for text in (model(tag, width), *(model(tag, width, amount) for amount in constants)):
        system, oracle = system_of(text), Oracle(text)
        program = Program(system, [system.defines["r"]])
        for a, b in itertools.product(range(1 << width), repeat=2):
            values = {"a": bool(a) if width == 1 else a, "b": bool(b) if width == 1 else b}
            (found,) = program.run(values)
            assert int(found) == oracle.evaluate(7, {4: a, 5: b}), (tag, width, a, b)


@pytest.mark.parametrize("tag", [*UNARY, *REDUCING, *ALIKE, *COMPARING, "concat"])
def test_diagrams_and_circuits_know_the_operator_too(tag):
    """A table of the operator, made by the oracle, is equal to it: so say a search with diagrams and a SAT solver."""
    width = 3
    text = model(tag, width)
    oracle = Oracle(text)
    result = oracle.lines[7][1]
    lines = [*text.splitlines()[:6], f"8 sort bitvec {2 * width}", "9 concat 8 4 5", "10 zero 3"]
    number, before = 10, 10
    for a, b in itertools.product(range(1 << width), repeat=2):
        value = oracle.evaluate(7, {4: a, 5: b})
        lines += [f"{number + 1} constd 8 {a << width | b}", f"{number + 2} eq 1 9 {number + 1}"]
        lines += [f"{number + 3} const 3 {value:0{result}b}", f"{number + 4} ite 3 {number + 2} {number + 3} {before}"]
        number = before = number + 4
    lines += [f"{number + 1} neq 1 7 {before}", f"{number + 2} bad {number + 1}", f"{number + 3} bad {-number - 1}"]
    system = system_of("\n".join(line for line in lines if line))
    same, different = system.properties
    holds = monolithic.decide(system, same, SmvOptions(), no_progress)
    assert holds.verdict is Verdict.HOLDS
    assert accept(system, same, holds, None).certified
    assert monolithic.decide(system, different, SmvOptions(), no_progress).verdict is Verdict.VIOLATED

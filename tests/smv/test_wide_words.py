"""Words wider than NuSMV's: any width, with a warning that NuSMV refuses them."""

from __future__ import annotations

import time

import pytest

from symag.core.errors import InputError
from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.methods import monolithic
from symag.smv.methods.options import SmvOptions

ROTATION = """MODULE main
VAR x : unsigned word[101];
ASSIGN init(x) := 0ud101_1; next(x) := x[99:0] :: x[100:100];
INVARSPEC x != 0h101_2000
INVARSPEC count(bool(x[0:0]), bool(x[100:100])) < 2
"""


def test_a_word_of_101_bits_is_decided():
    system = read_text(ROTATION)
    first, second = (monolithic.decide(system, one, SmvOptions(), no_progress) for one in system.properties)
    assert (first.verdict, second.verdict) == (Verdict.VIOLATED, Verdict.HOLDS)
    assert [step.state["x"] for step in first.trace.steps] == [1 << place for place in range(14)]


WIDE = [
    ("VAR x : unsigned word[65];", 65),
    ("VAR x : array 0..1 of signed word[70];", 70),
    ("DEFINE d := 0ud66_1;", 66),
    ("DEFINE d := extend(0ud8_1, 60);", 68),
    ("DEFINE d := uwconst(1, 80);", 80),
]


@pytest.mark.parametrize(("text", "bits"), WIDE)
def test_what_nusmv_refuses_is_warned_of_once(text, bits):
    assert read_text(f"MODULE main\n{text}\n").warnings == (
        f"line 2: a word of {bits} bits; NuSMV's words have at most 64",
    )


@pytest.mark.parametrize("text", ["VAR x : unsigned word[64];", "VAR x : word[40]; y : word[40]; DEFINE d := x :: y;"])
def test_what_nusmv_reads_is_not_warned_of(text):
    assert read_text(f"MODULE main\n{text}\n").warnings == ()


@pytest.mark.parametrize(("number", "value"), [(1, -1), (2, 0), (2**31 - 1, -1)])
def test_a_signed_word_of_one_bit_takes_the_lowest_bit_of_a_number(number, value):
    """NuSMV 2.6 answers so; hw-cbmc writes ``swconst(1, 1)``."""
    system = read_text(f"MODULE main\nVAR b : boolean;\nINVARSPEC toint(swconst({number}, 1)) = {value}\n")
    assert monolithic.decide(system, system.properties[0], SmvOptions(), no_progress).verdict is Verdict.HOLDS
    (warning,) = system.warnings
    assert warning == f"line 3: swconst({number}, 1) is {value}: one signed bit is 0 or -1"


@pytest.mark.parametrize("constant", ["swconst(-2, 1)", "uwconst(2, 1)", "swconst(2, 2)"])
def test_other_numbers_that_do_not_fit_are_refused(constant):
    with pytest.raises(InputError, match="does not fit into a word"):
        read_text(f"MODULE main\nDEFINE d := {constant};\n")


@pytest.mark.parametrize("constant", ["swconst(-1, 1)", "swconst(0, 1)"])
def test_numbers_that_fit_are_not_warned_of(constant):
    assert read_text(f"MODULE main\nDEFINE d := {constant};\n").warnings == ()


def test_a_width_of_ten_million_is_refused():
    with pytest.raises(InputError, match=r"2:23: word width 10000000 is out of range 1\.\.65536"):
        read_text("MODULE main\nVAR x : unsigned word[10000000];\n", "m.smv")


#: A shift by a variable amount; a sum; a comparison of two words. Each has 2,501 bits.
LARGE = """MODULE main
VAR x : unsigned word[2501]; y : unsigned word[12]; z : unsigned word[2501];
ASSIGN
  init(x) := 0ud2501_1; next(x) := y < 0ud12_2501 ? 0ud2501_1 << y : x;
  init(y) := 0ud12_0; next(y) := y + 0ud12_1;
  init(z) := 0ud2501_0; next(z) := z + 0ud2501_1;
INVARSPEC x[2500:2499] != 0ub2_11
INVARSPEC z < 0ud2501_5
"""


@pytest.mark.long
def test_words_of_2501_bits_are_decided_in_seconds():
    system = read_text(LARGE)
    started = time.process_time()
    backward, forward = system.properties
    holds = monolithic.decide(system, backward, SmvOptions(direction="backward"), no_progress)
    violated = monolithic.decide(system, forward, SmvOptions(), no_progress)
    assert (holds.verdict, violated.verdict) == (Verdict.HOLDS, Verdict.VIOLATED)
    assert len(violated.trace.steps) == 6
    assert time.process_time() - started < 60  # it was hours

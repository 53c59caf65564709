"""Reading BTOR2: names, what each line means, and every way to be wrong in one line with its column."""

from __future__ import annotations

import subprocess
import sys

import pytest

from symag.core.errors import InputError
from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.smv.btor2 import read
from symag.smv.methods import monolithic
from symag.smv.methods.options import SmvOptions

COUNTER = """; a counter with a reset
1 sort bitvec 1
2 sort bitvec 4
3 input 1 reset
4 zero 2
5 state 2 top.value ; where it is in the Verilog
6 init 2 5 4
7 inc 2 5
8 ite 2 3 4 7
9 next 2 5 8
10 constd 2 -3
11 eq 1 5 10
12 uext 1 11 0 full
13 bad 11 never.full
14 output 5 out
15 state 2 next
"""


def _read(tmp_path, text):
    path = tmp_path / "model.btor2"
    path.write_text(text)
    return read(path)


def test_words_and_wires_keep_their_names(tmp_path):
    system = _read(tmp_path, COUNTER)
    assert {v.name: (v.kind.value, str(v.type)) for v in system.variables} == {
        "reset": ("IVAR", "BooleanType()"),
        "top.value": ("VAR", "WordType(width=4, signed=False)"),
        "next_": ("VAR", "WordType(width=4, signed=False)"),
    }
    assert set(system.defines) == {"full", "out"}
    (checked,) = system.properties
    assert (checked.kind, checked.name, checked.text, checked.line) == ("INVARSPEC", "never_full", "!full", 14)
    result = monolithic.decide(system, checked, SmvOptions(), no_progress)
    assert result.verdict is Verdict.VIOLATED
    assert [step.state["top.value"] for step in result.trace.steps] == list(range(14))


def test_a_memory_is_one_variable_an_element(tmp_path):
    text = "1 sort bitvec 2\n2 sort bitvec 8\n3 sort array 1 2\n4 state 3 mem\n5 zero 2\n6 init 3 4 5\n"
    system = _read(tmp_path, text)
    assert [variable.name for variable in system.variables] == ["mem[0]", "mem[1]", "mem[2]", "mem[3]"]
    assert len(system.assignments) == 4
    assert system.warnings == (f"{tmp_path}/model.btor2 has no bad and no justice line: there is nothing to decide",)


def test_names_never_meet(tmp_path):
    text = "1 sort bitvec 1\n2 sort array 1 1\n3 state 1 m[1]\n4 state 2 m\n5 state 1 m[1]\n6 input 1 m_2\n"
    names = [variable.name for variable in _read(tmp_path, text).variables]
    assert len(set(names)) == len(names) == 5
    assert {"m[1]", "m_2"} <= set(names)


HEAD = "1 sort bitvec 1\n2 sort bitvec 4\n3 input 2 x\n4 state 1 s\n5 sort array 2 2\n6 state 5 m\n"
WRONG = [
    ("", "1:1: expected lines such as '1 sort bitvec 8', found nothing"),
    ("; nothing\n\n", "1:1: expected lines such as '1 sort bitvec 8', found nothing"),
    ("1 sort bitvec 10000000\n", "1:15: a width of 10000000 is not supported: at most 65536"),
    ("1 sort bitvec 0\n", "1:15: expected a width of at least 1, found 0"),
    ("1 sort float 8\n", "1:8: expected bitvec or array, found 'float'"),
    ("1 sort bitvec 40\n2 sort array 1 1\n", "2:1: an array of 2**40 elements is not supported: at most 2**16"),
    (HEAD + "7 sort array 5 1\n", "7:14: arrays whose addresses are arrays are not supported"),
    (HEAD + "7 not 9 3\n", "7:7: no line above is sort 9"),
    (HEAD + "7 not 3 3\n", "7:7: 3 is a node, not a sort"),
    (HEAD + "7 not 2 7\n", "7:9: node 7 reads itself"),
    (HEAD + "7 and 2 3 8\n8 and 2 3 7\n", "7:11: node 8 is defined on no line above"),
    (HEAD + "7 not 2 1\n", "7:9: node 1 is a sort, not a node"),
    (HEAD + "7 not 1 3\n", "7:1: not: operand 1 must be of sort bitvec 1, not bitvec 4"),
    (HEAD + "7 next 1 4 3\n", "7:1: next: operand 2 must be of sort bitvec 1, not bitvec 4"),
    (HEAD + "7 next 2 3 3\n", "7:1: next: node 3 is not a state"),
    (HEAD + "7 next 1 4 4\n8 next 1 4 4\n", "8:1: next: state 4 has one already"),
    (HEAD + "7 state 2\n8 init 2 7 3\n", "8:1: init: the value must not depend on an input, and 3 reads 3"),
    (HEAD + "7 not 1 4\n8 init 1 4 7\n", "8:1: init: the value may read states above 4 only, and 7 reads 4"),
    (HEAD + "7 read 1 6 3\n", "7:1: read: the value is of sort bitvec 4, not bitvec 1"),
    (HEAD + "7 read 2 3 3\n", "7:1: read: operand 1 must be an array, not bitvec 4"),
    (HEAD + "7 write 5 -6 3 3\n", "7:11: node 6 is an array, which has no negation"),
    (HEAD + "7 slice 1 3 4 4\n", "7:1: slice: there are no bits 4 to 4 of 4 bits"),
    (HEAD + "7 uext 2 3 1\n", "7:1: uext: the value is of sort bitvec 5, not bitvec 4"),
    (HEAD + "7 concat 2 3 4\n", "7:1: concat: the value is of sort bitvec 5, not bitvec 4"),
    (HEAD + "7 const 2 10\n", "7:11: const: expected 4 binary digits, found 2"),
    (HEAD + "7 const 2 1012\n", "7:11: const: expected binary digits, found '1012'"),
    (HEAD + "7 constd 2 16\n", "7:12: constd: 16 does not fit into 4 bits"),
    (HEAD + "7 constd 2 -9\n", "7:12: constd: -9 does not fit into 4 bits"),
    (HEAD + "7 constd 2 " + "9" * 5000 + "\n", "7:12: constd: " + "9" * 40 + " does not fit into 4 bits"),
    (HEAD + "7 frob 2 3\n", "7:3: 'frob' is not a keyword of BTOR2"),
    (HEAD + "7 bad 3\n", "7:1: bad: operand 1 must be of sort bitvec 1, not bitvec 4"),
    (HEAD + "7 bad 4\n8 not 1 7\n", "8:9: 7 (bad) has no value that another line can read"),
    (HEAD + "7 and 2 3\n", "7:10: the line ends where a node's number was expected"),
    (HEAD + "7 bad 4 one two\n", "7:13: expected the end of the line, found 'two'"),
    (HEAD + "7\n", "7:2: the line ends where a keyword such as sort, state or and was expected"),
    (HEAD + "6 not 2 3\n", "7:1: line number 6 does not follow 6: expected rising numbers"),
    (HEAD + "x not 2 3\n", "7:1: expected a line's number, found 'x'"),
    (HEAD + "7 justice 2 4\n", "7:14: the line ends where a node's number was expected"),
    (HEAD + "7 eq 1 3 4\n", "7:1: eq: operand 2 must be of sort bitvec 4, not bitvec 1"),
    (HEAD + "7 add 5 6 6\n", "7:1: add: the value is a bitvec, not an array of bitvec 4 with addresses of bitvec 4"),
    (HEAD + "7 output 6\n", "7:1: output: outputs of an array sort are not supported"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_what_is_wrong_is_one_line(tmp_path, text, message):
    with pytest.raises(InputError) as caught:
        _read(tmp_path, text)
    assert str(caught.value) == f"{tmp_path}/model.btor2:{message}"


def test_all_arrays_together_have_a_limit(tmp_path):
    lines = ["1 sort bitvec 16", "2 sort bitvec 8", "3 sort array 1 2", "4 input 1", "5 input 2", "6 state 3"]
    lines += [f"{number} write 3 {number - 1} 4 5" for number in range(7, 30)]
    with pytest.raises(InputError) as caught:
        _read(tmp_path, "\n".join(lines))
    assert str(caught.value).endswith("10:1: write: arrays of more than 262144 elements together are not supported")


def test_every_prefix_of_a_file_is_read_or_refused_in_one_line(tmp_path):
    errors = []
    for length in range(len(COUNTER)):
        try:
            _read(tmp_path, COUNTER[:length])
        except InputError as error:
            errors.append(str(error))
    assert len(errors) > 100
    assert not any("\n" in error for error in errors)


@pytest.mark.parametrize("content", [b"\x00\x01\x02", b"\xff\xfe1 sort", b"\x89PNG\r\n\x1a\n"])
def test_a_binary_file_is_one_line_on_the_command_line(tmp_path, content):
    path = tmp_path / "model.btor2"
    path.write_bytes(content)
    done = subprocess.run(
        [sys.executable, "-m", "symag", "check", path], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 3
    assert done.stdout == ""
    assert done.stderr.startswith(f"symag: {path}:" if b"\0" not in content else f"symag: {path}: this is a binary")
    assert done.stderr.count("\n") == 1

"""Reading AIGER: both forms, the older format, names that SMV lacks, and every way to be wrong in one line."""

from __future__ import annotations

import pytest

from symag.core.errors import InputError
from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.smv.aiger import ascii_text, binary_bytes, parse, read
from symag.smv.methods import monolithic
from symag.smv.methods.options import SmvOptions

TOGGLE = b"aag 1 0 1 2 0\n2 3\n2\n3\n"
FULL = b"""aag 7 2 2 0 3 1 1 1 1
2
4
6 10 1
8 14 8
6
9
2
7
2
5
10 6 2
12 9 3
14 13 4
i0 en
i1 next
l0 a.b[2].3
l1 x y
b0 no good
j0 again
c
a comment
"""


def _read(tmp_path, content, suffix=".aag"):
    path = tmp_path / f"model{suffix}"
    path.write_bytes(content)
    return read(path)


def test_the_older_format_takes_outputs_for_bad(tmp_path):
    system = _read(tmp_path, TOGGLE)
    assert [(p.kind, p.text, p.line) for p in system.properties] == [("INVARSPEC", "!l0", 3), ("INVARSPEC", "l0", 4)]
    for checked in system.properties:
        assert monolithic.decide(system, checked, SmvOptions(), no_progress).verdict is Verdict.VIOLATED


def test_an_empty_symbol_is_no_name(tmp_path):
    system = _read(tmp_path, b"aag 2 2 0 1 0\n2\n4\n2\ni0 \ni1 go\no0 \n")
    assert [variable.name for variable in system.variables] == ["i0", "go"]
    assert [checked.name for checked in system.properties] == [None]


def test_the_sections_that_abc_writes_behind_the_symbols_are_comments(tmp_path):
    by_abc = b"aig 3 1 1 1 1\n6\n6\n\x01\x03i0 run\ncn\x00\x00\x00\x02a\x00\nThis file was produced by ABC\n"
    system = _read(tmp_path, by_abc, ".aig")
    assert [variable.name for variable in system.variables] == ["run", "l0"]
    assert [checked.text for checked in system.properties] == ["!__a3"]


def test_every_section_has_its_meaning(tmp_path):
    system = _read(tmp_path, FULL)
    assert {v.name: v.kind.value for v in system.variables} == {
        "en": "VAR",
        "next_": "VAR",
        "a.b[2]._3": "VAR",
        "x_y": "VAR",
    }
    assert [(a.variable, a.time) for a in system.assignments] == [
        ("a.b[2]._3", "init"),
        ("a.b[2]._3", "next"),
        ("x_y", "next"),
    ]
    assert [(p.kind, p.name) for p in system.properties] == [("LTL", "again"), ("INVARSPEC", "no_good")]
    assert system.properties[0].text.replace(" ", "") == "!(G(F!a.b[2]._3)&G(Fen))"
    assert len(system.invar) == len(system.justice) == 1


def test_both_forms_say_the_same():
    graph = parse(FULL, "x.aag")
    assert parse(ascii_text(graph).encode(), "x.aag") == graph
    assert parse(binary_bytes(graph), "x.aig") == graph


def test_ascii_gates_stand_in_any_order(tmp_path):
    ordered = _read(tmp_path, b"aag 4 1 0 1 3\n2\n8\n8 6 2\n6 4 2\n4 2 3\n")
    assert monolithic.decide(ordered, ordered.properties[0], SmvOptions(), no_progress).verdict is Verdict.HOLDS


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "model.aag:1: the file ends where a header"),
        (b"MODULE main\n", "model.aag:1: expected a header"),
        (b"aag 1 1 0\n", "model.aag:1: expected 5 to 9 counts"),
        (b"aag 1 x 0 0 0\n", "model.aag:1: expected a number, found 'x'"),
        (b"aag 1 1 1 0 0\n2\n4 2\n", "M must be at least I + L + A = 2, not 1"),
        (b"aag 999999999 999999999 0 0 0\n", "model.aag:1: the counts are larger than the file"),
        (b"aag 1 1 0 0 0\n3\n", "model.aag:2: expected a positive, even literal, found 3"),
        (b"aag 1 1 0 0 0\n4\n", "model.aag:2: literal 4 is above 2M + 1 = 3"),
        (b"aag 2 2 0 0 0\n2\n2\n", "model.aag:3: literal 2 is defined twice"),
        (b"aag 1 0 1 0 0\n2 3 5\n", "model.aag:2: expected the reset value 0, 1 or 2 (none), found 5"),
        (b"aag 1 0 1 0 0\n2\n", "model.aag:2: expected a latch"),
        (b"aag 2 1 0 1 0\n2\n4\n", "literal 4 is used and not defined"),
        (b"aag 2 0 0 1 2\n2\n2 4 1\n4 2 1\n", "gate 2 depends on itself"),
        (b"aag 1 1 0 1 0\n2\n", "model.aag:3: the file ends where a literal was expected"),
        (b"aag 1 1 0 1 0\n2\n2\ni1 x\n", "model.aag:4: there is no i1"),
        (b"aag 1 1 0 1 0\n2\n2\nwhat\n", "model.aag:4: expected a symbol"),
        (b"aag 1 1 0 1 0\n2\n2\ni" + b"0" * 5000 + b" x\n", "model.aag:4: expected a symbol"),
        (b"aig 2 1 0 1 0\n2\n", "model.aag:1: M must be I + L + A = 1, not 2"),
        (b"aig 2 1 0 1 1\n4\n", "at byte 16: the file ends within the gates"),
        (b"aig 2 1 0 1 1\n4\n\x00\x00", "at byte 18: gate 4 must be above its operands"),
        (b"aig 2 1 0 1 1\n4\n" + b"\xff" * 12, "a number is too long"),
    ],
)
def test_errors_are_one_line(tmp_path, content, message):
    with pytest.raises(InputError) as raised:
        _read(tmp_path, content)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_no_file_and_no_folder(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "none.aig")
    with pytest.raises(InputError, match="directory"):
        read(tmp_path)

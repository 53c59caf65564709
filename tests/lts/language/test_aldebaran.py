"""Aldebaran's format: what is written is read back, foreign spellings are understood, mistakes are located."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symag.core.errors import InputError
from symag.core.source import SourceText
from symag.lts import ERROR, Lts, read
from symag.lts.language.aldebaran import SILENT, lost, parsed, text_of
from tests.lts.strategies import systems


def _read(text: str) -> Lts:
    return parsed(SourceText.of("m.aut", text), "m")


def _edges(lts: Lts) -> set[tuple[int, str, int]]:
    return {(source, lts.alphabet[action], target) for source, action, target in lts.triples()}


@given(systems(), st.booleans(), st.sampled_from(SILENT), st.sampled_from(("\n", "\r\n")), st.booleans())
def test_what_is_written_is_read_back(lts: Lts, quoted: bool, silent: str, newline: str, last: bool) -> None:
    text = text_of(lts, quoted, silent)
    assert "-1" not in text
    foreign = text.replace("\n", newline) if last else text.rstrip("\n").replace("\n", newline)
    again = _read(foreign.replace("\r\n", "\n"))
    assert again.states == lts.states + lts.has_error
    expected = {(s, a, lts.states if t == ERROR else t) for s, a, t in _edges(lts)}
    assert _edges(again) == expected
    assert any("ERROR" in line for line in lost(lts)) == lts.has_error


@given(systems())
def test_the_spelling_of_ltsa_keeps_error(lts: Lts) -> None:
    lines = [f"des(0,{lts.transitions},{lts.states})", *(f"({s},{a},{t})" for s, a, t in sorted(_edges(lts)))]
    again = _read("\n".join(lines))
    assert (again.states, _edges(again)) == (lts.states, _edges(lts))
    assert again.triples() == sorted(again.triples())


def test_foreign_spellings(tmp_path: Path) -> None:
    file = tmp_path / "two words.aut"
    file.write_bytes(
        b"\r\n des ( 2 , 6 , 3 )\r\n"
        b'(2, "send(1,2) !x", 1)\r\n'
        b" ( 1 , PUT !1(2,3) , 0 ) \r\n"
        b'(1,i,2)\r\n(0,"tau",1)\r\n\r\n(0,"say ""hello""",-1)\r\n(0,a,0)'
    )
    lts = read(str(file)).process("two words")
    # The initial state, 2, and state 0 change places.
    assert _edges(lts) == {
        (0, "send(1,2) !x", 1),
        (1, "PUT !1(2,3)", 2),
        (1, "tau", 0),
        (2, "tau", 1),
        (2, 'say ""hello""', ERROR),
        (2, "a", 2),
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "m.aut:1:1: the file is empty, expected 'des (0, TRANSITIONS, STATES)'"),
        ("P = (a -> P).", "m.aut:1:1: expected 'des (INITIAL STATE, TRANSITIONS, STATES)'"),
        ("des (0, 1, 0)", "m.aut:1:12: a system without states has no initial one"),
        ("des (2, 1, 1)", "m.aut:1:6: the initial state 2 is not below the number of states, 1"),
        ("des (0, 2, 2)\n(0, a, 1)", "m.aut:1:9: the header says 2 transitions, but 1 follow"),
        ("des (0, 1, 2)\n(0, a, 2)", "m.aut:2:8: state 2 is not below the number of states, 2"),
        ("des (0, 2, 2)\n\n(0, a, 1)\n(3, a, 1)", "m.aut:4:2: state 3 is not below the number of states, 2"),
        ("des (0, 1, 2)\n(0, a, -2)", "m.aut:2:8: expected the number of a state, or -1 for ERROR, found '-2)'"),
        ("des (0, 1, 2)\n0, a, 1)", "m.aut:2:1: expected '(', found '0, a, 1)'"),
        ("des (0, 1, 2)\n (x, a, 1)", "m.aut:2:3: expected the number of a state, found 'x, a, 1)'"),
        ("des (0, 1, 2)\n(0, , 1)", "m.aut:2:5: expected a label, found ', 1)'"),
        ("des (0, 1, 2)\n(0, a)", "m.aut:2:5: expected a label, found 'a)'"),
        ("des (0, 1, 2)\n(0, a, 1", "m.aut:2:9: expected ')', found the end of the line"),
        ("des (0, 1, 2)\n(0, a, 1) x", "m.aut:2:11: expected the end of the line, found 'x'"),
        ('des (0, 1, 2)\n(0, "a, 1)', 'm.aut:2:5: expected a label between quotation marks, found "a'),
        ("des (0, 1, 99999999999)", "m.aut:1:12: 99999999999 is too large"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        _read(text)
    assert str(caught.value) == message


def _compressed(folder: Path, content: bytes, name: str = "m.aut.gz") -> str:
    (folder / name).write_bytes(content)
    return str(folder / name)


def test_a_compressed_file_is_the_same_system(tmp_path: Path) -> None:
    text = b'des (1, 2, 2)\n(0, "a b", 1)\n(1, i, 0)\n'
    model = read(_compressed(tmp_path, gzip.compress(text), "two.words.aut.gz"))
    assert model.processes == ("two.words",)
    assert model.process("two.words").triples() == _read(text.decode()).triples()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda packed: packed[:30], "the file is cut: its compressed data has no end"),
        (lambda packed: packed[:-8] + b"\1" + packed[-7:], "it is damaged: CRC check failed"),
        (lambda packed: packed[:10] + b"\xff" + packed[11:], "it is damaged: Error -3 while decompressing data"),
        (lambda packed: b"des (0, 0, 1)", "this is no file compressed by gzip: Not a gzipped file"),
    ],
)
def test_a_damaged_compressed_file(damage: Callable[[bytes], bytes], message: str, tmp_path: Path) -> None:
    file = _compressed(tmp_path, damage(gzip.compress(b'des (0, 1, 2)\n(0, "a", 1)\n' * 9)))
    with pytest.raises(InputError) as caught:
        read(file)
    assert str(caught.value).startswith(f"{file}: {message}")


def test_a_position_in_a_compressed_file(tmp_path: Path) -> None:
    file = _compressed(tmp_path, gzip.compress(b"des (0, 1, 2)\n(0, a, 2)"))
    with pytest.raises(InputError, match=r"aut\.gz:2:8: state 2 is not below"):
        read(file)


def test_a_component_that_shares_nothing_is_told(tmp_path: Path) -> None:
    texts = {"a.aut": '(0, "x", 0)', "b.aut": '(0, "x", 0)', "c.aut": '(0, "y", 0)'}
    files = [_compressed(tmp_path, f"des (0, 1, 1)\n{line}".encode(), name) for name, line in texts.items()]
    model = read(files[0], files[1:])
    model.composite("DEFAULT")
    assert model.warnings == ["c shares no action with another component: it moves independently of them"]
    alone = read(files[0])
    alone.composite("DEFAULT")
    assert alone.warnings == []


def test_a_header_with_more_states_than_the_transitions_name() -> None:
    """A search takes memory for each state."""
    with pytest.raises(InputError) as raised:
        _read(f"des (1, 1, {2**31 - 1})\n(1, a, 0)")
    message = "the header says 2,147,483,647 states, but the transitions name at most 2"
    assert str(raised.value) == f"m.aut:1:12: {message}"
    lts = _read("des (1, 1, 1000000)\n(1, a, 0)")
    assert (lts.states, lts.triples()) == (1000000, [(0, 1, 1)])


def test_what_the_format_cannot_say() -> None:
    lts = Lts.of("P", ("tau", "a", "i", "b"), 2, [(0, 1, 1)], end=1)
    assert lost(lts) == [
        "END is written as state 1, which has no transitions",
        "labels without a transition are left out: i, b",
        "the label i is read as the silent action by many tools",
    ]

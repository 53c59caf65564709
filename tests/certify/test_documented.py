"""Values in documents of evidence: what is written is read again, and a malformed member is named."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from symag.core.errors import InputError
from symag.core.evidence.documented import INLINE, OPTIONAL, Documented, Spelling
from symag.core.evidence.documents import Member


def _fraction(item: Member) -> Fraction:
    return Fraction(item.has(str))


class Inner(Struct, Documented, frozen=True):
    """Two members of the object around it."""

    pairs: tuple[Annotated[tuple[str, int], "a name and a number"], ...]
    exact: Annotated[Fraction, Spelling(_fraction, str)]


@dataclass(frozen=True, slots=True)
class Outer(Documented):
    """A member of every form."""

    inner: Annotated[Inner, INLINE]
    several: tuple[Inner, ...]
    one: Inner | None
    marked: Annotated[tuple[str, int], "a pair"] | None
    rows: tuple[tuple[int, int, int], ...]
    way: Literal["left", "right"]
    beside: Annotated[tuple[int, ...], OPTIONAL] = ()
    kind: str = "outer"

    def check_members(self, item: Member) -> None:
        if self.way == "left" and self.rows:
            raise item.member("rows").wrong("empty on the left")


INNER = st.builds(
    Inner, st.lists(st.tuples(st.text(), st.integers()), max_size=2).map(tuple), st.fractions(max_denominator=9)
)
ROWS = st.lists(st.tuples(st.integers(), st.integers(), st.integers()), max_size=2).map(tuple)
OUTER = st.builds(
    Outer,
    INNER,
    st.lists(INNER, max_size=2).map(tuple),
    st.none() | INNER,
    st.none() | st.tuples(st.text(), st.integers()),
    ROWS,
    st.just("right"),
    st.lists(st.integers(), max_size=2).map(tuple),
)


def _document(value: Documented) -> Any:
    return json.loads(json.dumps(value.document()))


@given(OUTER)
def test_what_is_written_is_read_again(value: Outer) -> None:
    document = _document(value)
    assert Outer.read(Member(document, "f", "evidence")) == value
    assert ("beside" in document) == bool(value.beside)
    assert not {"kind", "inner"} & document.keys()


@pytest.mark.parametrize(
    ("key", "wrong", "message"),
    [
        ("pairs", [["x"]], r"evidence.pairs\[0\] is not a name and a number"),
        ("pairs", [["x", "y"]], r"evidence.pairs\[0\]\[1\] is not a number"),
        ("several", [{"pairs": [], "exact": 1}], r"evidence.several\[0\].exact is not a text"),
        ("one", {"pairs": []}, "evidence.one has no 'exact'"),
        ("marked", [], "evidence.marked is not a pair"),
        ("rows", [[1, 2]], r"evidence.rows\[0\] is not a list of 3 numbers"),
        ("rows", 5, "evidence.rows is not a list"),
        ("way", "up", "evidence.way is not one of left, right"),
        ("way", "left", "evidence.rows is not empty on the left"),
        ("beside", [True], r"evidence.beside\[0\] is not a number"),
    ],
)
def test_a_malformed_member_is_named(key: str, wrong: Any, message: str) -> None:
    value = Outer(Inner((), Fraction(1, 2)), (), None, None, ((1, 2, 3),), "right")
    with pytest.raises(InputError, match=message):
        Outer.read(Member(_document(value) | {key: wrong}, "f", "evidence"))

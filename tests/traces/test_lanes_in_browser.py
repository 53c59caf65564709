"""Lanes of an SMV model's parts and instances: what crosses between them, in a real Chromium."""

from __future__ import annotations

from pathlib import Path

import pytest

from symag.smv import read_text
from symag.smv.checking.reports.trace_lanes import cuts, readers
from symag.smv.model.dependencies import relations
from tests.cli.conftest import Symag, symag  # noqa: F401 - a fixture
from tests.traces.conftest import Shown

#: The sender reads ack, the receiver full and n.
MODEL = """MODULE sender(ack)
VAR full : boolean; n : 0..3;
ASSIGN init(full) := FALSE; next(full) := ack ? FALSE : TRUE;
  init(n) := 0; next(n) := full & ack ? (n + 1) mod 4 : n;
MODULE receiver(full, n)
VAR ack : boolean; last : 0..3;
ASSIGN init(ack) := FALSE; next(ack) := full & !ack;
  init(last) := 0; next(last) := full ? n : last;
MODULE main
VAR s : sender(r.ack); r : receiver(s.full, s.n);
INVARSPEC NAME low := r.last < 2
"""


@pytest.mark.parametrize("width", [400, 1400])
def test_what_crossed_before_the_violation(
    symag: Symag,  # noqa: F811
    shown: Shown,
    tmp_path: Path,
    width: int,
) -> None:
    """Two clicks, and one choice, and the question is answered: which signal crossed from s to r?"""
    model, file = tmp_path / "m.smv", tmp_path / "t.html"
    model.write_text(MODEL)
    assert symag("check", model, "--trace", file).status == 10
    page = shown(file, width)
    page.locator("#view-lanes").click()
    titles = page.locator(".lane .name").all_inner_texts()
    assert [title.split(":")[0] for title in titles] == ["part 0", "part 1"]
    page.locator("#cut").select_option(label="module instances")
    assert page.locator(".lane .name").all_inner_texts() == ["s", "r"]
    # last becomes 2 in state 9: full, new in state 8, has told the receiver to take n.
    assert page.locator("#where").inner_text() == "state 9 of 9"
    assert page.locator("#crossed li").all_inner_texts() == ["s → r s.full FALSE → TRUE", "2 read with an old value"]
    arrow = page.locator(".arrow[data-column='8'] title")
    assert arrow.all_text_contents() == ["s.full"]
    page.locator("#previous").click()
    crossed = page.locator("#crossed li").all_inner_texts()
    assert crossed == ["s → r s.full TRUE → FALSE", "s → r s.n 1 → 2", "r → s r.ack TRUE → FALSE"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_who_reads_what() -> None:
    system = read_text(MODEL)
    owner = {"s.full": 0, "s.n": 0, "r.ack": 1, "r.last": 1}
    assert readers(relations(system), owner) == {"s.full": (1,), "s.n": (1,), "r.ack": (0,)}
    every = {name: number for number, name in enumerate(owner)}
    assert readers(relations(system), every) == {
        "s.full": (1, 2, 3),
        "s.n": (3,),
        "r.ack": (0, 1),
    }


def test_constraints_are_of_all_that_they_speak_of() -> None:
    system = read_text(
        "MODULE main VAR a : boolean; b : boolean; c : boolean; INVAR a -> b; TRANS next(c) = a; INIT b = c"
    )
    assert readers(relations(system), {"a": 0, "b": 1, "c": 2}) == {"a": (1, 2), "b": (0,)}


def test_inner_instances_are_lanes_where_there_is_one_outer_one() -> None:
    system = read_text(
        "MODULE leaf VAR x : boolean; MODULE top VAR a : leaf; b : leaf; MODULE main VAR t : top; INVARSPEC t.a.x"
    )
    instances = [cut for cut in cuts(system, None) if cut.title == "module instances"]
    assert [cut.parts for cut in instances] == [("t.a", "t.b")]
    assert instances[0].owner == {"t.a.x": 0, "t.b.x": 1}
    assert cuts(read_text("MODULE main VAR x : boolean; INVARSPEC x"), None) == ()

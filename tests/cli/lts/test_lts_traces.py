"""``symag simulate`` and ``symag replay`` on labelled transition systems, and the traces that ``check`` writes."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Symag

COIN = """
COIN = (toss -> heads -> COIN | pick -> TRICK),
TRICK = (toss -> heads -> TRICK | stop -> STOP).
property ONCE = (pick -> STOP).
progress HEADS = {heads}
fluent TOSSED = <toss, heads>
assert NEVER = []!TOSSED
||GAME = (COIN || ONCE).
||COINS = (a:COIN || b:COIN).
"""


@pytest.fixture
def coin(tmp_path: Path) -> Path:
    model = tmp_path / "coin.lts"
    model.write_text(COIN)
    return model


@pytest.mark.parametrize("form", ["json", "txt"])
def test_what_check_writes_is_replayed(symag: Symag, coin: Path, tmp_path: Path, form: str) -> None:
    folder = tmp_path / "traces"
    checked = symag("check", coin, "--trace", f"{folder}/", "--trace-format", form, "--json").json["results"]
    violated = [each for each in checked if each["verdict"] == "violated"]
    assert [each["kind"] for each in violated] == ["deadlock", "progress", "assert", "deadlock", "progress", "assert"]
    names = [f"{each['target']}.{each['name'] or each['kind']}.{form}" for each in violated]
    assert sorted(path.name for path in folder.iterdir()) == sorted(names)
    for each, name in zip(violated, names, strict=True):
        assert each["trace_file"] == str(folder / name)
        ran = symag("replay", coin, folder / name, "--json")
        assert (ran.status, ran.json["certified"], ran.json["text"]) == (10, True, each["text"])
        assert len(ran.json["refuted"]) == 1


def test_walks_from_the_command_line(symag: Symag, coin: Path, tmp_path: Path) -> None:
    trace = tmp_path / "walk.json"
    ran = symag("simulate", coin, "--target", "GAME", "--steps", "4", "--seed", "3", "--trace", trace)
    assert ran.status == 0
    again = symag("simulate", coin, "--target", "GAME", "--guide", trace)
    assert again.out == ran.out
    assert ran.out.splitlines()[:2] == ["-- ||GAME:", "Trace of a run:"]
    assert "accepted" in symag("replay", coin, trace).out
    assert symag("simulate", coin, "--target", "GAME", "--json", "--steps", "0").json["steps"] == 0
    for arguments, message in (
        (("simulate", coin), "choose one composite process with --target; there are GAME, COINS"),
        (("simulate", coin, "--target", "X"), "no composite 'X'"),
        (("simulate", coin, "--constraint", "a"), "--constraint is for SMV models"),
        (
            ("simulate", coin, "--target", "GAME", "--trace", "x.vcd", "--trace-format", "vcd"),
            "are written as json, txt",
        ),
        (("replay", coin, trace, "--property", "X"), "no property 'X' of ||GAME"),
    ):
        refused = symag(*arguments)
        assert refused.status == 2
        assert message in refused.err


def test_a_cycle_is_headed_as_terminal_for_progress_only(symag: Symag, coin: Path, tmp_path: Path) -> None:
    """In COIN ``pick`` leaves the cycle of ``toss`` and ``heads``."""
    trace = tmp_path / "t.txt"
    for stem, cycle in (
        ("Trace to a cycle:", "Cycle:"),
        ("Trace to terminal set of states:", "Cycle in terminal set:"),
    ):
        trace.write_text(f"{stem}\n{cycle}\n\ttoss\n\theads\n")
        ran = symag("replay", coin, trace, "--target", "GAME")
        lines = ["Trace to a cycle:", "Cycle:", "\ttoss", "\theads"]
        assert (ran.status, ran.out.splitlines()[:4]) == (10, lines)
    coin.write_text(COIN.replace("[]!TOSSED", "[]<>pick").replace("stop -> STOP", "stop -> TRICK"))
    ran = symag("check", coin, "--target", "GAME", "--property", "NEVER", "--trace", trace)
    assert ran.status == 10
    assert trace.read_text().startswith("-- ||GAME: assert NEVER\nTrace to a cycle:\n\tpick\n\ttoss\nCycle:\n\t")
    assert symag("replay", coin, trace).status == 10


ROUNDS = """
COIN = (toss -> heads -> COIN | pick -> TRICK),
TRICK = (toss -> heads -> TRICK | stop -> STOP).
fluent HEADS = <heads, pick>
assert IN_LOOP = []!heads
assert SECOND_ROUND = [](toss -> !HEADS)
assert AT_THE_LAST = [](heads -> X !toss)
assert OF_OTHERS = []!stop
assert LATER = []<>(toss || stop)
assert SOME = <>pick
||GAME = COIN.
"""


@pytest.mark.parametrize("form", ["json", "txt"])
def test_the_rounds_of_a_loop_violate_what_is_safety(symag: Symag, tmp_path: Path, form: str) -> None:
    """Though ``pick`` leaves the loop: the other runs from there on do not matter."""
    model, trace = tmp_path / "rounds.lts", tmp_path / f"t.{form}"
    model.write_text(ROUNDS)
    text = tmp_path / "cycle.txt"
    text.write_text("Trace to a cycle:\nCycle:\n\ttoss\n\theads\n")
    assert symag("simulate", model, "--guide", text, "--steps", "2", "--trace", trace).status == 0
    if form == "json":
        document = json.loads(trace.read_text())
        run = document["evidence"]
        run.update(kind="lasso", loop=0, steps=run["steps"][:2])
        trace.write_text(json.dumps(document))
    else:
        trace = text
    for name in ("IN_LOOP", "SECOND_ROUND", "AT_THE_LAST"):
        ran = symag("replay", model, trace, "--property", name)
        assert (ran.status, ran.out.splitlines()[-1]) == (
            10,
            f"trace against ||GAME: assert {name}  accepted: the property is violated",
        )
    assert symag("replay", model, trace, "--json").json["refuted"] == [3, 4, 5]
    for name, reason in (
        ("OF_OTHERS", "the assertion is true on the trace"),
        ("LATER", "the assertion is true on the trace"),
        ("SOME", "the assertion is true on the fair runs that begin like the trace"),
    ):
        ran = symag("replay", model, trace, "--property", name)
        assert (ran.status, reason in ran.err) == (1, True), ran
    model.write_text("".join(line for line in ROUNDS.splitlines(keepends=True) if "OF" in line or "assert" not in line))
    ran = symag("replay", model, trace)
    assert (ran.status, "which violates none of its properties" in ran.out) == (0, True)


def test_traces_that_are_refused(symag: Symag, coin: Path, tmp_path: Path) -> None:
    trace = tmp_path / "t.txt"
    for text, target, status, message in (
        ("Trace to DEADLOCK:\n\tpick\n\tstop\n", "GAME", 10, "accepted: the property is violated"),
        ("Trace to DEADLOCK:\n\tpick\n", "GAME", 1, "the trace does not lead to a deadlock"),
        ("Trace to DEADLOCK:\n\tstop\n", "GAME", 1, "step 1, stop, is not possible"),
        ("Trace to property violation in NEVER:\n\ttoss\n", "GAME", 10, "assert NEVER  accepted"),
        ("Trace to property violation in NOWHERE:\n\ttoss\n", "GAME", 3, "that the model does not have: NOWHERE"),
        ("Trace of a run:\n\ttoss\n\theads\n", "COIN", 2, "choose one composite process"),
        ("Trace to terminal set of states:\nCycle in terminal set:\n\ttoss\n", "GAME", 1, "its cycle does not return"),
        ("toss\n", "GAME", 3, "t.txt:1: no trace in this file"),
    ):
        trace.write_text(text)
        ran = symag("replay", coin, trace, "--target", target)
        assert (ran.status, message in ran.out + ran.err) == (status, True), (text, ran)
    written = tmp_path / "t.json"
    assert symag("simulate", coin, "--target", "GAME", "--trace", written).status == 0
    coin.write_text(COIN.replace("pick -> STOP", "pick -> ONCE"))
    assert "trace of another model" in symag("replay", coin, written).err
    other = tmp_path / "other.lts"
    other.write_text(COIN)
    written.write_text(written.read_text().replace('"COIN":0', '"COIN":7'))
    ran = symag("replay", other, written)
    assert (ran.status, "is not the number of a state of each component" in ran.err) == (3, True)


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("x:Q.SAFE(2)", 10),
        ("S.x:Q.SAFE", 10),
        ("SAFE", 10),
        ("", 10),
        ("x:Q.UNSAFE(2)", 3),
        ("SAFE.x", 3),
    ],
)
def test_a_heading_names_a_property_with_any_prefix(symag: Symag, tmp_path: Path, name: str, status: int) -> None:
    model, trace = tmp_path / "m.lts", tmp_path / "t.txt"
    model.write_text(
        "P = (a -> b -> STOP).\nproperty SAFE(N=1) = (b -> a -> SAFE).\n||Q = (P || SAFE(2)).\n||S = x:Q.\n"
    )
    trace.write_text(f"Trace to property violation{name and f' in {name}'}:\n\tx.a\n")
    ran = symag("replay", model, trace, "--target", "S")
    assert (ran.status, ran.err.count("\n")) == (status, int(status == 3))


def test_stepping_draws_the_processes(symag: Symag, coin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n0\nq\n"))
    ran = symag("simulate", coin, "--target", "GAME", "-i")
    assert ran.status == 0
    assert [line for line in ran.err.splitlines() if "COIN" in line and "[" in line] == [
        "    COIN  [0] 1  2  3  4",
        "  * COIN   0  1 [2] 3  4",
        "  * COIN   0  1  2 [3] 4",
    ]
    assert "  * ONCE   0 [1]" in ran.err

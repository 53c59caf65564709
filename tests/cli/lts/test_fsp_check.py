"""``symag check`` on FSP."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Symag

COIN = """
COIN = (toss -> heads -> COIN | pick -> TRICK),
TRICK = (toss -> heads -> TRICK | stop -> STOP).
property ONCE = (pick -> STOP).
progress HEADS = {heads}
||GAME = (COIN || ONCE).
"""


def test_deadlock_safety_and_progress(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "coin.lts"
    model.write_text(COIN)
    ran = symag("check", model)
    assert (ran.status, ran.err) == (10, "")
    lines = [line for line in ran.out.splitlines() if not line.startswith("     ")]
    assert lines == [
        "-- ||GAME: no deadlock",
        "Trace to DEADLOCK:",
        "\tpick",
        "\tstop",
        "-- ||GAME: ERROR is not reached",
        "-- ||GAME: progress HEADS = {heads}",
        "Trace to terminal set of states:",
        "\tpick",
        "\tstop",
        "Cycle in terminal set:",
        "\t(nothing: a deadlock)",
        "-- 3 properties: 1 holds, 2 violated",
    ]
    first, second, third = symag("check", model, "--json").json["results"]
    assert (first["kind"], first["target"], first["verdict"], first["certified"]) == (
        "deadlock",
        "GAME",
        "violated",
        True,
    )
    assert [step["action"] for step in first["trace"]["steps"]] == ["pick", "stop", None]
    assert (second["verdict"], second["certified"], second["trace"]) == ("holds", True, None)
    assert (third["name"], third["line"], third["kind"]) == ("HEADS", 5, "progress")


def test_one_property_and_what_is_refused(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "coin.fsp"
    model.write_text(COIN)
    assert symag("check", model, "--property", "safety").status == 0
    assert symag("check", model, "--property", "HEADS", "--target", "GAME").status == 10
    ran = symag("check", model, "--property", "TAILS")
    assert (ran.status, ran.err) == (2, "symag: no property 'TAILS'; there are deadlock, safety, progress, HEADS\n")
    ran = symag("check", model, "--target", "COIN")
    assert (ran.status, ran.err) == (2, "symag: no composite 'COIN'; there are GAME\n")
    assert "--method rule-g is for SMV models; for labelled" in symag("check", model, "--method", "rule-g").err
    model.write_text(COIN.replace("pick ->", "pick"))
    ran = symag("check", model)
    assert (ran.status, ran.err) == (3, f"symag: {model}:2:38: expected '->', found 'TRICK'\n")


def test_a_property_of_a_file_without_processes(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "empty.lts"
    model.write_text("const N = 3\n")
    ran = symag("check", model, "--property", "deadlock")
    assert (ran.status, ran.err) == (2, "symag: no property 'deadlock'; the specification has no process\n")
    ran = symag("check", model)
    assert (ran.status, ran.err.rpartition(": ")[2]) == (0, "nothing is decided\n")


def test_progress_of_all_actions_only_when_asked(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.lts"
    model.write_text("P = (a -> Q), Q = (b -> Q).\n||S = P.\n")
    ran = symag("check", model)
    assert ran.status == 0
    told = "symag: default progress (every action happens infinitely often) is not checked: --property progress"
    assert ran.err.splitlines() == [told]
    assert symag("check", model, "--quiet").err == ""
    assert symag("check", model, "--property", "safety").err == ""
    assert symag("check", model, "--property", "x").err.endswith("there are deadlock, safety, progress\n")
    ran = symag("check", model, "--property", "progress")
    assert (ran.status, ran.err) == (10, "")
    assert "-- ||S: every action happens infinitely often\n" in ran.out


def test_limits(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.lts"
    model.write_text("P = P[0], P[i:0..99] = (a -> P[(i*7+1)%100] | b -> P[(i+3)%100]).\n||S = ([1..6]:P).\n")
    ran = symag("check", model, "--timeout", "1", "--property", "deadlock", "--method", "monolithic")
    assert ran.status == 30
    assert "is unknown (timeout)" in ran.out


def test_certificates_are_written_and_re_checked(symag: Symag, tmp_path: Path) -> None:
    model, folder = tmp_path / "coin.lts", tmp_path / "evidence"
    model.write_text(COIN)
    first, second, third = symag("check", model, "--certificate", f"{folder}/", "--json").json["results"]
    assert (first["certificate"], third["certificate"]) == (None, None)
    assert second["certificate"] == str(folder / "safety.json")
    ran = symag("certify", model, second["certificate"], "--show")
    assert (ran.status, ran.out.splitlines()) == (
        0,
        [
            "exploration: all reachable states, found again",
            "certificate of ||GAME: ERROR is not reached  accepted: the property holds",
        ],
    )
    said = symag("certify", model, second["certificate"], "--json").json
    assert (said["target"], said["certified"], said["reason"]) == ("GAME", True, None)
    ran = symag("check", model, "--certificate", tmp_path / "all.json", "--json")
    assert ran.json["results"][1]["certificate"] == str(tmp_path / "all-safety.json")
    assert (tmp_path / "all-safety.json").is_file()
    model.write_text(COIN.replace("pick -> STOP", "pick -> toss -> STOP"))
    ran = symag("certify", model, second["certificate"])
    assert ran.status == 3
    assert "certificate of another model: GAME in" in ran.err


def test_constants_have_the_values_that_are_asked_for(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "ring.lts"
    model.write_text(
        "const N = 3\nrange R = 0..N-1\nRING = RING[0],\nRING[i:R] = (step -> RING[(i+1)%N]).\n||S = RING.\n"
    )
    assert "RING: 3 states" in symag("info", model).out
    assert "RING: 7 states" in symag("info", model, "--const", "N=7").out
    assert (
        symag("check", model, "--const", "N=7", "--json", "--property", "deadlock").json["results"][0]["statistics"][
            "states"
        ]
        == 7
    )
    certificate = tmp_path / "c.json"
    assert symag("check", model, "--const", "N=4", "--property", "safety", "--certificate", certificate).status == 0
    assert symag("certify", model, certificate, "--const", "N=4").status == 0
    assert symag("certify", model, certificate).status == 3
    assert symag("convert", model, "-", "--to", "aut", "--const", "N=2").out.startswith("des (0, 2, 2)")
    for text, message in (
        ("M=1", "no constant 'M'; there are N"),
        ("N=1.5", "--const: N=1.5: expected a whole number"),
        ("N", "expected NAME=VALUE, found 'N'"),
    ):
        ran = symag("check", model, "--const", text)
        assert ran.status == 2
        assert message in ran.err
    ran = symag("check", "models/counter.smv", "--const", "N=1")
    assert (ran.status, "--const is for labelled transition systems and PRISM models" in ran.err) == (2, True)


def test_assumptions_of_two_parts_are_written_shown_and_re_checked(symag: Symag, tmp_path: Path) -> None:
    model, certificate = "models/lts/mer.lts", tmp_path / "mer.json"
    parts = ("--target", "MER", "--group", "USERS", "--group", "ARBITER")
    ran = symag("check", model, *parts, "--method", "agar", "--certificate", certificate, "--json")
    deadlock, safety = ran.json["results"]
    assert (ran.status, deadlock["verdict"], deadlock["reason"]) == (30, "unknown", "unsupported")
    assert ran.json["warnings"][0].startswith("||MER, property 0: unsupported: ")
    assert (safety["method"], safety["verdict"], safety["certified"]) == ("agar", "holds", True)
    assert safety["certificate"] == str(certificate)
    shown = symag("certify", model, certificate, "--show")
    lines = shown.out.splitlines()
    assert shown.status == 0
    assert lines[:3] == [
        "rule-1: 2 parts, 1 assumption",
        "part 0: USERS.user.1:USER, USERS.user.2:USER",
        "part 1: ARBITER.KEEPER(1)",
    ]
    assert lines[3].startswith("assumption 0 over {user.1.")
    assert lines[-1] == "certificate of ||MER: ERROR is not reached  accepted: the property holds"
    document = json.loads(certificate.read_text())
    document["evidence"]["assumptions"][0]["transitions"] = []
    certificate.write_text(json.dumps(document))
    ran = symag("certify", model, certificate)
    assert ran.status == 1
    assert "premise 2 does not hold" in ran.err
    ran = symag("check", model, *parts, "--method", "agar", "--group", "nobody")
    assert (ran.status, "no component 'nobody'; there are 0 USERS.user.1:USER" in ran.err) == (2, True)
    ran = symag("check", "models/counter.smv", "--method", "agar")
    assert (ran.status, "--method agar is for labelled transition systems and PRISM models; for SMV" in ran.err) == (
        2,
        True,
    )


def test_what_is_odd_is_said_once(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.lts"
    model.write_text("P(N=2) = Q[0],\nQ[i:0..2] = (a[i] -> Q[i+1] | b -> Q[i+5]).\n||S = (P(1) || P(2)).\n")
    ran = symag("check", model, "--property", "safety")
    assert (ran.status, sorted(ran.err.splitlines())) == (
        10,
        [
            f"symag: warning: {model}: line 2: the local process Q.3 is not defined: it is ERROR",
            f"symag: warning: {model}: line 2: the local process Q.5 is not defined: it is ERROR",
        ],
    )


def test_an_assertion_on_an_action_that_no_process_has(symag: Symag, tmp_path: Path) -> None:
    """As in LTSA it can happen at any time, so <>zork holds: hardly what the author of a misspelt name means."""
    model = tmp_path / "m.lts"
    model.write_text("A = (a -> b -> A).\n||S = A.\nassert M = <>zork\nassert N = <>b\n")
    ran = symag("check", model)
    assert ran.status == 0
    assert ran.err.startswith(
        f"symag: warning: {model}: line 3: the assertion M reads zork, which ||S does not have: "
        "it can happen at any time\n"
    )
    assert symag("check", model, "--property", "N").err == ""


def test_info_of_a_process_and_a_composite_of_one_name(symag: Symag, tmp_path: Path) -> None:
    model = tmp_path / "m.lts"
    model.write_text("P = (a -> P). ||P = (x:P || y:P).")
    assert symag("info", model).out == "P: 1 states, 1 transitions\n||P: 1 states, 2 transitions\n"

"""Verdict files of other tools: what they say of which property."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symag.core.errors import InputError
from symag.suites.expectations import expectations, is_verdict_file, matched, nusmv_answers, nusmv_properties


def test_one_text_of_two_kinds() -> None:
    known = [("CTL", "AG p"), ("COMPUTE", "MIN [ p , q ]"), ("PSL", "AG p"), ("INVARSPEC", "p")]
    lines = [
        ("specification", "AG p", "true"),
        ("COMPUTE", "MIN [ p , q ] ", "3"),
        ("specification", "AG p", "false"),
        ("invariant", "p", "true"),
    ]
    expected = dict(zip(known, ("holds", "3", "violated", "holds"), strict=True))
    assert matched(known, lines) == expected
    assert matched(known, lines[1:]) == {each: expected[each] for each in known[1:]}
    with pytest.raises(ValueError, match="no property for the line: invariant q"):
        matched(known, [("invariant", "q", "true")])


def test_every_recorded_line_has_a_kind(suites: Path) -> None:
    record = json.loads((suites / "smv" / "nusmv-verdicts.json").read_text())
    matched = 0
    for entry in record.values():
        answers = nusmv_answers(entry)
        matched += len(answers)
        assert set(answers) <= set(nusmv_properties(entry))
    assert matched > 290


def test_answers_by_kind_target_and_text(suites: Path) -> None:
    files = sorted(suites.rglob("*.json"))
    assert [each.name for each in files if is_verdict_file(each)] == [
        "ltsa-verdicts.json",
        "storm-counts.json",
        "coupled-times.json",
        "nusmv-verdicts.json",
        "paper-verdicts.json",
    ]
    known = expectations(files)
    abp = suites / "smv" / "nusmv" / "abp" / "abp10.smv"
    assert known.answer(abp, "CTL", None, "AG (AF sender.state = get) ") == "holds"
    assert known.answer(abp, "LTL", None, "AG (AF sender.state = get)") is None
    assert known.answer(abp, "CTL", None, "AG sender.state = get") is None
    assert known.answer(suites / "smv" / "paper" / "barrel_sp1.smv", "INVARSPEC", None, "any") == "violated"
    for name in ("par12.smv", "hs12.smv"):
        assert known.answer(suites / "smv" / "coupled" / name, "INVARSPEC", None, "any") == "holds"
    coin = known.of(suites / "prism" / "mdps" / "consensus" / "coin2.nm")
    assert (("--const", "K=2"), "states=272 choices=400 transitions=492") in {
        (each.options, each.answer) for each in coin
    }
    bridge = suites / "fsp" / "ltsa" / "chapter7_lts" / "CongestedSingleLaneBridge.lts"
    assert known.answer(bridge, "progress", "CongestedBridge", "progress REDCROSS = {}", "REDCROSS") == "violated"
    assert known.answer(bridge, "progress", "CongestedBridge", "progress BLUECROSS = {}", "BLUECROSS") is None
    assert known.answer(bridge, "deadlock", "CongestedBridge", "no deadlock", None) == "holds"
    # No counts of its states, but LTSA searched it to the end.
    club = suites / "fsp" / "ltsa" / "chapter9_lts" / "GolfClubBounded.lts"
    assert known.answer(club, "safety", "GOLFCLUB", "ERROR is not reached", None) == "holds"
    assert known.answer(club, "deadlock", "GOLFCLUB", "no deadlock", None) == "holds"
    primes = suites / "fsp" / "ltsa" / "chapter11_lts" / "AbstractPrimes.lts"
    assert known.answer(primes, "deadlock", "APRIMES", "no deadlock", None) is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"models": {}}', '{"a": {"properties": []}}'])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "verdicts.json"
    file.write_text(text)
    assert not is_verdict_file(file)
    with pytest.raises(InputError, match=r"verdicts.json: not "):
        expectations([file])


@pytest.mark.parametrize(
    "text",
    [
        '{"a.smv": {"properties": 3, "verdicts": 4}}',
        '{"a.smv": {"properties": [{"type": "Past", "formula": "x"}], "verdicts": []}}',
        '{"a.smv": {"properties": [], "verdicts": [["specification", "p", "true"]]}}',
        '{"files": {"a.lts": {"targets": 3}}}',
        '{"results": [1], "tool": "Storm"}',
        '{"results": [{}], "tool": "Storm"}',
        '{"models": {"a": {"nusmv": 1}}}',
        '{"models": {"a": {"rule_g": 1}}}',
    ],
)
def test_verdicts_in_a_wrong_form_are_one_line(tmp_path: Path, text: str) -> None:
    file = tmp_path / "no-verdicts.json"
    file.write_text(text)
    with pytest.raises(InputError, match=r"verdicts in a wrong form|which the verdicts are about") as raised:
        expectations([file])
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("text", ['{"files": {"a.json": 1}}', '{"models": {"a": 1}}', "[1]", "x"])
def test_other_files_are_no_verdicts(tmp_path: Path, text: str) -> None:
    file = tmp_path / "other.json"
    file.write_text(text)
    assert not is_verdict_file(file)

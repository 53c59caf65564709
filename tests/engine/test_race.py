"""Races: who wins, who never starts, and what is said when nobody wins."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import Literal

import pytest

from symag.core.errors import CertificationError, UnsupportedError, UsageError
from symag.core.limits import Limits, Progress, no_progress
from symag.core.results import PropertyResult, RaceEntry, Verdict
from symag.core.source import SourceText
from symag.core.values import replace
from symag.process.decisions import decisions
from symag.process.frames import FrameReader, frame
from symag.process.race import once, race
from symag.smv import read_text
from symag.smv.aiger import Aiger, AigerLatch, ascii_text, parse, to_system
from symag.smv.checking.check import check, inquiries, select
from symag.smv.checking.methods import METHODS
from symag.smv.checking.portfolio.contest import Contest
from symag.smv.checking.portfolio.starts import COUPLED, HEAD_FACTOR, HEAD_START, LONGEST_HEAD_START, SEVERAL, WINNERS
from symag.smv.methods.options import SmvOptions
from symag.smv.model.flat import FlatSystem, Property
from tests.engine.fakes import HOLDS, SYSTEM, UNKNOWN, VIOLATED, answering, judges, property_, raising, sleeping

PROPERTY = property_()


def accepting(system: FlatSystem, item: Property, result: PropertyResult, seconds: float | None) -> PropertyResult:
    return replace(result, certified=True)


@pytest.mark.long
def test_auto_takes_the_first_decisive_answer() -> None:
    methods = judges(sleeping, accepting, monolithic=sleeping, rule_g=answering(HOLDS))
    start = time.monotonic()
    ((_, result),) = check(SYSTEM, [PROPERTY], "auto", limits=Limits(40), judges=methods)
    assert result.verdict is Verdict.HOLDS
    assert result.certified
    assert time.monotonic() - start < 36


BODY = "ASSIGN next(x) := y; next(y) := x;\nINVARSPEC x\n"


@pytest.mark.parametrize(
    ("text", "early"),
    [
        ("MODULE main\nVAR x : boolean; y : boolean;\n" + BODY, True),
        ("MODULE main\nVAR x : boolean; y : boolean; z : boolean;\n" + BODY, False),
        ("MODULE main\nVAR x : boolean; y : boolean; p : process idle;\n" + BODY + "MODULE idle\n", False),
    ],
)
def test_rule_g_starts_early_where_the_cone_is_the_whole_system(text: str, early: bool) -> None:
    system = read_text(text)
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
    delays = {runner.name: runner.delay for runner in contest.runners(0)}
    backward = delays["monolithic (backward)"]
    assert (delays["rule-g"] == COUPLED) if early else (delays["rule-g"] > backward)
    assert 0 < backward < 2


def test_the_answer_says_who_ran() -> None:
    methods = judges(sleeping, accepting, monolithic=answering(UNKNOWN), rule_g=answering(HOLDS))
    ((_, result),) = check(SYSTEM, [PROPERTY], "auto", limits=Limits(20), judges=methods)
    assert [(entry.method, entry.outcome) for entry in result.race] == [
        ("monolithic (both directions)", UNKNOWN.reason),
        ("monolithic (backward)", UNKNOWN.reason),
        ("rule-g", "decided"),
    ]


def test_who_ran_in_vain_is_said_too() -> None:
    methods = judges(sleeping, monolithic=answering(UNKNOWN), rule_g=sleeping)
    ((_, result),) = check(SYSTEM, [PROPERTY], "auto", limits=Limits(1), judges=methods)
    assert result.verdict is Verdict.UNKNOWN
    assert {entry.method: entry.outcome for entry in result.race}["rule-g"] == "timeout"


def test_who_decided_one_property_is_first_on_the_next() -> None:
    system = read_text("MODULE main VAR x : boolean; y : boolean; INVARSPEC x; INVARSPEC y; CTLSPEC EF x")
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
    assert contest.runners(1)[0].name == "monolithic (both directions)"
    contest.remember(0, replace(HOLDS, race=(RaceEntry("pdr", "decided", 1.0, 0.2),)))
    first, *others = contest.runners(2)
    assert (first.name, first.delay) == ("pdr", 0.0)
    assert others[0].delay == pytest.approx(HEAD_START + HEAD_FACTOR * 0.2)
    contest.remember(0, replace(HOLDS, race=(RaceEntry("pdr", "decided", 1.0, 0.1),)))
    assert contest.runners(2)[1].delay == pytest.approx(HEAD_START + HEAD_FACTOR * 0.2)
    contest.remember(0, replace(HOLDS, race=(RaceEntry("pdr", "decided", 90.0, 90.0),)))
    assert contest.runners(2)[1].delay == LONGEST_HEAD_START
    assert contest.runners(0)[0].name == "monolithic (both directions)"


def test_all_that_decided_a_property_come_before_the_others_on_the_next() -> None:
    system = read_text("MODULE main VAR x : boolean; y : boolean; INVARSPEC x; INVARSPEC y; INVARSPEC x | y")
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
    weights = {runner.name: runner.weight for runner in contest.runners(0)}
    for name in ("bmc", "pdr", "bmc"):
        contest.remember(0, replace(HOLDS, race=(RaceEntry(name, "decided", 1.0, 0.1),)))
    runners = contest.runners(2)
    head = HEAD_START + HEAD_FACTOR * 0.1
    assert [(runner.name, runner.delay) for runner in runners[:2]] == [("bmc", 0.0), ("pdr", pytest.approx(head))]
    assert all(runner.delay >= 2 * head for runner in runners[2:])
    for runner in runners:
        assert runner.weight == weights[runner.name] * (WINNERS if runner.name in ("bmc", "pdr") else 1)


@pytest.mark.parametrize("count", [1, SEVERAL])
def test_pdr_starts_second_and_sweeping_late_where_many_properties_can_use_clauses(count: int) -> None:
    bits = "".join(f"b{number} : boolean; " for number in range(60))
    parity = " xor ".join(f"b{number}" for number in range(60))
    system = read_text(f"MODULE main VAR {bits}" + f"INVARSPEC {parity}; " * count)
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
    names = [runner.name for runner in contest.runners(0)]
    if count == SEVERAL:
        assert names.pop(0) == "k-induction (all invariants)"
    assert names[0] == "k-induction (first steps)"
    assert names[1:3] == (
        ["pdr", "monolithic (both directions)"] if count == SEVERAL else ["monolithic (both directions)", "pdr"]
    )
    assert (names.index("sweeping") < names.index("bmc")) is (count == 1)


@pytest.mark.parametrize(("bits", "place"), [(2, 1), (60, 0), (2100, None)])
def test_first_steps_come_first_but_where_bits_are_few_or_thousands(bits: int, place: int | None) -> None:
    names = [f"b{number}" for number in range(bits)]
    system = read_text(
        f"MODULE main VAR {''.join(f'{name} : boolean; ' for name in names)} INVARSPEC {' | '.join(names)}"
    )
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
    names = [runner.name for runner in contest.runners(0)]
    assert (names.index("k-induction (first steps)") if "k-induction (first steps)" in names else None) == place


def test_facts_start_later_in_netlists() -> None:
    latches = tuple(AigerLatch(2 * number, 2 * number + 1) for number in range(1, 61))
    gates = ((122, 4, 2), *((2 * number + 120, 2 * number + 118, 2 * number + 2) for number in range(2, 60)))
    graph = ascii_text(Aiger(119, (), latches, (), gates, bad=(gates[-1][0],)))
    netlist = to_system(parse(graph.encode(), "and.aag"), SourceText.of("and.aag", graph))
    text = read_text("MODULE main VAR w : unsigned word[60]; ASSIGN next(w) := !w; INVARSPEC w = 0ud60_0")
    starts = []
    for system in (netlist, text):
        contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
        delays = {runner.name: runner.delay for runner in contest.runners(0)}
        starts.append(delays["parts"] - delays["pdr"])
    assert starts[0] > 1 > starts[1]


def test_what_ends_early_lets_all_others_start_earlier_by_what_it_did_not_use() -> None:
    """Sleep counts for a quarter: the last one is due 0.2 s of use after the second, which starts after 2 s."""

    def sleep(seconds: float, _: Progress) -> None:
        time.sleep(seconds)

    runners = [
        once("ends", partial(sleep, 2), None),
        once("waits", partial(sleep, 60), None, 30.0),
        once("answers", lambda _: None, None, 30.2),
    ]
    start = time.monotonic()
    finishes = race(runners, lambda finish: finish.name == "answers", None, no_progress)
    assert [finish.name for finish in finishes] == ["ends", "waits", "answers"]
    assert time.monotonic() - start < 8


@pytest.mark.parametrize(("seconds", "starts"), [(0.2, False), (0.9, True)])
def test_the_next_one_waits_for_what_is_brief(seconds: float, starts: bool, tmp_path: Path) -> None:
    def burn(_: Progress) -> None:
        while time.process_time() < seconds:  # a child's clock begins at 0
            pass

    def next_one(_: Progress) -> None:
        (tmp_path / "started").touch()

    runners = [replace(once("brief", burn, None), brief=0.4), once("next", next_one, None, 0.05)]
    race(runners, lambda finish: finish.name == "brief", None, no_progress)
    assert (tmp_path / "started").exists() is starts


def test_auto_goes_on_when_a_method_gives_up_or_crashes() -> None:
    methods = judges(sleeping, monolithic=raising(TypeError("bug")), rule_g=answering(VIOLATED))
    ((_, result),) = check(SYSTEM, [PROPERTY], "auto", limits=Limits(20), judges=methods)
    assert result.verdict is Verdict.VIOLATED


def test_what_the_first_method_does_not_support_is_asked_of_no_other() -> None:
    methods = judges(sleeping, monolithic=raising(UnsupportedError("LTL")), rule_g=sleeping)
    ((_, result),) = check(SYSTEM, [PROPERTY], "auto", judges=methods)
    assert result.reason == "unsupported: LTL"


def test_auto_prefers_the_reason_that_more_time_would_mend() -> None:
    methods = judges(sleeping, monolithic=sleeping, rule_g=answering(UNKNOWN))
    ((_, result),) = check(SYSTEM, [PROPERTY], "auto", limits=Limits(1), judges=methods)
    assert (result.verdict, result.reason, result.method) == (Verdict.UNKNOWN, "timeout", "auto")


def test_auto_starts_one_process_only_for_a_fast_answer() -> None:
    methods = judges(sleeping, monolithic=answering(HOLDS), rule_g=raising(AssertionError("started")))
    ((_, result),) = check(SYSTEM, [PROPERTY], "auto", judges=methods)
    assert result.verdict is Verdict.HOLDS


def test_auto_searches_in_the_direction_that_is_asked_for() -> None:
    def decide(system: FlatSystem, item: Property, options: SmvOptions, progress: object) -> PropertyResult:
        return replace(HOLDS, method=options.direction)

    ((_, result),) = check(
        SYSTEM, [PROPERTY], "auto", SmvOptions(direction="backward"), judges=judges(decide, monolithic=decide)
    )
    assert result.method == "backward"


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_one_direction_decides_every_kind_of_property(direction: Literal["forward", "backward"]) -> None:
    system = read_text(
        "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4; "
        "CTLSPEC AG EF x = 0; LTLSPEC G F x = 0; LTLSPEC G (x = 1 -> X x = 2); "
        "COMPUTE MIN [x = 0, x = 3]; INVARSPEC next(x) != x; INVARSPEC x < 3"
    )
    results = [result for _, result in check(system, system.properties, "auto", SmvOptions(direction=direction))]
    assert [result.verdict.value for result in results] == ["holds", "computed", *["holds"] * 3, "violated"]
    assert all(result.certified for result in results if result.verdict is not Verdict.COMPUTED)


def test_the_search_in_one_direction_comes_first() -> None:
    def decide(system: FlatSystem, item: Property, options: SmvOptions, progress: object) -> PropertyResult:
        return replace(HOLDS, method=options.direction)

    methods = judges(decide, monolithic=decide, rule_g=raising(AssertionError("started")))
    ((_, result),) = check(SYSTEM, [PROPERTY], "auto", SmvOptions(direction="backward"), judges=methods)
    assert result.method == "backward"


def test_memory_limit_reaches_the_method() -> None:
    def decide(system: FlatSystem, item: Property, options: SmvOptions, progress: object) -> PropertyResult:
        return replace(HOLDS, statistics={"memory_option": options.memory})

    ((_, result),) = check(SYSTEM, [PROPERTY], "fake", limits=Limits(memory=500), judges=judges(decide))
    assert result.statistics["memory_option"] == 500


def test_a_refused_certificate_is_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(system: FlatSystem, item: Property, result: PropertyResult, seconds: float | None) -> PropertyResult:
        if item.index == 0:
            raise CertificationError("premise 2 fails")
        return replace(result, certified=True)

    monkeypatch.chdir(tmp_path)
    items = [property_(0), property_(1)]
    (_, refused), (_, other) = check(SYSTEM, items, "fake", judges=judges(answering(HOLDS), refusing))
    assert refused.verdict is Verdict.UNKNOWN
    assert str(refused.reason).startswith("re-check refused: premise 2 fails; the evidence is kept in ")
    assert (other.verdict, other.certified) == (Verdict.HOLDS, True)


def test_a_recheck_without_end_leaves_the_verdict_uncertified() -> None:
    def endless(*_: object) -> PropertyResult:
        time.sleep(60)
        raise AssertionError

    ((_, result),) = check(SYSTEM, [PROPERTY], "fake", limits=Limits(0.4), judges=judges(answering(HOLDS), endless))
    assert result.verdict is Verdict.HOLDS
    assert not result.certified
    assert result.warnings == ("not certified: the re-check ended with: timeout",)


def test_no_recheck_unless_wanted() -> None:
    ((_, result),) = check(SYSTEM, [PROPERTY], "fake", certify=False, judges=judges(answering(HOLDS), accepting))
    assert not result.certified


def test_answers_stream_in_order() -> None:
    items = [property_(index) for index in range(3)]
    asked = inquiries(SYSTEM, items, "fake", judges=judges(answering(HOLDS)))
    stream = decisions(asked, Limits(), True, no_progress)
    assert [item.index for item, _ in stream] == [0, 1, 2]


def test_select_by_name_and_number() -> None:
    system = replace_properties((property_(0, "first"), property_(1)))
    assert [item.index for item in select(system, ["1", "first"])] == [0, 1]
    assert len(select(system, [])) == 2
    with pytest.raises(UsageError, match="no property 'second'; there are first, 1"):
        select(system, ["second"])


def test_unknown_method() -> None:
    with pytest.raises(UsageError, match="no method 'magic'"):
        check(SYSTEM, [PROPERTY], "magic", judges=judges(sleeping))


def test_frames_survive_any_fragmentation() -> None:
    messages = [("progress", "a"), ("value", list(range(1000))), ("reason", "")]
    data = b"".join(frame(message) for message in messages)
    for size in (1, 7, 64, len(data)):
        reader = FrameReader()
        pieces = [data[start : start + size] for start in range(0, len(data), size)]
        assert [message for piece in pieces for message in reader.feed(piece)] == messages


def replace_properties(properties: tuple[Property, ...]) -> FlatSystem:
    return FlatSystem(SYSTEM.source, (), {}, (), (), (), (), (), (), properties)


def test_sat_comes_first_where_thousands_of_state_bits_matter() -> None:
    latches = [AigerLatch(2 * number, 2 * number - 2 if number > 1 else 1) for number in range(1, 2_002)]
    text = ascii_text(Aiger(2_001, (), tuple(latches), (), (), bad=(latches[-1].literal, latches[1_999].literal)))
    system = to_system(parse(text.encode(), "shift.aag"), SourceText.of("shift.aag", text))
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
    delays = {runner.name: runner.delay for runner in contest.runners(0)}
    assert [name for name in delays if delays[name] < 5] == ["bmc", "pdr"]
    # The cone of the other has one latch less.
    assert {runner.name: runner.delay for runner in contest.runners(1)}["monolithic (both directions)"] < 5

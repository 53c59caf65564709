"""The order in which methods enter a race, by what earlier properties and the kind of the model tell."""

from __future__ import annotations

import pytest

from symag.core.results import PropertyResult, RaceEntry, Verdict
from symag.core.trace import Step, Trace
from symag.core.values import replace
from symag.process.child import ChildOutcome
from symag.process.race import RunnerResult
from symag.smv import read_text
from symag.smv.certificates.invariants import Induction
from symag.smv.checking.methods import METHODS
from symag.smv.checking.portfolio import starts
from symag.smv.checking.portfolio.contest import Contest
from symag.smv.checking.portfolio.schedule import BRIEF_EACH
from symag.smv.checking.portfolio.starts import DEEP, HARD, HEAD_FACTOR, HEAD_START, SEVERAL, SEVERAL_AT_ONCE, TRIALS
from symag.smv.methods.k_induction import TOGETHER_SECONDS_IF_BRIEF
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.sat.simultaneous import SHARE
from symag.smv.model.waiting import all_may_wait


@pytest.mark.parametrize(("states", "second"), [(DEEP, False), (DEEP + 1, True)])
def test_bounded_search_comes_second_after_a_long_violation_by_first_steps(states: int, second: bool) -> None:
    system = read_text("MODULE main VAR x : boolean; y : boolean; INVARSPEC x; INVARSPEC y")
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
    weights = {runner.name: runner.weight for runner in contest.runners(0)}
    trace = Trace("finite", (Step({}),) * states)
    name = "k-induction (first steps)"
    answer = PropertyResult(Verdict.VIOLATED, "k-induction", trace=trace, race=(RaceEntry(name, "decided", 1.0, 0.1),))
    contest.remember(0, answer)
    runners = contest.runners(1)
    assert runners[0].name == name
    assert (runners[1].name == "bmc") is second
    assert [runner.weight for runner in runners if runner.name == "bmc"] == [weights["bmc"]]


@pytest.mark.parametrize(("verdict", "first"), [(Verdict.VIOLATED, ["bmc", "pdr"]), (Verdict.HOLDS, ["pdr"])])
def test_bounded_search_comes_first_after_a_violation_by_pdr(verdict: Verdict, first: list[str]) -> None:
    system = read_text("MODULE main VAR x : boolean; INVARSPEC x; INVARSPEC x")
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
    weights = {runner.name: runner.weight for runner in contest.runners(0)}
    contest.remember(0, PropertyResult(verdict, "pdr", race=(RaceEntry("pdr", "decided", 1.0, 0.1),)))
    runners = contest.runners(1)
    assert [runner.name for runner in runners][: len(first)] == first
    assert [runner.weight for runner in runners if runner.name == "bmc"] == [weights["bmc"]]


@pytest.mark.parametrize(("defines", "first"), [(1, "parts"), (3, "sweeping")])
def test_sweeping_comes_early_in_circuits_of_bits_and_defines(defines: int, first: str) -> None:
    wires = "".join(f"DEFINE d{number} := x & y;" for number in range(defines))
    system = read_text(f"MODULE main VAR x : boolean; y : boolean; {wires} INVARSPEC x")
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
    names = [runner.name for runner in contest.runners(0)]
    assert names[:3] == ["monolithic (both directions)", "k-induction (first steps)", first]


def test_bounded_search_comes_before_parts_where_several_properties_read_many_bits() -> None:
    system = read_text(
        "MODULE main VAR w : unsigned word[60]; ASSIGN next(w) := !w;" + "INVARSPEC w = 0ud60_0; " * SEVERAL
    )
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
    names = [runner.name for runner in contest.runners(0)]
    assert names.index("bmc") < names.index("parts")


def test_every_winner_has_a_head_start_of_its_own() -> None:
    system = read_text("MODULE main VAR x : boolean; INVARSPEC x; INVARSPEC x; INVARSPEC x")
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
    for name, seconds in (("bmc", 0.3), ("parts", 0.2), ("pdr", 0.1)):
        contest.remember(0, PropertyResult(Verdict.HOLDS, name, race=(RaceEntry(name, "decided", 1.0, seconds),)))
    delays = {runner.name: runner.delay for runner in contest.runners(0)}
    first = HEAD_START + HEAD_FACTOR * 0.1
    both = first + HEAD_START + HEAD_FACTOR * 0.2
    assert [delays[name] for name in ("pdr", "parts", "bmc")] == [0.0, pytest.approx(first), pytest.approx(both)]
    assert min(delay for name, delay in delays.items() if name not in ("pdr", "parts")) == pytest.approx(both)


@pytest.mark.parametrize(
    ("last", "waits"),
    [
        ("x59 union x0", True),
        ("case x1 : x0; x2 : {TRUE, FALSE} union x0; TRUE : x0 union !x0; esac", True),
        ("case x1 : x0; TRUE : x2 union x3; esac", False),
        ("!x0 union x1", False),
    ],
)
def test_bdds_come_well_before_the_others_where_all_of_many_variables_may_wait(last: str, waits: bool) -> None:
    """As in a speed-independent circuit, whose violations need many steps."""
    bits = range(60)
    text = "".join(f"VAR x{n} : boolean; " for n in bits) + f"ASSIGN next(x0) := {last}; "
    text += "".join(f"next(x{n}) := x{n - 1} union x{n}; " for n in bits[1:])
    system = read_text(f"MODULE main {text} INVARSPEC x0 | x59")
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
    first, second = contest.runners(0)[:2]
    assert all_may_wait(system) is waits
    assert ((first.name, second.delay > 1.0) == ("monolithic (both directions)", True)) is waits


@pytest.mark.parametrize(
    ("model", "leads"),
    [
        ("TRANS x0 -> next(x1)", True),
        ("TRANS next(x0) = x1 & (x0 -> next(x1))", False),
        ("ASSIGN next(x0) := x1; TRANS x0 -> next(x1)", False),
        ("ASSIGN next(x0) := x1;", False),
    ],
)
def test_bdds_lead_forward_where_only_a_relation_says_what_follows(model: str, leads: bool) -> None:
    bits = "".join(f"VAR x{n} : boolean; " for n in range(60))
    system = read_text(f"MODULE main {bits} {model} INVARSPEC {' | '.join(f'x{n}' for n in range(60))}")
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
    runners = contest.runners(0)
    assert [runner.name for runner in runners if runner.lead] == ["monolithic (forward)"] * leads
    # Steps backward are another search then.
    searches = [runner.name for runner in runners if runner.name.startswith("monolithic")]
    assert searches[0] == ("monolithic (forward)" if leads else "monolithic (both directions)")
    assert searches[1:] == ["monolithic (backward)"]


def test_nothing_leads_once_another_method_has_decided() -> None:
    system = read_text("MODULE main VAR x : boolean; SPEC AF x; SPEC AF !x")
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
    assert any(runner.lead for runner in contest.runners(0))
    contest.remember(0, PropertyResult(Verdict.HOLDS, "pdr", race=(RaceEntry("pdr", "decided", 1.0, 0.1),)))
    assert not any(runner.lead for runner in contest.runners(1))


def _after(*decided: tuple[str, float]) -> tuple[list[str], list[str]]:
    """What leads the race for CTL and the one for an invariant, after methods have decided earlier properties."""
    system = read_text("MODULE main VAR x : boolean; SPEC AF x; INVARSPEC x")
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
    for name, seconds in decided:
        contest.remember(0, PropertyResult(Verdict.HOLDS, name, race=(RaceEntry(name, "decided", 1.0, seconds),)))
    ctl, invariant = ([runner.name for runner in contest.runners(position) if runner.lead] for position in (0, 1))
    return ctl, invariant


def test_what_decides_hard_properties_leads() -> None:
    bdds = "monolithic (both directions)"
    assert _after((bdds, HARD), (bdds, 0.1), ("parts", 1.0)) == ([bdds], [bdds])
    assert _after((bdds, HARD - 1)) == ([bdds], [])
    assert _after((bdds, HARD), ("parts", HARD + 1)) == ([bdds], [])


def test_what_does_not_enter_the_race_is_no_rival() -> None:
    first_steps = ("k-induction (first steps)", 0.1)
    assert _after(first_steps) == (["monolithic (both directions)"], [])


def test_delays_leads_and_what_others_wait_for_are_multiplied_by_the_slowness() -> None:
    system = read_text("MODULE main VAR x : boolean; ASSIGN next(x) := x; INVARSPEC x; CTLSPEC AG EF x")
    fast, slow = (
        Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=factor)
        for factor in (1.0, 2.0)
    )
    for position in (0, 1):
        expected = [(item.name, 2 * item.delay, 2 * item.lead, 2 * item.brief) for item in fast.runners(position)]
        assert [(item.name, item.delay, item.lead, item.brief) for item in slow.runners(position)] == expected
    assert any(item.lead > 0 for item in slow.runners(0))
    assert any(item.brief > 0 for item in slow.runners(1))


@pytest.mark.parametrize("invariants", [SEVERAL_AT_ONCE, 30])
def test_the_others_wait_longer_for_the_search_for_many_invariants(invariants: int) -> None:
    """Until it has used half of what simultaneous induction may use in vain for all of them."""
    name = "k-induction (all invariants)"
    system = read_text("MODULE main VAR x : boolean; LTLSPEC F x;" + "INVARSPEC x;" * invariants)
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=2.0)

    def brief() -> float:
        (runner,) = [runner for runner in contest.runners(1) if runner.name == name]
        return runner.brief

    each = BRIEF_EACH["all invariants"]
    assert TOGETHER_SECONDS_IF_BRIEF <= each <= SHARE * TOGETHER_SECONDS_IF_BRIEF
    assert brief() == pytest.approx(each * invariants)
    entry = RaceEntry(name, "overtaken", 9.0, each)
    contest.remember(0, PropertyResult(Verdict.HOLDS, "pdr", race=(entry,)))
    assert brief() == pytest.approx(each * (invariants - 1))
    contest.remember(0, PropertyResult(Verdict.HOLDS, "pdr", race=(replace(entry, cpu_seconds=100.0),)))
    assert brief() == 0.0


@pytest.mark.parametrize(("invariants", "weight"), [(4, 4.0), (9, 9.0), (30, 12.0)])
def test_the_search_for_all_invariants_weighs_more_the_more_are_open(invariants: int, weight: float) -> None:
    system = read_text("MODULE main VAR x : boolean;" + "INVARSPEC x;" * invariants)
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
    weights = [
        {runner.name: runner.weight for runner in contest.runners(position)}["k-induction (all invariants)"]
        for position in (0, invariants - 1)
    ]
    assert weights == [weight, 4.0]


def test_the_search_for_all_weighs_less_where_answers_are_known() -> None:
    system = read_text("MODULE main VAR x : boolean;" + "INVARSPEC x;" * 9)
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
    proofs = {index: Induction(1, (), ()) for index in (6, 7)}
    news = PropertyResult(Verdict.UNKNOWN, "k-induction", reason="bound", others=proofs)
    contest.note([RunnerResult("k-induction (all invariants)", ChildOutcome(news))])
    assert {runner.name: runner.weight for runner in contest.runners(0)}["k-induction (all invariants)"] == 7.0


@pytest.mark.parametrize(
    ("winner", "is_large"),
    [
        (None, False),
        ("k-induction (all invariants)", False),
        ("k-induction (first steps)", False),
        ("k-induction (first steps)", True),
    ],
)
def test_the_search_for_all_and_first_steps_start_together(
    winner: str | None, is_large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starts, "LARGE_NETLIST", 0 if is_large else 10)
    text = "MODULE main VAR w : unsigned word[60]; DEFINE d := w; ASSIGN next(w) := !w;"
    system = read_text(text + "INVARSPEC d = 0ud60_0; " * SEVERAL_AT_ONCE)
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
    if winner is not None:
        contest.remember(
            0, PropertyResult(Verdict.HOLDS, "k-induction", race=(RaceEntry(winner, "decided", 1.0, 0.1),))
        )
    first, second, third = contest.runners(1)[:3]
    expected = ["k-induction (all invariants)", "k-induction (first steps)"]
    assert [first.name, second.name] == (expected[::-1] if is_large else expected)
    assert first.delay == second.delay == 0.0
    assert third.delay > 0.0 or winner is None


def test_the_head_start_of_who_decided_is_in_seconds_of_a_fast_machine() -> None:
    """It is multiplied by the slowness again when the next race begins."""
    system = read_text("MODULE main VAR x : boolean; INVARSPEC x; INVARSPEC x")
    second = []
    for factor in (1.0, 2.0):
        contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=factor)
        race = (RaceEntry("pdr", "decided", 1.0, 0.2 * factor),)
        contest.remember(0, PropertyResult(Verdict.HOLDS, "pdr", race=race))
        second.append(contest.runners(1)[1].delay)
    assert second[0] == pytest.approx(HEAD_START + HEAD_FACTOR * 0.2)
    assert second[1] == pytest.approx(2 * second[0])


WORDS = "VAR x : word[32]; y : word[32]; here : boolean; "
NUMBERS = "VAR x : 0..268435455; y : 0..268435455; here : boolean; "
STEPS = "TRANS (here & next(x) = y & !next(here)) | (!here & next(y) = x & next(here)) INVARSPEC x = y"
EQUATIONS = "TRANS next(x) = y & next(y) = x & next(here) = here INVARSPEC x = y"


@pytest.mark.parametrize(
    ("model", "first", "second"),
    [
        (WORDS + STEPS, "k-induction", "pdr"),
        (WORDS.replace("32", "8") + STEPS, "monolithic (both directions)", "k-induction (first steps)"),
        (NUMBERS + STEPS, "monolithic (forward)", "k-induction (first steps)"),
        (WORDS + EQUATIONS, "k-induction (first steps)", "monolithic (both directions)"),
    ],
    ids=["a program", "a small program", "numbers", "equations"],
)
def test_induction_comes_first_on_wide_words_of_which_only_trans_says_what_follows(
    model: str, first: str, second: str
) -> None:
    system = read_text("MODULE main " + model)
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=1.0)
    assert [runner.name for runner in contest.runners(0)][:2] == [first, second]


@pytest.mark.parametrize(
    ("kind", "leads"),
    [("{floor, box, wall}", True), ("boolean", False), ("unsigned word[2]", False), ("0..500", False)],
    ids=["a puzzle", "bits", "words", "numbers"],
)
def test_bdds_lead_after_the_trials_where_most_bits_are_those_of_small_values(kind: str, leads: bool) -> None:
    """A Sokoban board of 160 bits, which ``monolithic`` decides in 3 s, had no answer in 40."""
    cells = "".join(f"VAR c{number} : {kind}; ASSIGN next(c{number}) := c{number - 1};" for number in range(1, 60))
    system = read_text(f"MODULE main VAR c0 : {kind}; {cells} INVARSPEC c0 = c59")
    contest = Contest(system, system.properties, "auto", SmvOptions(), METHODS, None, slowness=2.0)
    leading = [(runner.name, runner.lead_after) for runner in contest.runners(0) if runner.lead]
    assert leading == [("monolithic (both directions)", 2 * TRIALS)] * leads

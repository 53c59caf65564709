"""The tableau's variables: one for each sub-formula that needs one, and no second one for an equal sub-formula."""

from __future__ import annotations

import pytest

from symag.bdd.dd_context import DdContext
from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.certify.runs.replay import replay
from symag.smv.methods import monolithic
from symag.smv.methods.options import SmvOptions
from symag.smv.model.printer import expression_text
from symag.smv.symbolic.relation import TransitionRelation
from symag.smv.temporal.tableau import product


@pytest.mark.parametrize(
    ("formula", "meanings"),
    [
        ("F p -> F p", [" X ( F p)"]),
        ("(Y Y p) & (Y Y p | Y p)", [" Y p", " Y ( Y p)"]),
        ("X F p & F p", [" X ( F p)"]),
        ("F p & X F p", [" X ( F p)"]),
        ("O p & Y O p", [" Y ( O p)"]),
        ("H p & Z H p", [" Z ( H p)"]),
        ("H p & Y H p", [" Z ( H p)", " Y ( H p)"]),
        ("F [1, 2] p & X (p | X p)", [" X p", " X (p |  X p)"]),
        ("(p U q) & (q U p) & (p U q)", [" X (p U q)", " X (q U p)"]),
        ("F i & F i", ["i", " X ( F i)"]),
        ("F (x = 1) & F (w = 0ud2_1) & F (x = 1)", [" X ( F x = 1)", " X ( F w = 0ud2_1)"]),
    ],
)
def test_equal_sub_formulas_have_one_variable(formula: str, meanings: list[str]) -> None:
    text = "MODULE main VAR p : boolean; q : boolean; x : 0..1; w : word[2]; IVAR i : boolean; LTLSPEC "
    system = read_text(text + formula)
    assert system.properties[0].expression is not None
    automaton = product(system, system.properties[0].expression)
    assert [expression_text(meaning) for _, meaning in automaton.meanings] == [one.strip() for one in meanings]
    assert len(automaton.system.justice) == sum(" F " in meaning or " U " in meaning for meaning in meanings)


def test_a_long_cycle_takes_few_preimages(monkeypatch: pytest.MonkeyPatch) -> None:
    length, calls = 60, 0
    preimage = TransitionRelation.preimage

    def counted(self: TransitionRelation, *arguments: object) -> object:
        nonlocal calls
        calls += 1
        return preimage(self, *arguments)

    monkeypatch.setattr(TransitionRelation, "preimage", counted)
    system = read_text(
        f"MODULE main VAR x : 0..{length - 1};"
        f"ASSIGN init(x) := 0; next(x) := (x + 1) mod {length}; LTLSPEC G F (x = {length - 1})"
    )
    result = monolithic.decide(system, system.properties[0], SmvOptions(), lambda _: None)
    assert result.verdict is Verdict.HOLDS
    # Without the removal of all states without successors in each round, about length ** 2 / 2.
    assert length < calls < 5 * length


@pytest.mark.parametrize("steps", [98, 99, 104, 105])
def test_a_tableau_of_many_variables_is_sifted_as_it_grows(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    switched: list[bool] = []
    switch = DdContext.reorder_automatically

    def recorded(self: DdContext, enabled: bool) -> None:
        switched.append(enabled)
        switch(self, enabled)

    monkeypatch.setattr(DdContext, "reorder_automatically", recorded)
    system = read_text(
        "MODULE main VAR x : 0..6; y : boolean; ASSIGN init(x) := 0; next(x) := (x + 1) mod 7;"
        f"LTLSPEC {'X ' * steps}(x = 0 | y & G y)"
    )
    result = monolithic.decide(system, system.properties[0], SmvOptions(), lambda _: None)
    assert (True in switched) is (steps > 100)
    assert not switched[-1]
    assert result.verdict is (Verdict.HOLDS if steps % 7 == 0 else Verdict.VIOLATED)
    if result.verdict is Verdict.VIOLATED:
        assert result.trace is not None
        replay(system, system.properties[0], result.trace)

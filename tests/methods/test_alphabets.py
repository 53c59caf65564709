"""Small alphabets are refined by the variables that matter, and only by them."""

from __future__ import annotations

import itertools

import pytest

from symag.core.limits import no_progress
from symag.smv import read_text
from symag.smv.methods.by_parts.ascv.alphabets import RefinedAlphabets, variable_to_show
from symag.smv.methods.by_parts.ascv.ascv_g import AscvG, PrintedAscvG
from symag.smv.methods.by_parts.ascv.sides import RuleProof, ViolatingWord, produces
from symag.smv.methods.by_parts.decision import subjects
from symag.smv.methods.by_parts.decomposition import composition, decompose, free_inputs
from symag.smv.methods.options import SmvOptions
from tests.methods.separation import outcome_of

# That both copies read the same i matters for x = y; what they read of j and k does not.
MODEL = """
MODULE main
VAR i : boolean; j : 0..2; k : boolean; x : boolean; y : boolean; xx : boolean; yy : boolean;
ASSIGN
  init(x) := FALSE; next(x) := i; init(xx) := FALSE; next(xx) := (j = 1 & xx) | (x & k);
  init(y) := FALSE; next(y) := i; init(yy) := FALSE; next(yy) := (k & yy) | (y & j = 2);
INVARSPEC x = y
INVARSPEC !(x & xx & !y)
INVARSPEC !(xx & yy)
"""
PARTS = (("i", "x", "xx"), ("j", "k", "y", "yy"))


def _prepared(number):
    system = read_text(MODEL)
    chosen = SmvOptions(cone_of_influence=False)
    (prepared,) = subjects(system, system.properties[number], chosen, ("none",))
    return prepared


@pytest.mark.parametrize("algorithm", [AscvG, PrintedAscvG])
@pytest.mark.parametrize("look_ahead", [False, True])
@pytest.mark.parametrize(("number", "hidden", "verdict"), [(0, ("j", "k"), RuleProof), (1, ("j", "k"), RuleProof)])
def test_only_what_matters_is_shown(algorithm, look_ahead, number, hidden, verdict):
    prepared = _prepared(number)
    names = itertools.count()
    free = free_inputs(prepared.symbolic, PARTS, prepared.safe)
    assert free == ("i", "j", "k")
    modules = decompose(prepared.symbolic, PARTS, prepared.safe)
    whole = composition(prepared.symbolic, [name for module in modules for name in module.letters], prepared.safe)

    def start(unseen):
        shown = decompose(prepared.symbolic, PARTS, prepared.safe, unseen, look_ahead)
        return algorithm(shown, whole, None, True, no_progress, f"{next(names)}.")

    run = RefinedAlphabets(free, start)
    assert isinstance(outcome_of(run), verdict)
    assert run.hidden == tuple(name for name in free if name in hidden)


def test_a_real_violation_needs_nothing_shown_but_what_it_reads():
    prepared = _prepared(2)
    modules = decompose(prepared.symbolic, PARTS, prepared.safe)
    whole = composition(prepared.symbolic, [name for module in modules for name in module.letters], prepared.safe)
    free = free_inputs(prepared.symbolic, PARTS, prepared.safe)
    names = itertools.count()
    run = RefinedAlphabets(
        free,
        lambda unseen: AscvG(
            decompose(prepared.symbolic, PARTS, prepared.safe, unseen),
            whole,
            None,
            True,
            no_progress,
            f"{next(names)}.",
        ),
    )
    outcome = outcome_of(run)
    assert isinstance(outcome, ViolatingWord)
    assert produces(whole, outcome.word)


def test_letters_that_a_module_does_not_see_may_change_along_its_run():
    """Once a crash: the letters of others stayed in the module's states. Here t, which x's module does not see."""
    text = MODEL.replace("ASSIGN", "  t : boolean; ASSIGN init(t) := FALSE; next(t) := !t;")
    system = read_text(text.replace("(y & j = 2)", "(y & t & j = 2)"))
    (prepared,) = subjects(system, system.properties[0], SmvOptions(cone_of_influence=False), ("none",))
    parts = (*PARTS, ("t",))
    free = free_inputs(prepared.symbolic, parts, prepared.safe)
    modules = decompose(prepared.symbolic, parts, prepared.safe, free)
    whole = composition(prepared.symbolic, [name for module in modules for name in module.letters], prepared.safe)

    def start(unseen):
        shown = decompose(prepared.symbolic, parts, prepared.safe, unseen)
        return AscvG(shown, whole, None, True, no_progress, f"{len(unseen)}.")

    assert isinstance(outcome_of(RefinedAlphabets(free, start)), RuleProof)


def test_modules_that_agree_have_nothing_to_show():
    prepared = _prepared(0)
    modules = decompose(prepared.symbolic, PARTS, prepared.safe, ("i", "j", "k"))
    bits = tuple(dict.fromkeys(bit for module in modules for bit in module.letter_bits))
    letter = prepared.symbolic.context.cube(dict.fromkeys(bits, False))
    with pytest.raises(ValueError, match="agree"):
        variable_to_show(modules, ("i", "j", "k"), [letter])

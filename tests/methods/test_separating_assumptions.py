"""Assumptions between the strongest and the weakest, of Rule-S and of Rule-G, beside enumeration."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from unittest import mock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from symag.core.limits import no_progress
from symag.smv import read_text
from symag.smv.methods.by_parts.ascv import separating_s
from symag.smv.methods.by_parts.ascv.ascv_s import Memoryless, ProvedByRuleS
from symag.smv.methods.by_parts.ascv.falsification import EarlyFalsification
from symag.smv.methods.by_parts.ascv.separating_g import SeparatingG
from symag.smv.methods.by_parts.ascv.sides import RuleProof, ViolatingWord
from symag.smv.methods.by_parts.decision import subjects
from symag.smv.methods.by_parts.decomposition import decompose
from symag.smv.methods.by_parts.module import letter_cube
from symag.smv.methods.options import SmvOptions
from tests.brute_force import Explicit
from tests.conftest import examples
from tests.methods.separation import (
    common_word,
    failing_module,
    failing_premise,
    fewest_states,
    outcome_of,
    rejected_by_all,
)
from tests.methods.weakest_assumption import ExplicitModule

# The learner's last diagrams may end up in reference cycles of hypothesis; dd complains when the manager goes first.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
QUIET = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

NAMES = ("a0", "a1", "b0", "b1")


@st.composite
def tiny(draw):
    """The text of a system of two parts with two bits each; a0 and b0 are what the parts show each other.

    There may be an input of the first part, a frozen bit of the second, and dead ends.
    """
    kinds = dict.fromkeys(NAMES, "VAR")
    kinds["a1"] = draw(st.sampled_from(["VAR", "VAR", "IVAR"]))
    kinds["b1"] = draw(st.sampled_from(["VAR", "VAR", "FROZENVAR"]))
    lines = ["MODULE main", *(f"{kind} {name} : boolean;" for name, kind in kinds.items())]
    for part in ("a", "b"):
        own = (f"{part}0", f"{part}1")
        read = (*own, "a0", "b0")
        for name in own:
            if kinds[name] != "IVAR" and draw(st.integers(0, 3)):
                values = draw(st.sampled_from(["FALSE", "TRUE"]))
                lines.append(f"ASSIGN init({name}) := {values};")
            if kinds[name] == "VAR" and draw(st.integers(0, 3)):
                lines.append(f"ASSIGN next({name}) := {draw(formulas(read))};")
        if not draw(st.integers(0, 3)):
            state = [name for name in (own[0], "a0", "b0", own[1]) if kinds[name] != "IVAR"]
            lines.append(f"INVAR {draw(formulas(state))} | {state[0]};")
    lines.append(f"INVARSPEC {draw(formulas(('a0', 'b0')))} | a0 & b0;")
    return "\n".join(lines)


def formulas(names):
    """Formulas over some variables, as text."""
    literals = st.sampled_from([sign + name for name in names for sign in ("", "!")])
    return st.tuples(literals, st.sampled_from(["&", "|", "xor"]), literals).map(lambda parts: f"({' '.join(parts)})")


def _modules(text):
    """The system, its two modules, and all of it as one module."""
    system = read_text(text)
    chosen = SmvOptions(cone_of_influence=False, reordering=False)
    (prepared,) = subjects(system, system.properties[0], chosen, ("none",))
    modules = decompose(prepared.symbolic, (NAMES[:2], NAMES[2:]), prepared.safe)
    return system, modules, prepared.composition(modules)


def test_an_assumption_exists_exactly_if_the_property_holds():
    """Then the weakest one (all that the first module tolerates) satisfies the premises, and so does the strongest."""
    ends = Counter()

    @settings(QUIET, max_examples=examples(200))
    @given(tiny())
    def exists(text):
        system, modules, _ = _modules(text)
        assert modules[0].letter_bits == modules[1].letter_bits
        first, second = (ExplicitModule(module) for module in modules)
        holds = Explicit(system).holds(system.properties[0])
        assert (common_word(first, second) is None) == holds
        weakest = failing_premise(first, second, None, first.after, first.produces)
        strongest = failing_premise(first, second, None, second.after, lambda s, b: not second.produces(s, b))
        assert (weakest, strongest) == ((None, None) if holds else (2, 1))
        least = fewest_states(first, second, most=2)
        assert holds or least is None
        ends["holds" if holds else "violated"] += 1

    exists()
    assert ends["holds"] >= 3 <= ends["violated"], ends


def _learned(modules, whole, automata_alone):
    """The outcome of the search for an assumption, with all that it tries or by separating automata alone."""
    with ExitStack() as stack:
        if automata_alone:
            stack.enter_context(mock.patch.object(separating_s.EarlyFalsification, "search", return_value=None))
        proof = None if automata_alone else outcome_of(Memoryless(*modules, whole.letter_bits, no_progress))
        return proof or outcome_of(separating_s.SeparatingS(*modules, whole, no_progress))


def _automaton(module, conjecture):
    """A learned assumption as functions over letters; where it has no edge it rejects nothing any more."""
    cubes = {letter: _cube(module, letter) for letter in ExplicitModule(module).letters}

    def meets(letters, letter):
        return letters & cubes[letter] != module.context.false

    def step(state, letter):
        targets = [] if state is None else [t for t, letters in conjecture.edges[state] if meets(letters, letter)]
        assert len(targets) <= 1  # deterministic
        return targets[0] if targets else None

    return step, lambda state, letter: state is not None and meets(conjecture.rejects[state], letter)


def _cube(module, letter):
    return letter_cube(module.context, module.letter_bits, dict(zip(module.letter_bits, letter, strict=True)))


def _word(module, cubes):
    """A word of cubes as letters."""
    return tuple(tuple(module.context.pick(cube)[bit] for bit in module.letter_bits) for cube in cubes)


def test_the_learned_assumption_satisfies_both_premises_and_is_the_smallest():
    ends = Counter()

    @settings(QUIET, max_examples=examples(200))
    @given(tiny(), st.booleans())
    def learns(text, automata_alone):
        _, modules, whole = _modules(text)
        first, second = (ExplicitModule(module) for module in modules)
        outcome = _learned(modules, whole, automata_alone)
        if common_word(first, second) is not None:
            assert isinstance(outcome, ViolatingWord)
            word = _word(modules[0], outcome.word)
            assert first.in_language(word)
            assert second.in_language(word)
            ends["violated"] += 1
            return
        assert isinstance(outcome, ProvedByRuleS)
        step, rejects = _automaton(modules[0], outcome.assumption)
        assert failing_premise(first, second, 0, step, rejects) is None
        states = len(outcome.assumption.edges)
        if automata_alone:
            assert fewest_states(first, second, most=states) in (states, None)
        ends[f"holds, {states} states"] += 1

    learns()
    assert ends["holds, 1 states"] >= 1 <= ends["holds, 2 states"], ends
    assert ends["violated"] >= 3, ends


def test_the_assumptions_of_rule_g_satisfy_its_premises():
    ends = Counter()

    # Assumptions of two states are rare.
    @settings(QUIET, max_examples=200)
    @given(tiny(), st.booleans())
    def learns(text, falsifies):
        _, modules, whole = _modules(text)
        explicit = [ExplicitModule(module) for module in modules]
        falsification = EarlyFalsification(whole, modules) if falsifies else None
        outcome = outcome_of(SeparatingG(modules, whole, falsification, no_progress))
        if common_word(*explicit) is not None:
            assert isinstance(outcome, ViolatingWord)
            word = _word(modules[0], outcome.word)
            assert all(module.in_language(word) for module in explicit)
            ends["violated"] += 1
            return
        assert isinstance(outcome, RuleProof)
        assumptions = [_automaton(module, a) for module, a in zip(modules, outcome.assumptions, strict=True)]
        assert failing_module(explicit, assumptions) is None
        assert not rejected_by_all(explicit[0], assumptions)
        ends[f"holds, {max(len(a.edges) for a in outcome.assumptions)} states"] += 1

    learns()
    assert ends["holds, 1 states"] >= 1 <= ends["holds, 2 states"], ends
    assert ends["violated"] >= 3, ends

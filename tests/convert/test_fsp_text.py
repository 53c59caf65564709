"""FSP text that is written comes back as the same systems."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import UsageError
from symag.core.values import replace
from symag.lts import Lts, System, read_text
from symag.lts.composition import Priority
from symag.lts.convert.conversion import fsp_text
from symag.lts.lts import ERROR
from tests.lts.explicit_safety import distance_to_error
from tests.lts.strategies import safety_systems, systems


def _unfolded(lts: Lts, depth: int) -> frozenset[object]:
    """The states as trees of their moves: equal if only the numbering differs, or states that do the same are one."""
    tree: dict[int, object] = {state: (state == 0, state == lts.end) for state in range(lts.states)}
    for _ in range(depth):
        before: dict[int, object] = {**tree, ERROR: "ERROR"}
        tree = {
            state: (before[state], frozenset((lts.alphabet[a], before[t]) for s, a, t in lts.triples() if s == state))
            for state in range(lts.states)
        }
    return frozenset(tree.values())


@settings(max_examples=150, deadline=None)
@given(systems("P", 4))
def test_a_process_comes_back(lts: Lts) -> None:
    system = System("S", (lts,), None, None, False, frozenset())
    (found,) = read_text(fsp_text(system)).composite("S").components
    assert set(found.alphabet) == set(lts.alphabet)
    # FSP has one STOP: states without moves become one.
    stuck = lts.states - len(set(lts.source.tolist()))
    assert found.states in (lts.states, lts.states - max(0, stuck - 1))
    assert _unfolded(found, lts.states) == _unfolded(lts, lts.states)


@settings(max_examples=100, deadline=None)
@given(safety_systems(most=3, states=3), st.booleans())
def test_a_system_comes_back(system: System, low: bool) -> None:
    found = read_text(fsp_text(system)).composite("S")
    assert [lts.is_property for lts in found.components] == [lts.is_property for lts in system.components]
    assert distance_to_error(found.components) == distance_to_error(system.components)
    changed = replace(system, priority=Priority(frozenset(("a",)), low), hidden=frozenset(("b",)), expose=low)
    found = read_text(fsp_text(changed)).composite("S")
    assert (found.priority, found.hidden, found.expose) == (changed.priority, changed.hidden, changed.expose)


@pytest.mark.parametrize("words", ["property", "deterministic", "minimal", "deterministic minimal"])
def test_the_words_before_a_composite_come_back(words: str) -> None:
    text = f"P = (a -> b -> P | a -> STOP). {words} ||S = (P)\\{{b}}."
    system = read_text(text).composite("S")
    found = read_text(fsp_text(system)).composite("S")
    assert found.kinds == system.kinds == {*words.split()}
    whole, again = (each.finished(each.product().lts) for each in (system, found))
    assert (again.states, again.has_error) == (whole.states, whole.has_error)


@pytest.mark.parametrize("operation", ["@", "\\", "<<", ">>"])
def test_empty_sets_come_back(operation: str) -> None:
    system = read_text(f"set A = {{a}} P = (a -> P). ||S = (P) {operation} {{A\\{{a}}}}.").composite("S")
    found = read_text(fsp_text(system)).composite("S")
    assert (found.priority, found.hidden, found.expose) == (system.priority, system.hidden, system.expose)


def test_labels_with_numbers_and_names_that_clash() -> None:
    one = Lts.of("a:P(1)", ("tau", "a.1.b", "silent"), 1, [(0, 0, 0), (0, 1, 0)])
    text = fsp_text(System("s", (one, replace(one, name="a_P_1")), None, None, False, frozenset()))
    found = read_text(text).composite("S")
    assert [lts.name for lts in found.components] == ["A_P_1", "A_P_1_2"]
    assert found.components[0].alphabet == ("tau", "a.1.b", "silent")


def test_labels_that_begin_as_the_hidden_one_are_not_hidden() -> None:
    lts = Lts.of("P", ("tau", "silent.x", "silent_.1"), 2, [(0, 1, 1), (1, 0, 0), (1, 2, 0)])
    found = read_text(fsp_text(System("S", (lts,), None, None, False, frozenset()))).process("P")
    assert (found.alphabet, found.triples()) == (lts.alphabet, lts.triples())


@pytest.mark.parametrize("label", ["a b", "Up", "when", "a.", "-", "a.007", "-0"])
def test_what_fsp_cannot_say_is_refused(label: str) -> None:
    lts = Lts.of("P", ("tau", label), 1, [(0, 1, 0)])
    with pytest.raises(UsageError, match="FSP has no form for the label"):
        fsp_text(System("S", (lts,), None, None, False, frozenset()))

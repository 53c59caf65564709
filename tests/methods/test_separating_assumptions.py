"""Assumptions of Rule-S between the strongest and the weakest, beside enumeration."""

from __future__ import annotations

from collections import Counter

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from symag.smv import read_text
from symag.smv.methods.by_parts.decision import subjects
from symag.smv.methods.by_parts.decomposition import decompose
from symag.smv.methods.options import SmvOptions
from tests.brute_force import Explicit
from tests.methods.separation import common_word, failing_premise, fewest_states
from tests.methods.weakest_assumption import ExplicitModule

QUIET = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])

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
    """The system and its two modules."""
    system = read_text(text)
    chosen = SmvOptions(cone_of_influence=False, reordering=False)
    (prepared,) = subjects(system, system.properties[0], chosen, ("none",))
    return system, decompose(prepared.symbolic, (NAMES[:2], NAMES[2:]), prepared.safe)


def test_an_assumption_exists_exactly_if_the_property_holds():
    """Then the weakest one (all that the first module tolerates) satisfies the premises, and so does the strongest."""
    ends = Counter()

    @QUIET
    @given(tiny())
    def exists(text):
        system, modules = _modules(text)
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

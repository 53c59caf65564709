"""Right answers whose evidence was once refused, and what was behind each."""

from __future__ import annotations

import inspect
import sys

import pytest

from symag.core.errors import CertificationError
from symag.core.results import PropertyResult
from symag.core.values import replace
from symag.smv import read_text
from symag.smv.certificates.temporal import FairEmptiness
from symag.smv.certify import accept, check_certificate
from symag.smv.methods import monolithic
from symag.smv.methods.options import SmvOptions


def certified(text: str, **options: str) -> list[PropertyResult]:
    system = read_text(f"MODULE main {text}")
    results = [monolithic.decide(system, each, SmvOptions(**options), lambda _: None) for each in system.properties]
    return [accept(system, each, result, 60) for each, result in zip(system.properties, results, strict=True)]


def shown(results: list[PropertyResult]) -> list[str]:
    assert all(result.certified for result in results)
    return [result.verdict.value for result in results]


@pytest.mark.parametrize(
    ("variables", "atom"),
    [
        ("b : array 0..1 of boolean; i : 0..1;", "b[i]"),
        ("b : array 0..1 of array 2..3 of boolean; i : 0..1;", "b[i][i + 2]"),
        ("f : 1..3; b : array 1..3 of boolean;", "(!b[f])"),
        ("x : 0..2; y : boolean;", "case x = 0 : y; x = 1 : !y; x = 2 : TRUE; esac"),
        ("x : 0..1; e : {p, q, r};", "(e in case x = 0 : {p, q}; x = 1 : {q, r}; esac)"),
        ("x : 0..1; e : {p, q, r};", "(case x = 0 : {p, q}; x = 1 : {q, r}; esac in {p, q})"),
        ("x : 0..3; y : 1..3;", "(x mod y = 0)"),
        ("x : 0..3; y : 1..3;", "(x / y = 1)"),
        ("x : 0..3; y : 1..3;", "(x / max(1, y + 1) = 1)"),
        ("x : 0..3; y : -3..-1;", "(x / min(y, -1) = -1)"),
        ("x : 0..3; y : 1..3;", "(x / (abs(y) + abs(-1)) = 1)"),
        ("b : array 0..1 of boolean; i : 0..1;", "b[max(0, i)]"),
        ("w : unsigned word[2]; x : 0..2;", "((w << x) = w)"),
        ("w : signed word[3]; x : 0..3;", "((w >> x) = w)"),
    ],
)
def test_one_error_has_one_arbitrary_value(variables: str, atom: str) -> None:
    """An atom that may denote an error is one atom, however often the formula and the observers' texts have it."""
    assert shown(certified(f"VAR {variables} LTLSPEC G ({atom} -> O {atom}) LTLSPEC G F {atom} | F G !{atom}")) == [
        "holds",
        "holds",
    ]


BITS = "VAR a : boolean; b : boolean; c : boolean; d : boolean; e : boolean;"


@pytest.mark.parametrize(
    "text",
    [
        "VAR e : {a, b, c, d}; LTLSPEC G F e in {a, b, c, d}",
        f"{BITS} LTLSPEC G ((a & b & c & d & e) = e -> O ((a & b & c & d & e) = e))",
        f"{BITS} LTLSPEC G (count(a | b | c | d, e) > 1 -> O (count(a | b | c | d, e) > 1))",
        f"{BITS} LTLSPEC G F ((a | b | c | d | e) ? a : b) | F G !((a | b | c | d | e) ? a : b)",
        f"{BITS} LTLSPEC G [0,2] (a & b & c & d) -> G [0,1] (a & b & c & d)",
        f"{BITS} LTLSPEC G (O [0,2] (a & b & c) -> O [0,2] (a & b & c))",
        "VAR x : -4..4; LTLSPEC G (x in -4..-2 -> O (x in -4..-2))",
    ],
)
def test_brackets_do_not_matter(text: str) -> None:
    """Chains are read back as they are printed, perhaps with other brackets."""
    assert shown(certified(text)) == ["holds"]


@pytest.mark.parametrize(
    "formula",
    [
        "G (X x -> X (FALSE U x))",
        "G (X x -> X (x V TRUE & x))",
        "G (X !x -> X (TRUE V !x))",
        "G (Y x -> Y (FALSE S x))",
        "G (Z x -> Z (TRUE T x))",
        "G (X (FALSE U x) <-> X x)",
        "G (Y (FALSE S x) <-> Y x)",
    ],
)
def test_an_until_that_is_its_goal_shares_its_next_value(formula: str) -> None:
    results = certified(f"VAR x : boolean; LTLSPEC {formula}")
    assert results[0].certified


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize(
    ("invariant", "expected"),
    [
        ("next(f)", "violated"),
        ("next(g)", "violated"),
        ("g -> next(f)", "holds"),
        ("next(yes)", "holds"),
        ("next(!yes)", "violated"),
        ("x -> next(f)", "violated"),
        ("(x & k = red) -> next(cfg) != red", "violated"),
        ("f = next(f) & next(x) = x", "violated"),
    ],
)
def test_the_next_value_of_a_frozen_variable_is_its_value(direction: str, invariant: str, expected: str) -> None:
    model = f"""
    FROZENVAR f : boolean; cfg : {{red, blue}};
    VAR x : boolean;
    DEFINE g := f; k := cfg; yes := TRUE;
    INVARSPEC {invariant}"""
    assert shown(certified(model, direction=direction)) == [expected]


def test_a_frozen_variable_has_no_transition_of_its_own() -> None:
    """A state without a successor refutes what reads frozen variables only."""
    assert shown(certified("FROZENVAR f : boolean; TRANS FALSE INVARSPEC next(f)")) == ["violated"]
    assert shown(certified("FROZENVAR f : boolean; VAR x : boolean; TRANS FALSE INVARSPEC next(f & x)")) == ["holds"]


def test_equal_atoms_prove_nothing_false() -> None:
    """Where two atoms differ, they stay two: the proof for one is none for the other."""
    atoms = "VAR b : array 0..1 of boolean; i : 0..1; j : 0..1; LTLSPEC G (b[i] -> O b[{}])"
    right, wrong = (read_text(f"MODULE main {atoms.format(index)}") for index in "ij")
    result = monolithic.decide(right, right.properties[0], SmvOptions(), lambda _: None)
    assert isinstance(result.certificate, FairEmptiness)
    assert check_certificate(right, right.properties[0], result.certificate)
    with pytest.raises(CertificationError):
        check_certificate(wrong, wrong.properties[0], result.certificate)


@pytest.mark.parametrize("fairness", ["", "JUSTICE a", "COMPASSION (a, b)", "IVAR i : boolean; COMPASSION (i, b)"])
def test_what_holds_without_an_initial_state_is_certified(fairness: str) -> None:
    results = certified(
        f"VAR a : boolean; b : boolean; {fairness} INIT a & !a CTLSPEC AG EF a CTLSPEC EG (a & AX b) "
        "CTLSPEC FALSE LTLSPEC F b LTLSPEC G (X a -> O b) LTLSPEC FALSE INVARSPEC a"
    )
    assert shown(results) == ["holds"] * 7


def test_a_claim_that_there_is_no_initial_state_is_checked() -> None:
    empty, other = (read_text(f"MODULE main VAR a : boolean; INIT a & {end} CTLSPEC AX a") for end in ("!a", "a"))
    result = monolithic.decide(empty, empty.properties[0], SmvOptions(), lambda _: None)
    assert result.certificate is not None
    with pytest.raises(CertificationError):
        check_certificate(other, other.properties[0], result.certificate)


@pytest.mark.parametrize("text", ["1 + 1", "{TRUE, FALSE}"])
def test_a_text_that_is_no_formula_is_refused_in_one_line(text: str) -> None:
    system = read_text("MODULE main VAR x : boolean; ASSIGN next(x) := !x; LTLSPEC G F x")
    result = monolithic.decide(system, system.properties[0], SmvOptions(), lambda _: None)
    certificate = result.certificate
    assert isinstance(certificate, FairEmptiness)
    for forged in (
        replace(certificate, observers=(("LTL.9", text),)),
        replace(certificate, eventualities=(text,)),
    ):
        with pytest.raises(CertificationError, match="is not a formula, but a value"):
            check_certificate(system, system.properties[0], forged)


DEEP = 130


@pytest.mark.parametrize(
    "formula",
    [
        "LTLSPEC " + "!" * DEEP + "G (x | !x)",
        "LTLSPEC " + "X " * DEEP + "x",
        "CTLSPEC " + "AX " * DEEP + "(x | !x)",
        "CTLSPEC " + "AX " * DEEP + "x",
        "CTLSPEC " + "!" * DEEP + "EF (x & EX !x)",
    ],
    ids=["not", "X", "AX", "AX violated", "CTL not"],
)
def test_deep_formulas_are_decided(formula: str) -> None:
    """Deciding and re-checking follow a formula's structure, whatever Python's own limit of recursion is."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 2 * DEEP)
    try:
        results = certified(f"VAR x : boolean; ASSIGN next(x) := !x; {formula}")
    finally:
        sys.setrecursionlimit(before)
    assert results[0].certified

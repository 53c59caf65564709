"""PSL with sequences: a brute-force word oracle, the re-check, and NuSMV where it is on PATH."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError, InputError, UnsupportedError
from symag.core.limits import Deadline, no_progress
from symag.core.results import Verdict
from symag.core.values import replace
from symag.smv import read_text
from symag.smv.certify import accept
from symag.smv.certify.sequences.derivatives import check_automaton
from symag.smv.methods import monolithic
from symag.smv.methods.options import SmvOptions
from symag.smv.model.sequences import Transition, automaton

QUIET = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)

LETTERS = ("a", "b", "!a", "TRUE")


@st.composite
def sequences(draw, depth=2):
    """A sequence as nested tuples: its text, and what the oracle reads."""
    kinds = ["letter"] if depth == 0 else ["letter", ";", ";", ":", "|", "&&", "&", "*", "*n", "+", "[=", "[->"]
    kind = draw(st.sampled_from(kinds))
    if kind == "letter":
        return ("letter", draw(st.sampled_from(LETTERS)))
    if kind in ("[=", "[->"):
        return (kind, draw(st.sampled_from(("a", "b"))), draw(st.integers(1, 2)))
    inner = draw(sequences(depth - 1))
    if kind in ("*", "+"):
        return (kind, inner)
    if kind == "*n":
        low = draw(st.integers(0, 2))
        return (kind, inner, low, low + draw(st.integers(0, 1)))
    return (kind, inner, draw(sequences(depth - 1)))


def _text(r) -> str:
    match r:
        case ("letter", letter):
            return f"{{{letter}}}"
        case ("*", body):
            return f"{{{_text(body)}[*]}}"
        case ("+", body):
            return f"{{{_text(body)}[+]}}"
        case ("*n", body, low, high):
            return f"{{{_text(body)}[*{low}:{high}]}}" if low != high else f"{{{_text(body)}[*{low}]}}"
        case ("[=" | "[->" as kind, letter, count):
            return f"{{{letter}{kind}{count}]}}"
        case (kind, left, right):
            return f"{{{_text(left)} {kind} {_text(right)}}}"
    raise AssertionError(r)


def _matches(r, word, i, j, memo) -> bool:
    """Whether the letters from i up to (not including) j match; beyond its end a word has letters that satisfy all."""
    key = r, i, j
    if key not in memo:
        memo[key] = _matched(r, word, i, j, memo)
    return memo[key]


def _matched(r, word, i, j, memo) -> bool:
    def sub(one, k, m):
        return _matches(one, word, k, m, memo)

    def repeated(body, low, high, k):
        if low <= 0 and k == j:
            return True
        if high == 0:
            return False
        steps = (m for m in range(k + 1, j + 1) if sub(body, k, m))
        if any(repeated(body, low - 1, high - 1, m) for m in steps):
            return True
        return low > 0 and k == j and sub(body, k, k)

    match r:
        case ("letter", letter):
            return j == i + 1 and _satisfies(word, i, letter)
        case (";", left, right):
            return any(sub(left, i, k) and sub(right, k, j) for k in range(i, j + 1))
        case (":", left, right):
            return any(sub(left, i, k + 1) and sub(right, k, j) for k in range(i, j))
        case ("|", left, right):
            return sub(left, i, j) or sub(right, i, j)
        case ("&&", left, right):
            return sub(left, i, j) and sub(right, i, j)
        case ("&", left, right):
            return any(
                (sub(left, i, j) and sub(right, i, k)) or (sub(left, i, k) and sub(right, i, j))
                for k in range(i, j + 1)
            )
        case ("*", body):
            return repeated(body, 0, 99, i)
        case ("+", body):
            return repeated(body, 1, 99, i)
        case ("*n", body, low, high):
            return repeated(body, low, high, i)
        case ("[->", letter, count):
            return j > i and _satisfies(word, j - 1, letter) and _can_count(word, i, j, letter, count, True)
        case ("[=", letter, count):
            return _can_count(word, i, j, letter, count, False)
    raise AssertionError(r)


def _satisfies(word, i, letter) -> bool:
    if i >= len(word) or letter == "TRUE":
        return True
    return word[i][letter.removeprefix("!")] != letter.startswith("!")


def _can_count(word, i, j, letter, count, ends) -> bool:
    """Whether the letter is there exactly so often; a letter beyond the end may count or not."""
    sure = sum(word[k][letter] for k in range(i, min(j, len(word))))
    free = max(0, j - max(i, len(word)))
    least = sure + (1 if ends and j > len(word) else 0)
    return least <= count <= sure + free


class _Oracle:
    """The truth of formulas along the word stem loop loop loop ..., by trying every match up to a horizon."""

    def __init__(self, stem, loop, horizon=26):
        self.stem, self.loop = stem, loop
        self.word = [*stem, *(loop * horizon)][:horizon]
        self.horizon = horizon
        self.memo = {}

    def place(self, i):
        return i if i < len(self.stem) else len(self.stem) + (i - len(self.stem)) % len(self.loop)

    def truth(self, f, i) -> bool:
        i = self.place(i)
        later = range(i, len(self.stem) + 2 * len(self.loop))
        match f:
            case ("atom", letter):
                return _satisfies(self.word, i, letter)
            case ("not", g):
                return not self.truth(g, i)
            case ("&", g, h):
                return self.truth(g, i) and self.truth(h, i)
            case ("->", g, h):
                return not self.truth(g, i) or self.truth(h, i)
            case ("always", g):
                return all(self.truth(g, k) for k in later)
            case ("F", g):
                return any(self.truth(g, k) for k in later)
            case ("next", g):
                return self.truth(g, i + 1)
            case ("|=>", r, g):  # also after an empty match, as IEEE 1850 defines it
                return self.truth(("|->", (";", r, ("letter", "TRUE")), g), i)
            case ("|->", r, g):
                return all(
                    self.truth(g, j - 1) for j in range(i + 1, self.horizon) if _matches(r, self.word, i, j, self.memo)
                )
            case ("strong", r):
                return any(_matches(r, self.word, i, j, self.memo) for j in range(i + 1, self.horizon))
            case ("weak", r):
                return self.truth(("strong", r), i) or all(
                    any(_matches(r, self.word[:j], i, k, {}) for k in range(j, j + 7))
                    for j in range(i + 1, self.horizon - 7)
                )
        raise AssertionError(f)


@st.composite
def formulas(draw, depth=1):
    kinds = ["strong", "weak", "|->", "|=>"]
    if depth:
        kinds += ["not", "&", "->", "always", "F", "next"]
    kind = draw(st.sampled_from(kinds))
    if kind in ("strong", "weak"):
        return (kind, draw(sequences()))
    if kind in ("|->", "|=>"):
        right = draw(formulas(depth - 1)) if depth else ("atom", draw(st.sampled_from(LETTERS)))
        return (kind, draw(sequences()), right)
    if kind in ("not", "always", "F", "next"):
        return (kind, draw(formulas(depth - 1)))
    return (kind, draw(formulas(depth - 1)), draw(formulas(0)))


def _shown(f) -> str:
    match f:
        case ("atom", letter):
            return letter
        case ("strong", r):
            return f"({_text(r)}!)"
        case ("weak", r):
            return f"({_text(r)})"
        case ("|->" | "|=>" as kind, r, g):
            return f"({_text(r)} {kind} {_shown(g)})"
        case ("not", g):
            return f"(!{_shown(g)})"
        case (kind, g):
            return f"({kind} {_shown(g)})"
        case (kind, g, h):
            return f"({_shown(g)} {kind} {_shown(h)})"
    raise AssertionError(f)


STATES = st.fixed_dictionaries({"a": st.booleans(), "b": st.booleans()})


def _model(stem, loop, formula) -> str:
    states = [*stem, *loop]
    last = len(states) - 1
    bits = {name: " | ".join(f"x = {k}" for k, each in enumerate(states) if each[name]) or "FALSE" for name in "ab"}
    return (
        f"MODULE main\nVAR x : 0..{max(1, last)};\nASSIGN init(x) := 0;"
        f" next(x) := case x < {last} : x + 1; TRUE : {len(stem)}; esac;\n"
        f"DEFINE a := {bits['a']}; b := {bits['b']};\nPSLSPEC {formula};\n"
    )


def _decided(text: str, certified: bool = True) -> bool:
    system = read_text(text)
    (checked,) = system.properties
    result = monolithic.decide(system, checked, SmvOptions(), no_progress)
    assert result.verdict in (Verdict.HOLDS, Verdict.VIOLATED), result.reason
    if certified:
        assert accept(system, checked, result, None).certified
    return result.verdict is Verdict.HOLDS


@QUIET
@example([], [{"a": True, "b": False}], ("|=>", ("*n", ("letter", "!a"), 0, 1), ("atom", "b")))
@example([], [{"a": True, "b": False}, {"a": True, "b": True}], ("|=>", ("*", ("letter", "!a")), ("atom", "b")))
@given(st.lists(STATES, max_size=2), st.lists(STATES, min_size=1, max_size=3), formulas())
def test_verdicts_are_the_oracles_on_single_words_and_certified(stem, loop, formula) -> None:
    text = _model(stem, loop, _shown(formula))
    assert _decided(text) == _Oracle(stem, loop).truth(formula, 0), text


@QUIET
@given(formulas())
def test_verdicts_on_a_system_with_choices_are_certified(formula) -> None:
    text = f"MODULE main\nVAR a : boolean; b : boolean;\nTRANS a -> next(b)\nPSLSPEC {_shown(formula)};\n"
    _decided(text)


@QUIET
@given(sequences())
def test_a_wrong_automaton_is_refused(r) -> None:
    system = read_text(f"MODULE main VAR a : boolean; b : boolean; PSLSPEC {_text(r)} |-> a;")
    sequence = system.properties[0].sequences.operands[0]
    right = automaton(sequence)
    check_automaton(sequence, right, Deadline(None))
    assume(right.transitions)
    one = right.transitions[0]
    for wrong in (
        replace(right, final=frozenset(range(right.states)) - right.final),
        replace(right, transitions=(*right.transitions, Transition(one.source, one.letter, right.states)),
                states=right.states + 1, final=right.final),
    ):  # fmt: skip
        with pytest.raises(CertificationError):
            check_automaton(sequence, wrong, Deadline(None))


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("always {x = 0} |=> {x = 1}!", True),
        ("always {x = 0; x = 1} |-> {c}!", False),
        ("always {x = 0} |-> {[*]; c}!", True),
        ("always {x = 0} |-> {[*]; a}!", False),
        ("always {x = 0} |-> {[*]; a}", True),
        ("{(x = 0)[->3]} |-> {x = 0; x = 1}", True),
        ("never {x = 0; x = 2}", True),
        ("eventually! {x = 2; x = 3; x = 0}", True),
        ("{a[*]; b}", False),
        ("{a[*]; !a}", True),
        ("{a[*]; !a}!", False),
        ("always {{x = 1} within {x = 0; x = 1; x = 2}} |-> {c}", True),
        ("always within!(x = 0, c){x = 0; x = 1}", True),
        ("always within({x = 0}, c){x = 0; x = 2}", False),
        ("always (x = 0 -> whilenot!_(c){x = 0; TRUE[*]})", True),
        ("forall i in {0:3} : always ({x = i} |=> {x != i}!)", True),
    ],
)
def test_verdicts_on_a_counter(formula: str, holds: bool) -> None:
    text = (
        "MODULE main VAR x : 0..3; a : boolean; b : boolean; DEFINE c := x = 2;"
        f" ASSIGN init(x) := 0; next(x) := (x + 1) mod 4; PSLSPEC {formula};"
    )
    assert _decided(text) == holds


@pytest.mark.parametrize(
    ("property_", "printed"),
    [
        ("{a; b[*2]} |=> {a}!", "({{a}; {{b}[*2]}} |=> {a}!)"),
        ("always {a; b; c} |-> {c}!", "always (({{a}; {{b}; {c}}} |-> {c}!))"),
        ("{a}(F b)", "({a} |->  F b!)"),
        ("{{a} && {b; c}} |-> {[*]; c}!", "({{a} && {{b}; {c}}} |-> {{[*]}; {c}}!)"),
        ("{a[+]} |-> {b[=2]}!", "({{a}[+]} |-> {b[=2]}!)"),
        ("always {a; b}", "always {{a}; {b}}"),
        ("eventually! {a; {b | c}}", "eventually! {{a}; {(b | c)}}"),
    ],
)
def test_sequences_are_printed_as_nusmv_prints_them(property_: str, printed: str) -> None:
    system = read_text(f"MODULE main VAR a : boolean; b : boolean; c : boolean; PSLSPEC {property_};")
    assert system.properties[0].text == printed


@pytest.mark.parametrize(
    "property_", ["{a; b[*x]} |-> {a}", "{a[*3:1]} |-> {b}", "{a[*500]} |-> {b}", "{a; F b} |-> {a}"]
)
def test_what_is_no_sequence_is_unknown_or_refused(property_: str) -> None:
    with pytest.raises((InputError, UnsupportedError)):
        _decided(f"MODULE main VAR a : boolean; b : boolean; x : 0..3; PSLSPEC {property_};")


@pytest.mark.skipif(shutil.which("NuSMV") is None, reason="NuSMV is not on PATH")
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(sequences(1), sequences(1), st.sampled_from(["|->", "|=>"]), st.booleans())
def test_nusmv_decides_the_same_where_it_reads_sequences(tmp_path_factory, left, right, arrow, always) -> None:
    stated = f"{_text(left)} {arrow} {_text(right)}!"
    text = (
        "MODULE main\nVAR a : boolean; b : boolean;\nTRANS a -> next(b)\nINIT !a\n"
        f"PSLSPEC {'always ' if always else ''}({stated});\n"
    )
    path = tmp_path_factory.mktemp("psl") / "m.smv"
    path.write_text(text)
    done = subprocess.run(["NuSMV", "-dcx", str(path)], capture_output=True, text=True, timeout=60, check=False)
    found = re.search(r"-- specification .* is (true|false)", done.stdout)
    if found is not None:
        assert _decided(text) == (found[1] == "true"), text

"""FSP: small specifications with known systems, and what is refused."""

from __future__ import annotations

import pytest

from symag.core.errors import InputError
from symag.lts import ERROR, read_text

TOO_DEEP = "is nested too deeply, expected at most 2000 processes inside one another"


def edges(text: str, name: str = "P") -> set[tuple[int, str, int]]:
    lts = read_text(text).process(name)
    return {(source, lts.alphabet[action], target) for source, action, target in lts.triples()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("P = (a -> b -> P).", {(0, "a", 1), (1, "b", 0)}),
        ("P = (a -> STOP | a -> P).", {(0, "a", 1), (0, "a", 0)}),
        ("P = Q, Q = (a -> P).", {(0, "a", 0)}),
        ("P = (a -> X).", {(0, "a", ERROR)}),
        ("P = ERROR.", {(0, "tau", ERROR)}),
        ("P(N=2) = P[0], P[i:0..N] = (when (i<N) up -> P[i+1] | when (i==N) top -> P).",
         {(0, "up", 1), (1, "up", 2), (2, "top", 0)}),
        ("range R = 0..1 P = (in[x:R] -> out[x] -> P).",
         {(0, "in.0", 1), (0, "in.1", 2), (1, "out.0", 0), (2, "out.1", 0)}),
        ("P = (c -> if 1 > 2 then (a -> P) else (b -> P)).", {(0, "c", 1), (1, "b", 0)}),
        ("set S = {a, b.c} P = (S -> P).", {(0, "a", 0), (0, "b.c", 0)}),
        ("set S = {a, b, c} P = (S\\{b} -> P).", {(0, "a", 0), (0, "c", 0)}),
        ("P = (a.x -> b -> P)/{c/a, d/b}.", {(0, "c.x", 1), (1, "d", 0)}),
        ("P = (a -> P)/{{x, y}/a}.", {(0, "x", 0), (0, "y", 0)}),
        ("P = (a -> b -> P)\\{a}.", {(0, "tau", 1), (1, "b", 0)}),
        ("P = (a -> b -> P)@{a}.", {(0, "a", 1), (1, "tau", 0)}),
        ("property P = (a -> b -> P).", {(0, "a", 1), (1, "b", 0), (0, "b", ERROR), (1, "a", ERROR)}),
        ("Q = (q -> END). P = Q;Q;P.", set()),
        ("Q = (q -> END). P = (a -> Q;Q;P).", {(0, "a", 1), (1, "q", 2), (2, "q", 0)}),
        ("E = (a -> END). P = E;R, R = (x -> R).", {(0, "a", 1), (1, "x", 1)}),
        ("E = (a -> E | b -> END). P = E;E;STOP.", {(0, "a", 0), (0, "b", 1), (1, "a", 1), (1, "b", 2)}),
        ("P = (a -> P) + {b}.", {(0, "a", 0)}),
        ("P = (in['go] -> a['go] -> P).", {(0, "in.go", 1), (1, "a.go", 0)}),
        ("set S={x,y} P = (a[#S][@(S,1)] -> P).", {(0, "a.2.y", 0)}),
        ("P = (a[-7/2][7%4][1<<3][5&6][5|6][5^6][!0] -> P).", {(0, "a.-3.3.8.4.7.3.1", 0)}),
        ("minimal P = (a -> P | a -> (a -> P)).", {(0, "a", 0)}),
    ],
)  # fmt: skip
def test_processes(text: str, expected: set[tuple[int, str, int]]) -> None:
    if text.startswith("Q = (q -> END). P = Q;Q;P."):
        lts = read_text(text).process("P")
        assert (lts.states, lts.transitions) == (2, 2)
        return
    assert edges(text) == expected


@pytest.mark.parametrize(
    ("text", "states", "transitions"),
    [
        ("P = (a -> b -> P). ||C = (x:P || y:P).", 4, 8),
        ("P = (a -> b -> P). ||C = ({x,y}:P).", 4, 8),
        ("P = (b -> P | a -> P | a -> ERROR). ||T = (P || P)>>{b}. ||C = (T || P).", 1, 4),
        ("P = (a -> b -> P). Q = (a -> b -> Q). ||C = ({x,y}::P || x:Q || y:Q).", 3, 4),
        ("P(I=0) = (a[I] -> P). ||C(N=3) = (forall[i:1..N] P(i)).", 1, 3),
        ("P(I=0) = (a[I] -> P). ||C(N=3) = if N > 2 then P(1) else (P(2) || P(3)).", 1, 1),
        ("P = (a -> b -> P). ||C = (P || P/{c/b}) >> {c}.", 3, 3),
        ("P = (a -> END). Q = (b -> END). ||C = (P || Q).", 4, 4),
        ("P = (a -> b -> c -> P). minimal ||C = P @ {a}.", 1, 1),
        ("P = (a -> P). ||C = (if 0 then P).", 1, 0),
        ("P = (a -> b -> P)\\{a}. ||C = (p:P || q:P).", 4, 8),
        ("P = (a -> P)\\{a}. ||C = (p:P || q:P).", 1, 1),
        ("P = ERROR. ||C = (p:P || q:P).", 1, 1),
        ("P = (a -> P). ||E = (if 0 then P). ||C = (E || P).", 1, 1),
        ("P = (a -> P). minimal ||E = (if 0 then P)@{a}. ||C = (E || P).", 1, 1),
    ],
)
def test_composites(text: str, states: int, transitions: int) -> None:
    system = read_text(text).composite("C")
    lts = system.finished(system.product().lts)
    assert (lts.states, lts.transitions) == (states, transitions)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("P = (a -> P)", "m.lts:1:13: expected '.', found the end of the file"),
        ("P = (a - P).", "m.lts:1:8: expected '->', found '-'"),
        ("P = (a -> P).\n||C = (Q).", "m.lts:2:8: the process Q is not defined"),
        ("P = (a[i] -> P).", "m.lts:1:8: the variable i is not defined"),
        ("const N = 'n\nrange R = 0..N P = (a[R] -> P).", "m.lts:2:14: expected a number, found the label n"),
        ("const N = 'n P = (a[N+1] -> P).", "m.lts:1:22: '+' needs two numbers"),
        ("P = (a[1/0] -> P).", "m.lts:1:9: division by zero"),
        ("P = (a -> P). P = (b -> P).", "m.lts:1:15: the process P is defined twice"),
        ("P(N=1) = (a -> P). ||C = P(1,2).", "m.lts:1:26: P has 1 parameters, not 2"),
        ("property P = (a -> P | a -> STOP).", "m.lts:1:10: the property P is not deterministic"),
        ("P = (tau -> P).", "m.lts:1:6: tau cannot be used as a label"),
        ("/* P = (a -> P).", "m.lts:1:1: the comment has no end: expected */"),
        ("P = (a -> P). $", "m.lts:1:15: unexpected character '$'"),
        ("Q = (a -> Q). P = Q;P.", "m.lts:1:19: Q has no END to go on from"),
        ("P = (a[3..1] -> P).", "m.lts:1:7: the range 3..1 is empty"),
        ("P = (a -> P).\nfluent F = <a,b>\nfluent F = <b,a>", "m.lts:3:8: the fluent F is defined twice"),
        ("P = (a -> P).\nassert A = [] a assert A = <> a", "m.lts:2:24: the assertion A is defined twice"),
        ("P = (a -> P).\nprogress A = {a} progress A = {b}", "m.lts:2:27: the progress property A is defined twice"),
        ("P = (a -> P).\nmenu M = {a}\nmenu M = {a}", "m.lts:3:6: the menu M is defined twice"),
        ("range R = 0..1 range R = 0..2 P = (a[R] -> P).", "m.lts:1:22: the range R is defined twice"),
        ("set S = {a} set S = {b} P = (S -> P).", "m.lts:1:17: the set S is defined twice"),
        ("P(N=1, N=2) = (a[N] -> P).", "m.lts:1:8: the parameter N is defined twice"),
        ("P = (a[i:0..1] -> b[i:0..1] -> P).", "m.lts:1:20: the variable i is defined twice"),
        ("||A = (A).", "m.lts:1:8: A is made of itself"),
        ("||A = x:B.\n||B = (A).", "m.lts:2:8: A is made of itself"),
        ("P = P;P.", "m.lts:1:5: P is made of itself"),
        ("P = Q, Q = P.", "m.lts:1:1: P is made of itself"),
        ("P = (a -> Q[0]), Q[i:0..2] = Q[(i+1)%3].", "m.lts:1:1: Q.0 is made of itself"),
        ("P(N=1) = P(N+1);P.", f"m.lts:1:1: P(2001) {TOO_DEEP}"),
        ("||R(N=1) = R(N+1).", f"m.lts:1:3: R(2001) {TOO_DEEP}"),
    ],
)
def test_what_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        _compile_all(text)
    assert str(caught.value) == message


def _compile_all(text: str) -> None:
    model = read_text(text, "m.lts")
    for process in model.specification.processes:
        model.process(process.name)
    for composite in model.specification.composites:
        model.composite(composite.name)


def test_a_constant_may_be_a_label() -> None:
    # LTSA allows it, and users name directions and modes.
    model = read_text(
        "const NORTH = 'n const LAST = @({a,b},1) const FAR = 'm[2].z\n"
        "P(X=NORTH) = (a[NORTH] -> Q[X]),\n"
        "Q[v:{n,s}] = (when (v == NORTH) up -> P | when (v != NORTH) down[LAST] -> to[FAR] -> P).\n"
        "||C = (P || x:P('s)).\n"
    )
    assert {*model.process("P").alphabet[1:]} == {"a.n", "up", "down.b", "to.m.2.z"}
    assert model.process("P").states == 2
    assert [lts.states for lts in model.composite("C").components] == [2, 3]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("P = (a[s:0..1].b[s:2..3] -> c[s] -> P).", {"a.0.b.2", "a.1.b.2", "a.0.b.3", "a.1.b.3", "c.2", "c.3"}),
        ("P = Q[1][2], Q[i:1..2][i:1..2] = (a[i] -> Q[i][i]).", {"a.1", "a.2"}),
        ("P = (a[0].a[1] -> b -> P)\\{a[i:0..1].a[i:0..1]}.", {"b"}),
    ],
)
def test_of_a_variable_with_two_ranges_in_one_label_the_last_value_counts_with_a_warning(
    text: str, labels: set[str]
) -> None:
    # As in LTSA, whose users write a[s:S].b[s:S]; it means more labels than those with equal values.
    model = read_text(text)
    variable = "s" if "[s" in text else "i"
    assert {*model.process("P").alphabet[1:]} == labels
    assert model.warnings == [
        f"line 1: the variable {variable} has two ranges in one label, whose values need not be equal"
    ]


def test_a_composite_may_be_made_of_a_process_of_its_name() -> None:
    model = read_text("P = (a -> P). ||P = (x:P || y:P).")
    assert [lts.name for lts in model.composite("P").components] == ["x:P", "y:P"]


def test_a_composite_of_a_smaller_one_of_its_own_a_thousand_times() -> None:
    model = read_text("P = (a -> P). ||RING(K=1000) = (p[K]:P || if K then RING(K-1)).")
    assert len(model.composite("RING").components) == 1001


def test_an_undefined_local_process_is_error_with_a_warning() -> None:
    model = read_text("P = (a -> Q).")
    model.process("P")
    assert model.warnings == ["line 1: the local process Q is not defined: it is ERROR"]

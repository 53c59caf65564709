"""PRISM's language, construct by construct, and what wrong models are told."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from symag.core.errors import InputError, UsageError
from symag.lpts.language.prism.components import name_of, split
from symag.lpts.language.prism.exploration import ExploredModel, explore
from symag.lpts.language.reading import component, model_of_text, resolved
from symag.lpts.lpts import Lpts


def explored(text: str, **constants: str) -> ExploredModel:
    return explore(model_of_text(text, "m.nm", constants), "L")


def lpts(text: str, **constants: str) -> Lpts:
    return explored(text, **constants).reached.lpts


def value(expression: str, kind: str = "int") -> Fraction | int | bool:
    """The value of a constant expression, through the initial value or probability that it becomes."""
    if kind == "double":
        text = f"module m x:[0..1]; [a] x=0 -> {expression} : (x'=1) + 1-({expression}) : (x'=0); endmodule"
        return lpts(text).distribution(0).get(1, Fraction(0))
    declaration = f"[-1000..1000] init {expression}" if kind == "int" else f"bool init {expression}"
    found = explored(f"module m x:{declaration}; endmodule")
    return int(found.values(0)[0])


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1+2*3-4", 3),
        ("-2*-3", 6),
        ("10-3-2", 5),
        ("min(3,1,2)+max(3,1,2)", 4),
        ("floor(7/2)+ceil(7/2)", 7),
        ("floor(-7/2)", -4),
        ("round(2.5)+round(-2.5)", 1),
        ("mod(-3,5)", 2),
        ("pow(2,9)", 512),
        ("floor(pow(2,0.5)*1)", None),
        ("floor(pow(2,0.5))", 1),
        ("floor(pow(8,1/3))", 2),
        ("floor(log(8,2))", 3),
        ("ceil(log(9,2))", 4),
        ("floor(100*pow(4,0.5))", 200),
        ("true & 1=2 | 3>2 ? 7 : 8", 7),
        ("!1=2 => 2=3 ? 1 : 2", 2),
        ("1=1 <=> 2=2 ? 1 : 2", 1),
        ("func(max,3,func(min,9,5))", 5),
        ("1 > 0 = true ? 1 : 0", 1),
        ("1=2 => 1=1 => 1=2 ? 1 : 0", 1),
        ("2^3^2 - pow(2,9) + 2*3^2", 18),
        ("-2^2", 4),
        ("floor(2^-1.0*3)", 1),
        ("min(7)+max(-2)", 5),
    ],
)
def test_values_of_expressions(expression: str, expected: int | None) -> None:
    if expected is None:
        with pytest.raises(InputError, match="irrational, expected an exact fraction"):
            value(expression)
    else:
        assert value(expression) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("0.1", Fraction(1, 10)),
        ("1e-3", Fraction(1, 1000)),
        ("1/3", Fraction(1, 3)),
        (".5", Fraction(1, 2)),
        ("pow(1/4,1/2)", Fraction(1, 2)),
        ("log(2,16)", Fraction(1, 4)),
        ("pow(0.5,3)", Fraction(1, 8)),
        ("pow(4,-1.0)", Fraction(1, 4)),
    ],
)
def test_probabilities_are_exact(expression: str, expected: Fraction) -> None:
    assert value(expression, "double") == expected


@pytest.mark.parametrize("expression", ["log(3,16)", "pow(0.5,0.5)"])
def test_irrational_probabilities_are_bad_input(expression: str) -> None:
    with pytest.raises(InputError, match="irrational, expected an exact fraction"):
        value(expression, "double")


@pytest.mark.parametrize("place", ["mdp {}", "{} mdp", "const int N=3; pa {}", "nondeterministic {}", "{}"])
def test_the_header_stands_anywhere(place: str) -> None:
    body = "module m x:[0..1]; [a] x=0 -> (x'=1); [b] x=0 -> true; endmodule"
    found = model_of_text(place.format(body), "m.nm", {})
    assert (found.type, explore(found, "L").reached.lpts.transitions) == ("mdp", 2)


def test_constants_formulas_and_labels_in_any_order() -> None:
    text = """
    label "high" = big;
    module m x : [0..N] init low; [] !big -> p : (x'=x+1) + 1-p : true; endmodule
    formula big = x >= N - gap;
    const int gap = low;
    const int N;
    const int low = 1;
    const double p = low/N;
    rewards "steps" true : 1; [a] x>0 : 2*x; endrewards
    """
    found = explored(text, N="4")
    assert found.reached.lpts.states == 3
    assert found.reached.lpts.distribution(0) == {0: Fraction(3, 4), 1: Fraction(1, 4)}
    (name, condition) = found.model.labels[0]
    assert (name, int(found.satisfying(condition).sum())) == ("high", 1)


def test_modules_by_renaming_expand_formulas_first() -> None:
    text = """
    formula full = x = 1;
    module a  x : [0..1]; [go] !full & y=0 -> (x'=1); endmodule
    module b = a [x=y, y=x, go=run] endmodule
    """
    found = lpts(text)
    assert (found.states, found.transitions, found.alphabet) == (3, 2, ("", "go", "run"))


def test_renaming_changes_what_a_formula_says_and_not_its_name() -> None:
    text = """
    formula full = x = 1;
    formula never = false;
    module a  x : [0..1]; [] !full -> (x'=1); endmodule
    module b = a [x=y, full=never] endmodule
    module c = a [x=z, full=filled] endmodule
    """
    assert lpts(text).states == 8


def test_modules_by_renaming_a_renamed_module() -> None:
    text = """
    module c = b [y=z, run=fly, x=y] endmodule
    module b = a [x=y, y=x, go=run] endmodule
    module a  x : [0..2]; [go] x<2 & y=0 -> (x'=x+1); endmodule
    """
    found = explored(text)
    assert [(each.name, each.alphabet) for each in found.model.modules] == [
        ("c", ("fly",)),
        ("b", ("run",)),
        ("a", ("go",)),
    ]
    # c counts z while y = 0, b counts y while x = 0, a counts x while y = 0
    assert found.reached.lpts.states == 15
    with pytest.raises(InputError, match="the module b is made of itself"):
        lpts(
            text.replace("module a  x : [0..2]; [go] x<2 & y=0 -> (x'=x+1); endmodule", "module a = b [x=y] endmodule")
        )


def test_global_variables_and_truth_values() -> None:
    text = """
    global g : bool init true;
    module a [] g -> (g'=false); [s] !g -> true; endmodule
    module b x : bool; [s] !x -> (x'=!x); endmodule
    """
    found = lpts(text)
    assert found.triples() == [(0, 0, {1: Fraction(1)}), (1, 1, {2: Fraction(1)})]


def test_all_initial_states_of_a_condition() -> None:
    text = "module m x:[0..3]; y:[0..3]; [] x<3 -> (x'=x+1); endmodule init x+y=3 & x<=1 endinit"
    found = explored(text)
    assert (found.reached.initial_states, found.reached.lpts.states) == (2, 7)
    assert split(found.model) == (found.model,)


STEPS = """
module a x:[0..1]; [s] x=0 -> (x'=1); [t] x=1 -> (x'=0); endmodule
module b y:[0..1]; [s] y=0 -> (y'=1); [t] y=1 -> (y'=0); endmodule
module c z:[0..1]; [s] z=0 -> (z'=1); endmodule
"""


@pytest.mark.parametrize(
    ("system", "states", "transitions", "alphabet"),
    [
        ("a || b || c", 3, 2, ("", "s", "t")),
        ("a ||| b ||| c", 8, 20, ("", "s", "t")),
        ("(a |[s]| b) ||| c", 8, 14, ("", "s", "t")),
        ("(a || b)/{s} || c", 4, 6, ("", "t", "s")),
        ("a{s<-u,t<-v} || b || c", 6, None, ("", "u", "v", "s", "t")),
        ("(a || b){t<-s} || c", 2, 1, ("", "s")),
        ("c |[t]| a || b", 3, 2, ("", "s", "t")),
    ],
)
def test_process_algebra(system: str, states: int, transitions: int | None, alphabet: tuple[str, ...]) -> None:
    found = lpts(f"{STEPS} system {system} endsystem")
    assert (found.states, found.alphabet) == (states, alphabet)
    if transitions is not None:
        assert found.transitions == transitions


def test_actions_that_neither_side_has_do_not_block_others() -> None:
    """PRISM's alphabet of P |[t]| Q is that of P and that of Q."""
    text = f"{STEPS} module d endmodule module e endmodule system (d |[s,t]| e) || a || (b ||| c) endsystem"
    plain = f"{STEPS} module d endmodule module e endmodule system a || (b ||| c) || d || e endsystem"
    assert lpts(text).triples() == lpts(plain).triples()
    assert lpts(text).states == 3


def test_commands_without_an_action_never_synchronise() -> None:
    text = "module a x:[0..1]; [] x=0 -> (x'=1); endmodule module b y:[0..1]; [] y=0 -> (y'=1); endmodule"
    assert lpts(text).states == 4


def test_components_are_the_modules_that_share_no_variable() -> None:
    text = """
    global g : [0..1];
    module a x:[0..1]; [s] x=0 -> (x'=1); endmodule
    module b y:[0..1]; [s] y=0 & x=0 -> (y'=1); endmodule
    module c z:[0..1]; [] g=0 -> (g'=1); [s] g=1 -> (z'=1); endmodule
    module d [s] true -> true; endmodule
    """
    parts = split(model_of_text(text, "m.nm", {}))
    assert [name_of(part) for part in parts] == ["a+b", "c", "d"]
    assert [explore(part, "L").reached.lpts.states for part in parts] == [2, 3, 1]


def test_a_chain_chooses_among_its_commands() -> None:
    text = "dtmc module m x:[0..2]; [a] x=0 -> 0.5:(x'=1) + 0.5:(x'=0); [a] x=0 -> (x'=2); endmodule"
    chain = resolved(lpts(text))
    assert chain.lpts.triples() == [(0, 1, {0: Fraction(1, 4), 1: Fraction(1, 4), 2: Fraction(1, 2)})]
    assert not len(chain.mixed)
    assert chain.lpts.broken_law() is None
    mixing = text.replace("[a] x=0 -> (x'=2)", "[b] x=0 -> (x'=2)")
    assert resolved(lpts(mixing)).mixed.tolist() == [0]
    with pytest.raises(InputError, match="a state chooses among different actions"):
        component(explored(mixing))


def test_a_guard_that_can_fail_is_only_evaluated_where_the_rest_holds() -> None:
    text = "module m x:[0..3]; [] x>0 & 6/x >= 3 & x<3 -> (x'=x+1); [] x=0 -> (x'=1); endmodule"
    assert lpts(text).states == 4


def test_an_update_of_probability_0_is_not_looked_at() -> None:
    text = """
    module m x:[0..3]; y:[0..3];
      [] x<3 -> (x>0 ? 1 : 0) : (y'=floor(3/x)) & (x'=x+1) + (x>0 ? 0 : 1) : (x'=1);
    endmodule
    """
    found = explored(text)
    assert sorted(zip(found.values(0).tolist(), found.values(1).tolist(), strict=True)) == [
        (0, 0),
        (1, 0),
        (2, 3),
        (3, 1),
    ]


def test_more_bits_than_a_word() -> None:
    variables = "".join(f"x{k}:[0..1000000]; " for k in range(8))
    found = explored(f"module m {variables} [] x0<3 -> 0.5:(x0'=x0+1)&(x7'=x7+5) + 0.5:(x3'=1); endmodule")
    assert found.reached.lpts.states == 8
    assert sorted(set(found.values(7).tolist())) == [0, 5, 10, 15]
    assert np.array_equal(found.values(0) * 5, found.values(7))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("module m x:[0..1] endmodule", "m.nm:1:19: expected ';', found 'endmodule'"),
        ("module m x:[0..1]; [a] y=0 -> true; endmodule", "1:24: 'y' is not defined, expected a constant, variable or"),
        ("module m x:[0..1]; [a] x -> true; endmodule", "1:24: the guard is of type int, expected bool"),
        ("module m x:[0..1]; [a] x=0 -> (x'=x+0.5); endmodule", "the new value of x is of type double, expected int"),
        (
            "module m x:[0..1]; [a] x=0 -> 0.5:(x'=1)+0.4:true; endmodule",
            "1:20: the probabilities of the updates sum",
        ),
        (
            "module m x:[0..1]; [a] true -> (x'=x+1); endmodule",
            "1:33: x gets the value 2 in a reachable state, expected",
        ),
        (
            "module m x:[0..1]; [a] x=0 -> 0.3333333:(x'=1)+0.6666666:true; endmodule",
            "1:20: the probabilities of the updates sum to 1 - 1e-07, which PRISM accepts; expected exactly 1",
        ),
        ("module m x:[0..1]; [a] true -> (1+x)/1e7:(x'=1)+1:true; endmodule", "sum to 1 + 1e-07 in a reachable state,"),
        ("module m x:[0..1]; [a] true -> x/2:(x'=0)+1/2:true; endmodule", "sum to 1/2 in a reachable state"),
        ("module m x:[0..1]; [a] 1/x>0 -> true; endmodule", "1:25: division by zero"),
        ("module m x:[2..1]; endmodule", "1:10: the range of x is [2..1], expected at least one value"),
        ("module m x:[0..1] init 2; endmodule", "1:24: the initial value of x is 2, expected 0..1"),
        (
            "module m x:[0..y]; y:[0..1]; endmodule",
            "1:16: the upper bound of x depends on a variable",
        ),
        ("module m x:[0..1]; endmodule module m y:[0..1]; endmodule", "1:37: there are two modules m"),
        ("module m x:[0..1]; endmodule module n = m [y=z] endmodule", "the variable x of m needs a new name in n"),
        ("module m x:[0..1]; endmodule module n = k [x=z] endmodule", "the module k does not exist"),
        (
            "global x:[0..1]; module m [a] x=0 -> (x'=1); endmodule",
            "a command with an action must not change",
        ),
        (
            "module m x:[0..1]; endmodule module n [a] x=0 -> (x'=1); endmodule",
            "variable x belongs to another",
        ),
        ("module m x:[0..1]; [a] x=0 -> (x'=1)&(x'=0); endmodule", "the variable x is assigned twice"),
        ("const int a=b; const int b=a; module m x:[0..a]; endmodule", "the definition of a needs a itself"),
        (
            "module m x:[0..pow(2,31)]; endmodule",
            "[0..2147483648], expected numbers of at most 31 bits",
        ),
        ("module m x:[0..3]; [a] true -> (x'=pow(9,x+30)); endmodule", "expected 0..3"),
        (
            "module m x:[0..3]; [a] true -> (x'=2147483647*2147483647*2147483647*x+9); endmodule",
            "0..3",
        ),
        (
            "module m x:[0..1]; [a] x=0 -> [0.4,0.6]:(x'=1) + [0.4,0.6]:true; endmodule",
            "1:31: intervals of probabilities are not supported, expected a probability",
        ),
        ("ctmc module m x:[0..1]; endmodule", "1:1: models of type ctmc are not supported, expected mdp, pa or dtmc"),
        ("mdp", "1:4: expected a module, found the end of the file"),
        ("module m x:[0..1]; endmodule init x=2 endinit", "no state satisfies the condition of the initial states"),
        ("module m x:[0..1]; endmodule system m || m endsystem", "1:42: the module m is in the system twice"),
        ("module m x:[0..1]; endmodule module n endmodule system m endsystem", "the module n is not in the system"),
        (
            "module m x:[0..1]; [a] x=0 -> 0.5:(x'=1) + true; endmodule",
            "expected a probability and ':'",
        ),
        ("module m x:[0..1]; [a] x=0 @ true; endmodule", "1:28: unexpected character '@'"),
        (
            "module m x:[0..1]; [a] true -> true; endmodule system m{a<-b,a<-c} endsystem",
            "1:62: the action a is renamed twice",
        ),
        ("module m x:[0..1]; [a] mod(x)=0 -> true; endmodule", "1:24: mod has 1 arguments, expected 2"),
        ('module m endmodule label "low"=true; label "low"=false;', '1:44: there are two labels "low"'),
        ('module m endmodule label "init"=true;', '1:26: the label "init" is built in, expected another name'),
        ('module m endmodule label "deadlock"=true;', '1:26: the label "deadlock" is built in'),
    ],
)
def test_errors_say_where_and_what(text: str, message: str) -> None:
    def look() -> None:
        for part in split(model_of_text(text, "m.nm", {})):
            explore(part, "L")

    with pytest.raises(InputError) as error:
        look()
    assert message in str(error.value)
    assert str(error.value).startswith("m.nm:1:")
    assert "\n" not in str(error.value)


@pytest.mark.long
@pytest.mark.parametrize("opening", ["(", "!(", "-", "1+(", "x?1:"])
def test_a_million_nested_operators(opening: str) -> None:
    with pytest.raises(InputError, match=r"nested too deeply|expected"):
        model_of_text(f"module m x : bool; y : [0..{opening * 1_000_000}", "m.nm", {})


def test_long_chains_are_not_deep() -> None:
    guard = " & ".join(["x=0"] * 20_000)
    assert lpts(f"module m x:[0..1]; [a] {guard} -> (x'=1); endmodule").states == 2


def test_labels_without_a_value_are_bad_input() -> None:
    found = explored('module m x:[0..1]; endmodule label "l" = 1/x > 0;')
    with pytest.raises(InputError, match=r"m.nm:1:43: division by zero"):
        found.satisfying(found.model.labels[0][1])


def test_constants_from_outside() -> None:
    text = "const int N; const bool b; const double p=0.5;"
    text += "module m x:[0..N] init b?N:0; [] x=N -> p:true+1-p:(x'=0); endmodule"
    found = lpts(text, N="3", b="true", p="1/4")
    assert found.distribution(0) == {0: Fraction(1, 4), 1: Fraction(3, 4)}
    with pytest.raises(InputError, match="1:11: the constant N has no value; give one with --const N="):
        lpts(text, b="true")
    for given in ({"N": "x"}, {"b": "1"}, {"q": "1"}):
        with pytest.raises(UsageError):
            lpts(text, **{"N": "3", "b": "true", **given})

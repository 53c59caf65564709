"""Expressions, images, orders, counts and tables against plain enumeration."""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Sequence

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from symag.bdd.engines import Engine, new_context
from symag.core.errors import InputError
from symag.core.limits import MemoryExhausted
from symag.smv import read, read_text
from symag.smv.model.properties import invariant_of
from symag.smv.model.typed import Expression, Operation
from symag.smv.symbolic.counting import count
from symag.smv.symbolic.diagram import DiagramWriter
from symag.smv.symbolic.expressions import ExpressionEncoder
from symag.smv.symbolic.order import side_by_side
from symag.smv.symbolic.orderfile import complete_order, order_text, present_order
from symag.smv.symbolic.relation import transition_relation
from symag.smv.symbolic.system import encode
from symag.smv.traversal.reachability import reachable
from symag.smv.traversal.trace import SingleTransitions
from tests.brute_force import Explicit, find_error
from tests.strategies import models


def states_of(system, diagram):
    """The states of a diagram, as tuples in declaration order."""
    encoding = system.encoding
    names = encoding.state_names()
    bits = encoding.current_bits(names)
    found = set()
    for assignment in system.context.valuations(diagram, bits):
        values = encoding.decode(assignment, names)
        found.add(tuple(values[name] for name in names))
    return found


@settings(max_examples=60, deadline=None)
@given(models(), st.randoms(use_true_random=False))
def test_states_and_successors_are_the_judges(text, random):
    flat = read_text(text)
    explicit = Explicit(flat)
    bits = list(side_by_side(flat, flat.by_name))
    random.shuffle(bits)
    system = encode(flat, bits)
    assert states_of(system, system.initial_states()) == set(explicit.initial_states())
    relation = transition_relation(system)
    found = reachable(relation, system.initial_states())
    distances = explicit.reachable()
    for distance, ring in enumerate(found.rings if distances else ()):
        new = {state for state, known in distances.items() if known == distance}
        assert new <= states_of(system, ring) <= {state for state, known in distances.items() if known <= distance}
    assert count(system.context, found.states, system.encoding.current_bits(system.encoding.state_names())) == len(
        distances
    )
    for checked in flat.properties:
        expression = invariant_of(flat, checked)
        everything = [state for state in explicit.all_states() if explicit.is_allowed(state)]
        diagram = system.predicate(expression) & system.invariant()
        assert states_of(system, diagram) == explicit.satisfying(expression, everything)


@settings(max_examples=40, deadline=None)
@given(models(), st.integers(0, 2**32), st.integers(0, 2**32))
def test_image_and_preimage_are_adjoint(text, first, second):
    """Some transition leads from A to B: whether A meets the preimage of B, and the image of A meets B."""
    flat = read_text(text)
    system = encode(flat)
    allowed = sorted(states_of(system, system.invariant()), key=str)
    assume(allowed)
    names = system.encoding.state_names()

    def some(seed):
        chosen = [state for place, state in enumerate(allowed) if seed >> (place % 32) & 1]
        valuations = (dict(zip(names, state, strict=True)) for state in chosen)
        return system.context.disjunction(system.encoding.valuation(each) for each in valuations)

    relation = transition_relation(system)
    source, target = some(first), some(second)
    false = system.context.false
    assert (source & relation.preimage(target) != false) == (relation.image(source) & target != false)


def diagrams_of(encoding, table, roots):
    """The diagrams with these node numbers, built from their table in another context."""
    context = encoding.context
    found = [context.false, context.true]
    for bit, high, low in table.nodes:
        variable, index = table.bits[bit]
        found.append(context.ite(context.bit(encoding.current[variable][index]), found[high], found[low]))
    return [found[root] for root in roots]


@settings(max_examples=25, deadline=None)
@given(models())
def test_tables_and_order_files_round_trip(text):
    flat = read_text(text)
    system = encode(flat)
    found = reachable(transition_relation(system), system.initial_states()).states
    writer = DiagramWriter(system.encoding)
    roots = [writer.add(found), writer.add(~found), writer.add(found)]
    assert roots[0] == roots[2]
    other = encode(flat, tuple(reversed(side_by_side(flat, flat.by_name))))
    again, negated = diagrams_of(other.encoding, writer.table(), roots[:2])
    assert again == ~negated
    assert states_of(other, again & other.invariant()) == states_of(system, found)
    assert complete_order(flat, order_text(flat, present_order(other.encoding))) == tuple(
        reversed(side_by_side(flat, flat.by_name))
    )


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("MODULE main VAR x : 0..3; ASSIGN next(x) := x + 1;", "cannot assign value 4 to variable x", 49),
        ("MODULE main VAR x : 0..3; INVAR 6 / x > 1", "division by zero", 35),
        (
            "MODULE main VAR x : 0..3; ASSIGN next(x) := case x = 0 : 1; x = 1 : 2; esac;",
            "case conditions are not exhaustive",
            45,
        ),
        ("MODULE main VAR x : 0..3; a : array 0..2 of boolean; INVAR a[x]", "array index out of bounds", 60),
    ],
)
def test_errors_have_positions(text, message, column):
    flat = read_text(text)
    with pytest.raises(InputError, match=message) as caught:
        encode(flat)
    assert caught.value.line == 1
    assert abs(caught.value.column - column) <= 3
    assert find_error(flat) == message


@pytest.mark.parametrize("operator", ["& ", "| ! ", "-> "])
def test_absorbed_errors_are_none(operator):
    condition = (
        "(x != 0) & (6 / x > 1)"
        if operator == "& "
        else f"(x {'=' if '|' in operator else '!='} 0) {operator}(6 / x > 1)"
    )
    encode(read_text(f"MODULE main VAR x : 0..3; INVAR {condition}"))


@pytest.mark.parametrize(
    ("condition", "fails"),
    [
        ("FALSE & (6 / x > 1) | x = 0", False),
        ("(6 / x > 1) & FALSE | x = 0", False),
        ("TRUE | (6 / x > 1)", False),
        ("(6 / x > 1) | TRUE", False),
        ("(6 / x > 1) & TRUE", True),
        ("FALSE | (6 / x > 1)", True),
        ("FALSE | (6 / x > 1) | x = 0", False),
        ("case TRUE : x = 0; 6 / x > 1 : TRUE; TRUE : FALSE; esac", False),
        ("case FALSE : 6 / x > 1; x = 0 : TRUE; 6 / x > 1 : FALSE; TRUE : x = 1; esac", False),
        ("case FALSE : x = 0; 6 / x > 1 : TRUE; TRUE : FALSE; esac", True),
        ("0ub2_00 = (0ub2_00 & word1(6 / x > 1) :: word1(x = 0))", True),
    ],
)
def test_what_constants_decide(condition: str, fails: bool) -> None:
    """Operands that a constant makes unimportant are not evaluated; those that count still fail."""
    flat = read_text(f"MODULE main VAR x : 0..3; INVAR {condition}")
    assert find_error(flat) == ("division by zero" if fails else None)
    if fails:
        with pytest.raises(InputError, match="division by zero"):
            encode(flat)
    else:
        system = encode(flat)
        assert states_of(system, system.initial_states()) == set(Explicit(flat).initial_states())


def test_long_cases_are_looked_at_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Conditions are evaluated in groups that double, so that the time of a case is linear in its length."""
    looks = []
    needed = ExpressionEncoder._needed

    def counted(encoder: ExpressionEncoder, expression: Operation, primed: bool) -> Sequence[Expression]:
        looks.append(len(expression.operands))
        return needed(encoder, expression, primed)

    monkeypatch.setattr(ExpressionEncoder, "_needed", counted)
    branches = " ".join(f"x = {number} : {number % 8};" for number in range(500))
    encode(read_text(f"MODULE main VAR x : 0..511; y : 0..7; ASSIGN next(y) := case {branches} TRUE : y; esac;"))
    assert 0 < sum(operands > 1_000 for operands in looks) < 20


ARITHMETIC = ("x + y", "x - y", "x * y", "x / y", "x mod y", "-x", "abs(x - y)", "min(x, y)", "max(x, y)")


@pytest.mark.parametrize("text", ARITHMETIC)
@pytest.mark.parametrize("low", [-3, 1])
def test_wide_integers_agree_with_narrow_ones(text, low):
    """The same operation on vectors (a range of 100 values) and on value maps."""
    wide, narrow = f"{low}..{low + 99}", f"{low}..{low + 5}"
    body = f"VAR u : -100..100; ASSIGN u := (y = 0) ? 0 : ({text});"
    limits = f"INVAR x <= {low + 5} & y <= {low + 5} & u >= -100 & u <= 100;"
    seen = []
    for kind in (wide, narrow):
        guarded = body.replace("(y = 0)", f"(y = 0 | x > {low + 5} | y > {low + 5})")
        system = encode(read_text(f"MODULE main VAR x : {kind}; y : {kind}; {guarded} {limits}"))
        names = ("x", "y", "u")
        seen.append(
            {
                tuple(values[name] for name in names)
                for values in (
                    system.encoding.decode(bits, names)
                    for bits in system.context.valuations(system.invariant(), system.encoding.current_bits(names))
                )
            }
        )
    assert seen[0] == seen[1]
    assert len(seen[0]) == len(list(itertools.product(range(6), repeat=2)))


@pytest.mark.long
@pytest.mark.parametrize("name", ["brp/brp.smv", "example_cmu/dme1.smv", "reactor/base.smv", "msi/msi_wtrans.smv"])
def test_counts_are_nusmvs(suites, name):
    known = json.loads((suites / "smv" / "nusmv-verdicts.json").read_text())[name]
    system = encode(read(suites / "smv" / "nusmv" / name))
    system.context.reorder(system.diagrams())
    found = reachable(transition_relation(system), system.initial_states())
    states = count(system.context, found.states, system.encoding.current_bits(system.encoding.state_names()))
    assert float(f"{states:.6g}") == float(known["reachable"])
    assert len(found.rings) == known["diameter"]


def test_no_successor_in_the_empty_set():
    system = encode(read_text("MODULE main VAR x : boolean;"))  # no conjunct at all
    transitions = SingleTransitions.of(system)
    assert transitions.successor({"x": True}, system.context.false) is None
    assert transitions.successor({"x": True}, system.context.true) is not None


def test_counts_beyond_a_double():
    context = new_context()
    names = [f"b{index}" for index in range(2000)]
    context.declare([name] for name in names)
    assert count(context, context.bit("b7"), names) == 2**1999


def test_every_engine_finds_the_same_rings(monkeypatch):
    pytest.importorskip("oxidd")
    flat = read_text("MODULE main VAR x : 0..5; y : boolean; ASSIGN init(x) := 0; next(x) := y ? (x + 1) mod 6 : x;")

    def rings(engine: Engine):
        system = encode(flat, engine=engine)
        result = reachable(transition_relation(system), system.initial_states())
        return [states_of(system, ring) for ring in result.rings]

    expected = [rings("auto"), rings("dd"), rings("oxidd")]
    monkeypatch.setitem(sys.modules, "dd.cudd", None)
    with pytest.warns(UserWarning, match="slow"):
        expected.append(rings("dd"))
    expected.append(rings("auto"))
    assert all(each == expected[0] for each in expected)
    assert len(expected[0]) == 6


@pytest.mark.long
def test_memory_limit_is_one_exception():
    text = "MODULE main VAR " + " ".join(f"w{n} : unsigned word[24];" for n in range(3)) + " INVAR w0 * w1 = w2"
    with pytest.raises(MemoryExhausted):
        encode(read_text(text), memory=40)


def test_a_branch_that_is_never_taken_is_not_encoded():
    product = "x * y"
    for _ in range(3):
        product = f"({product}) * ({product} + x)"
    text = f"""MODULE main
    VAR x : unsigned word[10]; y : unsigned word[10]; n : 1..8; s : unsigned word[10];
    ASSIGN next(s) := case n + 1 = 1 : {product}; TRUE : x; esac;
    INVARSPEC s = s
    """
    assert encode(read_text(text), memory=200).context.nodes() < 20_000


def test_an_assigned_variable_has_a_value_of_its_type():
    text = """MODULE main
    VAR x : {0, 3, 5}; y : {p, q, 0}; n : -1..1; b : boolean;
    ASSIGN next(x) := {0, 5}; next(y) := case b : y; TRUE : 0; esac; next(n) := case b : {-1, 0}; TRUE : -n; esac;
    """
    system = encode(read_text(text))
    for conjunct in system.trans:
        assert system.context.implies(
            conjunct.diagram & system.encoding.all_valid(("x", "y", "n")),
            system.encoding.valid(conjunct.owner, primed=True),
        )

"""Supports and the cone of influence, against exploration of small systems state by state."""

from __future__ import annotations

from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from symag.core.values import replace
from symag.smv.model.dependencies import Cones, cone_of_influence, influencing, relations
from symag.smv.model.flat import Constraint, FlatSystem, Property
from symag.smv.model.supports import Supports, references
from tests.small_systems import ANY, TRUE, define, explore, op, projections, small_systems, system, var


def names(flat: FlatSystem) -> list[str]:
    return [v.name for v in flat.variables]


def test_references_go_through_defines_and_next() -> None:
    flat = system("abcd", "i", defines={"d": op("and", var("a"), define("e")), "e": var("b")})
    expression = op("or", define("d"), define("e", True), var("c", True), var("i"))
    assert references(flat, expression) == (frozenset("abi"), frozenset("bc"))
    assert references(flat, define("d", True)) == (frozenset(), frozenset("ab"))
    assert references(flat, TRUE) == (frozenset(), frozenset())


def test_long_chains_and_deep_expressions_do_not_recurse() -> None:
    deep = var("a")
    for _ in range(50_000):
        deep = op("not", deep)
    chain = {"d0": deep} | {f"d{i}": op("not", define(f"d{i - 1}")) for i in range(1, 5_000)}
    flat = system("ab", defines=chain)
    assert references(flat, define("d4999")).current == {"a"}
    assert names(cone_of_influence(flat, define("d4999"))) == ["a"]


def test_relations_are_all_there_in_order() -> None:
    flat = system(
        "xyz",
        "i",
        assign=[("x", "init", TRUE), ("x", "next", op("and", var("i"), var("y", True))), ("z", "current", var("x"))],
        init=[var("y")],
        invar=[op("or", var("x"), var("y"))],
        trans=[op("xor", var("y", True), var("i"))],
    )
    found = [(r.kind, sorted(r.current), sorted(r.next), r.assigned) for r in relations(flat)]
    assert found == [
        ("init", [], [], "x"),
        ("trans", ["i"], ["y"], "x"),
        ("invar", ["x"], [], "z"),
        ("init", ["y"], [], None),
        ("invar", ["x", "y"], [], None),
        ("trans", ["i"], ["y"], None),
    ]
    assert [sorted(r.next_variables) for r in relations(flat)] == [[], ["x", "y"], [], [], [], ["y"]]
    assert {id(r.origin) for r in relations(flat)} == {
        id(o) for o in (*flat.assignments, *flat.init, *flat.invar, *flat.trans)
    }


def test_the_cone_leaves_out_what_only_reads() -> None:
    flat = system(
        "xyz",
        "ij",
        assign=[("x", "next", var("y")), ("y", "next", var("i")), ("z", "next", op("and", var("x"), var("j")))],
    )
    reduced = cone_of_influence(flat, var("x"))
    assert names(reduced) == ["x", "y", "i"]
    assert [a.variable for a in reduced.assignments] == ["x", "y"]


def test_a_constraint_on_a_function_of_the_cone_belongs_to_the_cone() -> None:
    # z mirrors x and must be FALSE; a directed cone would let x become TRUE.
    flat = system("xz", assign=[("z", "current", var("x"))], invar=[op("not", var("z"))])
    assert names(cone_of_influence(flat, var("x"))) == ["x", "z"]
    flat = system("xz", assign=[("z", "next", var("x", True))], trans=[op("not", var("z", True))])
    assert names(cone_of_influence(flat, var("x"))) == ["x", "z"]
    flat = system("xz", "i", assign=[("x", "next", var("i")), ("z", "next", var("i"))], invar=[op("not", var("z"))])
    assert names(cone_of_influence(flat, var("x"))) == ["x", "z", "i"]


def test_constraints_without_variables_and_the_selector_stay() -> None:
    flat = system("xy", "s", assign=[("x", "next", var("s"))], invar=[TRUE], selector="s")
    assert len(cone_of_influence(flat, var("y")).invar) == 1
    assert cone_of_influence(flat, var("y")).selector is None
    assert cone_of_influence(flat, var("x")).selector == "s"


def test_fairness_only_when_asked_and_properties_of_the_cone() -> None:
    flat = system("xyz", assign=[("y", "next", var("z"))], defines={"d": var("y"), "unused": var("x")})
    flat = replace(
        flat,
        justice=(Constraint(define("d"), 0),),
        properties=tuple(
            Property(k, "INVARSPEC", None, "", 1, e) for k, e in enumerate((var("x"), define("d"), define("unused")))
        ),
    )
    without = cone_of_influence(flat, var("x"))
    assert (names(without), without.justice, list(without.defines)) == (["x"], (), ["unused"])
    assert [p.index for p in without.properties] == [0, 2]
    fair = cone_of_influence(flat, var("x"), fairness=True)
    assert (names(fair), fair.justice, list(fair.defines)) == (["x", "y", "z"], flat.justice, ["d", "unused"])


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(small_systems(), st.data())
def test_verdicts_on_the_cone_are_those_on_the_whole(flat: FlatSystem, data: st.DataObject) -> None:
    """Every set of reachable values of the target is the same, so every invariant over it is."""
    whole = explore(flat)
    target = data.draw(st.sampled_from(whole.names))
    reduced = cone_of_influence(flat, var(target))
    inside = [v.name for v in reduced.variables if v.name in whole.names]
    part = explore(reduced)
    assert projections(whole, inside) <= projections(part, inside)
    assume(whole.initial and not whole.dead_ends)
    event(f"left out: {len(flat.variables) - len(reduced.variables)}")
    assert projections(whole, inside) == projections(part, inside)


@settings(max_examples=50, deadline=None)
@given(small_systems())
def test_the_cone_is_closed_and_in_order(flat: FlatSystem) -> None:
    reduced = cone_of_influence(flat, var("x0"))
    inside = set(names(reduced))
    assert all(r.variables <= inside for r in relations(reduced, Supports(reduced)))
    assert [n for n in names(flat) if n in inside] == names(reduced)
    assert cone_of_influence(reduced, var("x0")).variables == reduced.variables


def test_nondeterminism_outside_is_left_out() -> None:
    flat = system("xy", assign=[("y", "current", ANY), ("x", "next", var("x"))])
    assert names(cone_of_influence(flat, var("x"))) == ["x"]


@settings(max_examples=100, deadline=None)
@given(small_systems())
def test_one_walk_finds_what_the_supports_of_defines_say(flat: FlatSystem) -> None:
    supports, cones = Supports(flat), Cones(flat)
    expressions = [each.value for each in flat.assignments] + [define(name) for name in flat.defines]
    for expression in expressions:
        assert references(flat, expression) == supports.of(expression)
        assert influencing(flat, [expression]) >= cones.variables(expression)

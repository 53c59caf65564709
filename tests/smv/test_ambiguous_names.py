"""Names that are declared and are symbolic constants: refused as NuSMV refuses them, but for the names of processes."""

from __future__ import annotations

import pytest

from symag.core.errors import InputError, UsageError
from symag.smv import read_text
from symag.smv.convert.conversion import converted
from symag.smv.expression_reader import expression
from symag.smv.model.typed import references

RING = "MODULE cell(a)\nVAR z : boolean;\nASSIGN next(z) := a.z;\n"
CELL = "MODULE cell\nVAR z : boolean; a : boolean;\nASSIGN next(z) := a;\n"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (RING + "MODULE main\nVAR a : process cell(b); b : process cell(a);\nSPEC AG a.z", "a.z"),
        ("MODULE cell(a)\nDEFINE d := a;\nMODULE main\nVAR a : process cell(b); b : boolean;\nSPEC AG a.d", "a.d"),
        (CELL + "MODULE main\nVAR a : process cell; b : cell;\nSPEC AG b.a", "b.a"),
    ],
    ids=["a parameter", "the value of a parameter", "a variable"],
)
def test_a_process_leaves_its_name_to_parameters_and_variables_of_others(text: str, shown: str) -> None:
    (item,) = read_text(text).properties
    assert item.text == f"AG {shown}"


def test_a_process_whose_name_an_enumeration_has_leaves_it_to_nobody() -> None:
    with pytest.raises(InputError, match=r"'a\.a' is ambiguous"):
        read_text(CELL + "MODULE main\nVAR a : process cell; b : cell; s : {a, c};\nSPEC AG b.a")


def test_an_expression_over_the_flat_system_reads_such_a_variable() -> None:
    unused = "MODULE cell\nVAR z : boolean; a : boolean;\n"
    system = read_text(unused + "MODULE main\nVAR a : process cell; b : cell;\n")
    assert [item.name for item in references(expression(system, "b.a"))] == ["b.a"]
    system = read_text(unused + "MODULE main\nVAR a : process cell; b : cell; s : {a, c};\n")
    with pytest.raises(InputError, match=r"'b\.a' is ambiguous"):
        expression(system, "b.a")


@pytest.mark.parametrize("text", ["SPEC AG b.z", "DEFINE d := b.z; SPEC AG d"])
def test_no_flat_model_is_written_in_which_such_a_name_is_ambiguous(text: str) -> None:
    system = read_text(CELL + f"MODULE main\nVAR a : process cell; b : cell;\n{text}")
    with pytest.raises(UsageError, match=r"'a\.a' has the name of a process"):
        converted(system, system.properties, False, "smv", "flat.smv")


def test_main_is_a_constant_where_there_are_processes() -> None:
    with pytest.raises(InputError, match=r"'a\.main' is ambiguous"):
        read_text("MODULE cell\nVAR main : boolean;\nMODULE main\nVAR a : process cell;\nSPEC AG a.main")


@pytest.mark.parametrize(
    "text",
    [
        "MODULE main\nDEFINE a := 2;\nVAR x : {0, 1, a};",
        "MODULE cell\nVAR x : {a, b};\nMODULE main\nDEFINE a := [TRUE, FALSE];\nVAR c : cell;",
        "MODULE main\nVAR x : {a, b}; c : cell;\nMODULE cell\nDEFINE a := TRUE;",
        "MODULE main\nCONSTANTS a;\nDEFINE a := TRUE;",
    ],
    ids=["a value", "an array", "another module", "CONSTANTS"],
)
def test_a_define_that_nothing_uses_is_no_symbolic_constant(text: str) -> None:
    """``{0, 1, a}`` does not hold the value of ``a``, but the constant."""
    with pytest.raises(InputError, match="is ambiguous: it is declared and it is a symbolic constant"):
        read_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "MODULE main\nVAR a : process cell; b : process cell;\nMODULE cell\nVAR z : boolean;\nINVARSPEC b.z",
        "MODULE main\nVAR a : process cell; b : process cell;\nMODULE cell\nVAR z : boolean;\nASSIGN next(b.z) := z;",
        "MODULE main\nVAR a : cell; b : k;\nMODULE cell\nVAR x : {b, c};\nINVARSPEC b.z\nMODULE k\nVAR z : boolean;",
    ],
    ids=["process", "assigned", "value"],
)
def test_a_symbolic_constant_opens_no_other_scope(text: str) -> None:
    """Constants are global; a path that begins with the name of one belongs to its module nevertheless."""
    with pytest.raises(InputError, match=r"'b\.z' is not declared"):
        read_text(text)

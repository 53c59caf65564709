"""Single lines as NuSMV prints them: contexts, order, warnings, hidden names."""

from __future__ import annotations

import pytest

from tests.cli.nusmv.conftest import Nusmv

_MODULE = "MODULE foo\nVAR x : boolean; y : boolean;\nSPEC AG x\nINVARSPEC NAME both := x & y\n"


def test_properties_of_instances(nusmv: Nusmv) -> None:
    model = f"MODULE main\nVAR a : foo; b : foo;\n{_MODULE}"
    assert nusmv(model).verdicts() == []  # one blank before "is"
    assert nusmv(model, "-dcx").lines == [
        "-- specification AG x IN a is false",
        "-- specification AG x IN b is false",
        "-- invariant (x & y) IN a is false",
        "-- invariant (x & y) IN b is false",
    ]
    assert nusmv(model, "-lp").lines[1:3] == ["000 :AG x IN a", "  [CTL            Unchecked      N/A    N/A]"]
    assert nusmv(model, "-lp").lines[-1] == "  [Invar          Unchecked      N/A    b.both]"


def test_properties_with_small_cones_come_first(nusmv: Nusmv) -> None:
    model = (
        "MODULE main\nVAR x : boolean; y : boolean; z : boolean;\nASSIGN next(x) := y; next(y) := y;\n"
        "INVARSPEC x\nINVARSPEC y\nINVARSPEC z\nSPEC AG x\n"
    )
    wanted = ["-- specification AG x  is false", *(f"-- invariant {name}  is false" for name in "yzx")]
    assert nusmv(model).verdicts() == wanted
    as_written = nusmv(
        model, "-int", given="set use_coi_size_sorting 0\ngo\nset counter_examples 0\ncheck_invar\nquit\n"
    )
    assert [line[-19:] for line in as_written.lines if "invariant" in line] == [
        f"invariant {name}  is false"[-19:] for name in "xyz"
    ]


def test_operands_in_psl_are_printed_under_the_priority_around_the_operator(nusmv: Nusmv) -> None:
    properties = ("!(always (y = 1))", "always (y = 1)", "!(x until (y = 1))", "!(next_event(y = 1)(next (!x)))")
    specs = "".join(f"PSLSPEC {each};\n" for each in properties)
    wanted = [
        "!always ((y = 1))",
        "always (y = 1)",
        "!(x until (y = 1))",
        "!next_event ((y = 1)) (next ((!x)))",
    ]
    lines = nusmv(f"MODULE main\nVAR x : boolean; y : 0..3;\n{specs}", "-lp").lines[1::2]
    assert [line.partition(":")[2].strip() for line in lines] == wanted


def test_isa_is_warned_of(nusmv: Nusmv) -> None:
    said = nusmv(f"MODULE main\nISA foo\n{_MODULE}", "-lp")
    assert said.lines[:2] == [
        "WARNING *** The model contains PROCESSes or ISAs. ***",
        "WARNING *** The HRC hierarchy will not be usable. ***",
    ]


def test_compassion_is_honoured_and_said(nusmv: Nusmv) -> None:
    said = nusmv("MODULE main\nVAR x : boolean;\nCOMPASSION (TRUE, x)\nSPEC AF x\n")
    assert said.lines[0] == "WARNING *** The model contains COMPASSION declarations.        ***"
    assert said.lines[-1] == "-- specification AF x  is true"


def test_a_variable_with_one_value(nusmv: Nusmv) -> None:
    said = nusmv("MODULE main\nVAR x : 3..3; y : boolean;\nINVARSPEC x = 3\n")
    assert said.lines == [
        "WARNING: single-value variable 'x' has been stored as a constant",
        "-- invariant x = 3  is true",
    ]


def test_names_that_begin_with_two_underlines_are_hidden(nusmv: Nusmv) -> None:
    model = "MODULE main\nVAR __x : boolean; y : boolean;\nDEFINE __d := y; e := __x;\nINVARSPEC FALSE\n"
    shown = [line.split()[0] for line in nusmv(model).lines if " = " in line]
    assert shown == ["y", "e"]
    assert " __d = " in nusmv(model, "-int", given='set traces_hiding_prefix ""\ngo\ncheck_invar\nquit\n').text


def test_the_values_of_words_and_sets(nusmv: Nusmv) -> None:
    model = (
        "MODULE main\nVAR w : unsigned word[4]; s : signed word[3];\nDEFINE sum := w + 0ud4_1;\n"
        "ASSIGN init(w) := 0ud4_7; init(s) := -0sd3_4;\nINVARSPEC FALSE\n"
    )
    assert nusmv(model).lines[-3:] == ["    w = 0ud4_7", "    s = -0sd3_4", "    sum = 0ud4_8"]


def test_empty_sets_of_max(nusmv: Nusmv) -> None:
    """NuSMV warns of them for MAX, and prints the same."""
    model = "MODULE main\nVAR x : 0..2;\nASSIGN init(x) := 0; next(x) := x;\n"
    said = nusmv(f"{model}COMPUTE MAX [x = 1, x = 0]\nCOMPUTE MAX [x = 0, x = 1]\nCOMPUTE MIN [x = 1, x = 0]\n")
    assert said.lines[0] == "Warning: in COMPUTE initial state is empty"
    assert said.lines[1].startswith("-- the result of MAX [ x = 1 , x = 0 ]  is ")
    assert said.lines[2] == "Warning: in COMPUTE final state is empty"
    assert said.lines[4] == "-- the result of MIN [ x = 1 , x = 0 ]  is infinity"


def test_a_model_without_states(nusmv: Nusmv) -> None:
    said = nusmv("MODULE main\nVAR x : boolean;\nINVAR x & !x\nLTLSPEC G x\n")
    assert said.lines[0] == "The states set of the finite state machine is empty."
    assert said.lines[-1] == "-- specification  G x  is true"


def test_blanks_around_a_choice(nusmv: Nusmv) -> None:
    """NuSMV prints the same."""
    model = "MODULE main\nVAR x : boolean; y : boolean;\n"
    said = nusmv(f"{model}INVARSPEC x ? y : TRUE\nINVARSPEC (x ? y : x) = y\nINVARSPEC y = (x ? (y) : x)\n", "-dcx")
    assert said.lines == [
        "-- invariant  (x ? y : TRUE)   is false",
        "-- invariant  (x ? y : x)  = y  is false",
        "-- invariant y =  (x ? y : x)   is false",
    ]


def test_bounded_checks_are_in_the_order_of_the_file(nusmv: Nusmv) -> None:
    model = "MODULE main\nVAR x : boolean; y : boolean;\nASSIGN next(x) := y;\n"
    model += "LTLSPEC G x\nLTLSPEC G y\nPSLSPEC always x;\nPSLSPEC always y;\n"
    lines = nusmv(model, "-bmc", "-bmc_length", "1").lines
    assert [line for line in lines if line.startswith("-- specification")] == [
        f"-- specification {text}    is false" for text in (" G x", " G y", "always (x)", "always (y)")
    ]


def test_psl_with_paths_and_values_for_all(nusmv: Nusmv) -> None:
    specs = "PSLSPEC A [x U x];\nPSLSPEC forall i in boolean: forall j in {0:1}: F x = i;\n"
    assert nusmv(f"MODULE main\nVAR x : boolean;\n{specs}", "-dcx").lines == [
        "-- specification A [ x U x ]   is false",
        "-- specification ( forall i in boolean : ( forall j in {0:1} :  F x = i ) )  is false",
    ]


def test_the_line_of_a_case_without_a_value_is_that_of_its_end(nusmv: Nusmv) -> None:
    inner = "case\ny : TRUE;\nesac"
    model = f"MODULE main\nVAR x : boolean; y : boolean;\nASSIGN next(x) := case\nx : {inner};\nTRUE : FALSE;\nesac;\n"
    assert nusmv(model).lines[0] == "file e.smv: line 6: case conditions are not exhaustive"
    outer = model.replace(inner, inner.replace("y", "TRUE")).replace("TRUE : FALSE", "y : FALSE")
    assert nusmv(outer).lines[0] == "file e.smv: line 8: case conditions are not exhaustive"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("INVARSPEC x = 1", 'illegal operand types of "=" : symbolic-enum and integer'),
        ("INIT z = TRUE", 'illegal operand types of "=" : integer-and-symbolic-enum and boolean'),
        ("ASSIGN next(x) := {a, 7};", 'illegal operand types of ":=" : symbolic-enum and integer-symbolic-set'),
        ("ASSIGN next(b) := {1, 7};", 'illegal operand types of ":=" : boolean and integer-set'),
        ("INIT -b = 1", 'illegal operand types of "unary -" : boolean'),
        ("INIT !i", 'illegal operand type of "!" : integer'),
        ("INIT i", "illegal type of INIT expression : integer"),
        ("INIT case i : b; TRUE : b; esac", 'illegal left operand type of ":". It should be boolean, but is integer'),
    ],
)
def test_errors_of_types(nusmv: Nusmv, text: str, said: str) -> None:
    model = f"MODULE main\nVAR x : {{a, c}}; z : {{a, 3}}; b : boolean; i : 0..3;\n{text}\n"
    assert nusmv(model).lines[0] == f"TYPE ERROR file e.smv: line 3 : {said}"


def test_the_line_of_a_case_with_values_of_two_types_is_that_of_its_end(nusmv: Nusmv) -> None:
    values = "b : TRUE;\n!b : case b : 1; TRUE : 2; esac;\nTRUE : 3;\nesac;"
    said = nusmv(f"MODULE main\nVAR b : boolean;\nASSIGN next(b) := case\n{values}\n").lines[0]
    assert said == 'TYPE ERROR file e.smv: line 7 : illegal types of "case" list elements : boolean and integer'


@pytest.mark.parametrize("options", [(), ("-ctt",)])
def test_no_state_satisfies_invar_of_a_model_without_properties(nusmv: Nusmv, options: tuple[str, ...]) -> None:
    said = nusmv("MODULE main\nVAR x : boolean;\nINVAR x & !x\n", *options)
    assert "The states set of the finite state machine is empty." in said.lines
    assert "The initial states set of the finite state machine is empty." not in said.lines

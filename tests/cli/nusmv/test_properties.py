"""Properties of the model and of commands: which ones a command is about, how they are added, listed and decided."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

from tests.cli.nusmv.conftest import Nusmv


def test_bounded_commands_decide_invariants_about_transitions(nusmv: Nusmv) -> None:
    model = (
        "MODULE main\nIVAR i : boolean;\nVAR x : 0..3;\nINIT x = 0\nTRANS next(x) = (i ? (x + 1) mod 4 : x)\n"
        "INVARSPEC i -> next(x) != x\nINVARSPEC next(x) != 2\nINVARSPEC x = 2 -> i\n"
    )
    said = nusmv(model, "-int", given="go_bmc\ncheck_invar_bmc -a een-sorensson\ncheck_invar_bmc\nquit\n")
    assert said.verdicts() == [
        "-- invariant (i -> next(x) != x)   is true",
        "-- invariant next(x) != 2   is false",
        "-- invariant (x = 2 -> i)   is false",
    ]
    assert [line for line in said.lines if "State: 1." in line][-1] == "  -> State: 1.3 <-"
    assert nusmv(model, "-bmc", "-n", "1").lines[0].startswith("-- cannot prove the invariant next(x) != 2  is true or")


def test_options_that_name_several_properties_are_refused(nusmv: Nusmv) -> None:
    model = "MODULE main\nVAR x : boolean;\nLTLSPEC NAME a := G x\nLTLSPEC NAME b := F x\nINVARSPEC x\n"
    given = "go\ngo_bmc\nset counter_examples 0\n{}\nshow_property -u\nquit\n"
    for command in (
        *("check_ltlspec -n 0 -P b", "check_ltlspec -n 0 -n 1", 'check_property -n 0 -p "x"', "check_property -n 0 -l"),
        *("check_ltlspec_bmc -n 0 -P b", "check_invar_bmc -n 2 -P a", "gen_ltlspec_bmc -n 0 -P b"),
    ):
        said = nusmv(model, "-int", given=given.format(command))
        assert said.verdicts() == []
        assert sum(line.endswith(("a]", "b]", "N/A]")) for line in said.lines) == 3, command
    assert not list(Path().glob("*.dimacs"))


def test_bounded_psl_writes_results_to_a_file_and_clauses_on_demand(nusmv: Nusmv) -> None:
    model = "MODULE main\nVAR x : boolean;\nPSLSPEC always x;\n"
    nusmv(
        model,
        "-int",
        given="go_bmc\ncheck_pslspec_bmc -k 0 -o f.txt\nreset\ngo_bmc\ncheck_pslspec_sbmc -g -k 0\nquit\n",
    )
    assert Path("f.txt").read_text().startswith("-- specification always (x)    is false\n")
    assert [path.name for path in Path().glob("*.dimacs")] == ["e_k0_l*_n0.dimacs"]


def test_names_of_added_properties_are_identifiers_and_differ(nusmv: Nusmv) -> None:
    given = 'go\nadd_property -c -p "AG x" -n a\nadd_property -c -p "AF x" -n a\nadd_property -c -p "AX x" -n "a b"\n'
    said = nusmv("MODULE main\nVAR x : boolean;\nPSLSPEC always x;\n", "-int", given=f"{given}show_property -s\nquit\n")
    assert any(line.endswith('The property database already contains a property named "a"') for line in said.lines)
    assert "Parsing error: expected a property name." in said.lines
    assert any(line.endswith("Current number of stored properties: 2") for line in said.lines)


def test_psl_of_the_command_line_may_end_with_a_semicolon(nusmv: Nusmv) -> None:
    given = 'go\ncheck_pslspec -p "always x;"\nquit\n'
    said = nusmv("MODULE main\nVAR x : boolean;\nINIT x\nTRANS next(x)\n", "-int", given=given)
    assert said.lines == ["NuSMV > NuSMV > -- specification always (x)  is true", "NuSMV > "]


def test_properties_are_listed_as_xml(nusmv: Nusmv) -> None:
    given = "go\ncheck_property\nshow_property -F xml -o p.xml\nquit\n"
    nusmv("MODULE main\nVAR x : boolean;\nINVARSPEC NAME p := x & x\nCOMPUTE MIN [x, !x]\n", "-int", given=given)
    listed = ElementTree.parse("p.xml").getroot()
    space = "{http://es.fbk.eu}"
    texts = [[(each.text or "").strip() for each in item] for item in listed.findall(f"{space}property")]
    assert texts == [
        ["", "0", "MIN [ x , !x ]", "Quantitative", "NUMBER", "-1", "0"],
        ["p", "1", "(x & x)", "Invar", "FALSE", "-1", "1"],
    ]


def test_formulas_with_bounds_and_psl_are_not_converted_to_invariants(nusmv: Nusmv) -> None:
    model = "MODULE main\nVAR x : boolean;\nLTLSPEC G [0,2] x\nLTLSPEC G x\nPSLSPEC always x;\n"
    commands = "".join(f"convert_property_to_invar {index}\n" for index in ("", "-n 0", "-n 2"))
    said = nusmv(model, "-int", given=f"go\n{commands}show_property -i\nquit\n")
    assert said.status == 0
    assert [line for line in said.lines if line[:3].isdigit()] == ["003 :x "]


def test_clauses_that_cannot_be_written_cost_no_verdict(nusmv: Nusmv) -> None:
    given = "go_bmc\ncheck_ltlspec_bmc -k 0 -o no/f\nquit\n"
    said = nusmv("MODULE main\nVAR x : boolean;\nLTLSPEC G x\n", "-int", given=given)
    assert 'Unable to open file "no/f.dimacs".' in said.text
    assert "-- specification  G x    is false" in said.lines

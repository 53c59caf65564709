"""The commands of ``-int`` and ``-source``."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from symag.cli.nusmv.commands.registry import COMMANDS, NOT_SUPPORTED
from tests.cli.nusmv.conftest import Nusmv

GOLDEN = Path(__file__).parent / "golden"
MODEL = (GOLDEN / "session.smv").read_text()


def _without_prompts(text: str) -> list[str]:
    lines = (line.replace("NuSMV > ", "") for line in text.splitlines() if not line.startswith("*** "))
    return [line for line in lines if line.strip()]


def test_a_session_that_nusmv_answers_with_the_same_lines(nusmv: Nusmv, tmp_path: Path) -> None:
    """golden/session.txt was compared with the output of NuSMV 2.6; see scripts/nusmv/compare_with_nusmv.py."""
    (tmp_path / "session.smv").write_text(MODEL)
    said = nusmv(None, "-int", "session.smv", given=(GOLDEN / "session.cmd").read_text())
    assert said.status == 0
    assert _without_prompts(said.text) == _without_prompts((GOLDEN / "session.txt").read_text())


def test_a_script_prints_no_prompts_and_ends_with_quit(nusmv: Nusmv) -> None:
    Path("s.cmd").write_text("go\ncheck_property\nquit\n")
    said = nusmv(MODEL, "-source", "s.cmd")
    assert said.status == 0
    assert said.verdicts() == ["-- specification AG (x < 2 | b)  is false", "-- invariant (x < 2 | b)  is false"]
    assert "NuSMV >" not in said.text


def test_a_script_stops_where_a_command_fails_and_standard_input_goes_on(nusmv: Nusmv) -> None:
    Path("s.cmd").write_text("go\ncheck_invar -n 99\necho never\n")
    said = nusmv(MODEL, "-source", "s.cmd", given="echo after\nquit\n")
    assert said.status == 0
    assert "aborting 'source s.cmd'" in said.lines
    assert "NuSMV > after " in said.lines
    assert "never" not in said.text


def test_on_failure_script_quits(nusmv: Nusmv) -> None:
    Path("s.cmd").write_text("set on_failure_script_quits\ngo\ncheck_invar -n 99\n")
    said = nusmv(MODEL, "-source", "s.cmd", given="echo after\nquit\n")
    assert said.status == 255
    assert said.lines[-1] == "aborting 'source s.cmd'"


def test_load_is_deprecated_source(nusmv: Nusmv) -> None:
    Path("s.cmd").write_text("echo here; quit\n")
    said = nusmv(None, "-load", "s.cmd")
    assert said.lines == ["Warning: -load is deprecated", "here "]


def test_a_missing_script(nusmv: Nusmv) -> None:
    said = nusmv(MODEL, "-source", "nosuch.cmd")
    assert said.status == 255
    assert said.lines == ["No such file or directory. Exiting..."]


def test_the_end_of_input_ends_the_session(nusmv: Nusmv) -> None:
    said = nusmv(None, "-int", given="echo here\n")
    assert said.status == 0
    assert said.text.count('Use "quit" to leave NuSMV.') == 5


def test_source_inside_a_script(nusmv: Nusmv) -> None:
    Path("inner.cmd").write_text("echo inner\nbogus\n")
    said = nusmv(None, "-int", given="source inner.cmd\nsource nosuch\nsource -s nosuch\nquit\n")
    assert "unknown command 'bogus'" in said.lines
    assert "aborting 'source inner.cmd'" in said.lines
    assert "nosuch: No such file or directory" in said.text


def test_errors_of_the_model_leave_the_session_alive(nusmv: Nusmv) -> None:
    broken = "MODULE main\nVAR x : 0..3;\nASSIGN next(x) := x + 1;\n"
    said = nusmv(broken, "-int", given="go\ncheck_property\nreset\nread_model -i nosuch.smv\nquit\n")
    assert said.status == 0
    assert "file e.smv: line 3: cannot assign value 4 to variable x" in said.text
    assert 'A model must be built before. Use the "build_model" command.' in said.text
    assert "cannot open input file nosuch.smv" in said.text


def test_output_to_a_file(nusmv: Nusmv) -> None:
    said = nusmv(MODEL, "-int", given="go\ncheck_invar -o out.txt\nshow_property -o list.txt\ncheck_fsm -o /\nquit\n")
    assert "Output to file: out.txt" in said.text
    assert Path("out.txt").read_text().startswith("-- invariant (x < 2 | b)  is false\n-- as demonstrated")
    assert "001 :(x < 2 | b) \n" in Path("list.txt").read_text()
    assert 'Unable to open file "/".' in said.text
    assert not said.verdicts()


def test_added_properties(nusmv: Nusmv) -> None:
    commands = [
        "go",
        'add_property -i -p "x < 3 | b" -n wide',
        'check_property -i -p "x <= 3"',
        "check_invar -P wide",
        "show_property -i -t",
        "show_property -P wide",
        'add_property -p "x < 3"',
        'check_ctlspec -p "AG z"',
        'check_invar -p "x < 2 ; INVARSPEC b"',
        "quit",
    ]
    said = nusmv(MODEL, "-int", given="\n".join(commands))
    assert "-- invariant x <= 3  is true" in said.text
    assert "-- invariant (x < 3 | b)  is false" in said.text
    assert "  [Invar          False          1      wide]" in said.lines
    assert "TYPE ERROR file <command-line>: line 1 : undefined identifier 'z'" in said.lines
    assert any(line.startswith("NuSMV > usage: add_property") for line in said.lines)
    assert 'Parsing error: expected an "Invar" expression.' in said.lines


def test_properties_are_checked_once(nusmv: Nusmv) -> None:
    said = nusmv(MODEL, "-int", given="go\ncheck_invar\ncheck_invar\ncheck_property -n 1\nquit\n")
    assert said.text.count("-- invariant") == 1


_STATE = re.compile(r"-> State: 1\.\d+ <-\n    x = (\d)\n    b = (\w+)")


@pytest.mark.parametrize("mode", ["", "-r"])
def test_simulation_makes_transitions_of_the_model(mode: str, nusmv: Nusmv) -> None:
    commands = f"go\npick_state {mode}\nsimulate -v -k 20 {mode}\nquit\n"
    said = nusmv(MODEL, "-int", given=commands)
    states = [(int(x), b) for x, b in _STATE.findall(said.text)]
    inputs = re.findall(r"-> Input: 1\.\d+ <-\n    go = (\w+)", said.text)
    assert len(states) == 21
    assert len(inputs) == 20
    for (x, b), go, (following, same) in zip(states, inputs, states[1:], strict=False):
        assert following == (x + 1 if go == "TRUE" and x < 3 else x)
        assert same == b
    if mode:
        assert len(set(inputs)) == 2
        assert nusmv(MODEL, "-int", given=commands).text == said.text


def test_asked_simulation(nusmv: Nusmv) -> None:
    said = nusmv(MODEL, "-int", given="go\npick_state -i\n7\n1\nsimulate -i -k 1\n0\nprint_current_state\nquit\n")
    assert "Choose a state from the above (0-1): " in said.text
    assert said.text.count("Chosen state is: ") == 2
    assert "This state is reachable through:" in said.text
    assert "Current state is 1.2" in said.text


def test_constraints_of_a_simulation_hold(nusmv: Nusmv) -> None:
    said = nusmv(MODEL, "-int", given='go\npick_state\nsimulate -v -k 3 -t "next(x) = x + 1"\nquit\n')
    assert [int(x) for x, _ in _STATE.findall(said.text)] == [0, 1, 2, 3]


def test_the_diameter_of_a_model_that_is_searched_by_chaining(nusmv: Nusmv) -> None:
    """NuSMV prints the same two lines."""
    model = (
        "MODULE main\nVAR p : process cell(a, b); q : process cell(b, c); a : boolean; b : boolean; c : boolean;\n"
        "ASSIGN init(a) := TRUE; init(b) := FALSE; init(c) := FALSE;\n"
        "MODULE cell(l, r)\nASSIGN next(r) := l;\n"
    )
    lines = ["system diameter: 4", "reachable states: 8 (2^3) out of 8 (2^3)"]
    assert nusmv(model, "-r").lines[-2:] == lines
    said = nusmv(model, "-int", given="go\nprint_reachable_states\ncompute_reachable\nquit\n")
    assert [line for line in said.lines if line in lines] == lines
    assert "The diameter of the FSM is 4." in said.lines


def test_reachable_states_are_listed_once_each(nusmv: Nusmv) -> None:
    said = nusmv(MODEL, "-int", given="go\nprint_reachable_states -v -d\nquit\n")
    states = re.findall(r"  high = (\w+)\n  x = (\d)\n  b = (\w+)", said.text)
    assert len(set(states)) == len(states) == 8
    assert all((high == "TRUE") == (int(x) > 1) for high, x, _ in states)


def test_empty_sets_of_states(nusmv: Nusmv) -> None:
    model = "MODULE main\nVAR x : boolean;\nINIT x & !x\nSPEC AG x\n"
    said = nusmv(model, "-int", given="go\npick_state\nprint_reachable_states\ncheck_fsm\nquit\n")
    assert said.text.count("The initial states set of the finite state machine is empty.") == 2
    assert "No trace: initial state is inconsistent" in said.lines
    assert "reachable states: 0 (2^-inf) out of 2 (2^1)" in said.lines


def test_stuck_but_unreachable(nusmv: Nusmv) -> None:
    model = "MODULE main\nVAR x : boolean;\nINIT x\nTRANS x\nTRANS next(x)\n"
    said = nusmv(model, "-ctt")
    assert "x = FALSE" in said.lines
    assert "non-reachable, so the machine is deadlock-free." in said.lines
    assert "NOTE: No-successor states could be non-reachable, so" in nusmv(model, "-ctt", "-df").lines


def test_the_order_is_written_and_read(nusmv: Nusmv) -> None:
    commands = "read_model\nflatten_hierarchy\nencode_variables -i in.ord\nbuild_model\nwrite_order -o out.ord\nquit\n"
    Path("in.ord").write_text("b\nx.1\nx.0\ngo\n")
    assert nusmv(MODEL, "-int", given=commands).status == 0
    assert Path("out.ord").read_text() == "b\nx.1\nx.0\ngo\n"
    Path("in.ord").write_text("lamp\nbell.0\n")
    assert "Aborting" not in "".join(nusmv(MODEL, "-i", "in.ord").lines)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_a_usage_and_a_function(name: str, nusmv: Nusmv) -> None:
    said = nusmv(None, "-int", given=f"{name} -h\n{name} -Z\nquit\n")
    assert said.text.count(f"usage: {name} [-h]") == 2
    assert f"{name}: unknown option Z" in said.text
    assert callable(COMMANDS[name].load())


def test_what_is_not_supported_says_so(nusmv: Nusmv) -> None:
    assert not NOT_SUPPORTED.keys() & COMMANDS.keys()
    said = nusmv(None, "-int", given="hrc_write_model\nquit\n")
    assert "symag: the command 'hrc_write_model' is not supported" in said.text


def test_variables_of_the_environment(nusmv: Nusmv) -> None:
    said = nusmv(None, "-int", given="set\nset shown_states 3\nset\ntime\nusage\nhelp\nhelp go\nhistory\nquit\n")
    assert f'{"shown_states":<49} "25"' in said.text
    assert f'{"shown_states":<49} "3"' in said.text
    assert f"{'input_file':<49} NULL" in said.text
    assert re.search(r"elapse: \d+\.\d\d seconds, total: \d+\.\d\d seconds", said.text)
    assert "Runtime Statistics" in said.text
    assert "usage: go [-h] [-f]" in said.text
    assert "\n2\tset shown_states 3\n" in said.text


def test_the_table_of_commands_is_the_registrys() -> None:
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-m", "scripts.nusmv.nusmv_commands"], cwd=root, capture_output=True, text=True, check=True
    )
    assert (root / "symag" / "cli" / "nusmv" / "COMMANDS.md").read_text() == done.stdout
    assert len({*COMMANDS, *NOT_SUPPORTED}) == 88


#: BDDs of the product of two words of 64 bits are out of reach.
PRODUCT = """MODULE main
VAR a : unsigned word[64]; b : unsigned word[64]; p : unsigned word[64]; n : 0..3;
ASSIGN init(n) := 0; next(n) := n + 1; init(p) := 0ud64_0; next(p) := a * b;
TRANS n < 3
INVARSPEC n < 2
LTLSPEC G n < 2
"""
PRODUCT = PRODUCT.replace("n + 1", "case n < 3 : n + 1; TRUE : n; esac")


def test_bounded_commands_need_no_bdds(nusmv: Nusmv) -> None:
    commands = [
        "read_model",
        "flatten_hierarchy",
        "encode_variables",
        "write_order -o first.ord",
        "go_bmc",
        "check_ltlspec_bmc -k 3",
        "check_invar_bmc -a een-sorensson -k 3",
        "bmc_pick_state -c 'a = 0ud64_3 & b = 0ud64_5' -v",
        "bmc_simulate_check_feasible_constraints -c 'n = 0' -c 'n = 1' -c 'next(n) = 1' -c 'next(p) = 0ud64_14' -q",
        "bmc_simulate -k 2 -r -p -c 'a > 0ud64_9'",
        "bmc_simulate -k 9",
        "bmc_inc_simulate -k 9 -t 'next(a) = a'",
        "bmc_pick_state -c 'n = 1'",
    ]
    Path("s.cmd").write_text("\n".join(commands).replace("'", '"'))
    said = nusmv(PRODUCT, "-source", "s.cmd", given="quit\n")
    assert said.verdicts() == [
        "-- specification  G n < 2    is false",
        "-- invariant n < 2   is false",
    ]
    assert said.lines.count("1010") == 1
    assert sorted(Path("first.ord").read_text().split()) == sorted(
        [*(f"{word}.{bit}" for word in "abp" for bit in range(64)), "n.0", "n.1"]
    )
    values = re.findall(r"^ +([apbn]) = (\S+)$", said.text[said.text.rindex("Trace Type: Simulation") :], re.MULTILINE)
    assert values[:4] == [("a", "0ud64_3"), ("b", "0ud64_5"), ("p", "0ud64_0"), ("n", "0")]
    assert ("p", "0ud64_15") in values
    assert all(int(text[6:]) > 9 for name, text in values[4:] if name == "a")
    assert "The model deadlocks before requested length 9!" in said.lines
    assert "The model reached a deadlock state: iteration 1." in said.lines
    assert "No trace: constraint and initial state are inconsistent" in said.text


@pytest.mark.parametrize(
    ("commands", "message"),
    [
        ("go_bmc", "A starting state has to be chosen. Use command 'bmc_pick_state'"),
        ("go_bmc\nbmc_pick_state\nexecute_traces -e bdd", 'Error: "bdd" is not a valid executor'),
        ("go\npick_state\nexecute_traces -e sat", 'Error: "sat" is not a valid executor'),
        (
            "flatten_hierarchy\nencode_variables\nexecute_traces",
            "No valid executor found. Model must be built in order to perform trace re-execution.",
        ),
    ],
)
def test_commands_that_come_too_early(nusmv: Nusmv, commands: str, message: str) -> None:
    Path("s.cmd").write_text(f"read_model\n{commands}\nbmc_simulate_check_feasible_constraints -c TRUE\n")
    said = nusmv(MODEL, "-source", "s.cmd", given="quit\n")
    assert message in said.text
    assert "aborting 'source s.cmd'" in said.lines


@pytest.mark.parametrize("options", ["", "-r"])
def test_a_bounded_simulation_finds_the_only_path_that_is_long_enough(nusmv: Nusmv, options: str) -> None:
    model = """MODULE main VAR x : 0..9; ASSIGN init(x) := 0;
    TRANS (x = 0 -> next(x) in {1, 2, 3, 4, 5, 6, 7, 8}) & !(x in {1, 2, 3, 4, 5, 6, 7}) & (x >= 8 -> next(x) = 9)
    """
    commands = ["go_bmc", "bmc_pick_state", f"bmc_simulate -k 4 {options} -p", 'bmc_simulate -k 1 -c "x = 8"', "quit"]
    Path("s.cmd").write_text("\n".join(commands))
    said = nusmv(model, "-source", "s.cmd")
    assert [line for line in said.lines if " = " in line] == ["    x = 0", "    x = 8", "    x = 9"]
    assert said.lines.count("The model deadlocks before requested length 1!") == 1


@pytest.mark.parametrize(
    ("model", "fair"),
    [
        ("VAR b : boolean;\nTRANS b;", "2 (2^1) out of 2 (2^1)"),
        (
            "VAR b : 0..2; c : boolean; IVAR i : boolean; INVAR b = 1 -> c;\n"
            "ASSIGN next(b) := case b = 0 : {0, 1}; TRUE : 2; esac;\nTRANS i -> next(b) != 0\nJUSTICE b = 0;",
            "6 (2^2.58496) out of 12 (2^3.58496)",
        ),
    ],
)
def test_fair_transitions_lead_to_any_state(nusmv: Nusmv, model: str, fair: str) -> None:
    """NuSMV counts the successors of a fair state under an input with which one of them is fair."""
    Path("s.cmd").write_text("go\nprint_fair_transitions\nquit\n")
    said = nusmv(f"MODULE main\n{model}\n", "-source", "s.cmd")
    assert f"Fair transitions: {fair}" in said.text


def test_a_model_with_an_error_is_read_again(nusmv: Nusmv) -> None:
    Path("m.smv").write_text("MODULE main\nVAR x : boolean;\nINVARSPEC y\n")
    given = "go\n!echo 'MODULE main VAR y : boolean; INVARSPEC y' > m.smv\ngo\nshow_property -s\nquit\n"
    said = nusmv(None, "-int", "m.smv", given=given)
    assert "undefined identifier 'y'" in said.text
    assert "Current number of stored properties: 1" in said.text
    said = nusmv("MODULE main\nVAR x : 0..3\n", "-int", given="go\nquit\n")
    assert "syntax error" in said.text
    assert "Parser error" not in said.text


def test_reordering_is_either_switched_or_forced(nusmv: Nusmv) -> None:
    said = nusmv(None, "-int", given="dynamic_var_ordering -e sift -f sift\ndynamic_var_ordering\nquit\n")
    assert "Only one of -d, -f, -e is allowed." in said.text
    assert "Dynamic variable ordering is disabled." in said.text

"""Every option of the command line: what it does, and what is refused how."""

from __future__ import annotations

from pathlib import Path

import pytest

from symag.cli.nusmv.options import OPTIONS, BadOption, parse
from tests.cli.nusmv.conftest import Nusmv

MODEL = """MODULE main
VAR x : 0..3; y : boolean; apart : boolean;
DEFINE high := x > 1;
ASSIGN init(x) := 0; init(y) := TRUE; next(x) := case x < 3 : x + 1; TRUE : x; esac; next(y) := y;
init(apart) := FALSE; next(apart) := !apart;
SPEC AG (x < 4)
SPEC AG (x < 1)
INVARSPEC NAME low := x < 2
INVARSPEC y
"""
VERDICTS = [
    "-- specification AG x < 4  is true",
    "-- specification AG x < 1  is false",
    "-- invariant x < 2  is false",
    "-- invariant y  is true",
]


def test_the_whole_output(nusmv: Nusmv) -> None:
    said = nusmv(MODEL)
    assert said.status == 0
    assert said.lines == [
        VERDICTS[0],
        VERDICTS[1],
        "-- as demonstrated by the following execution sequence",
        "Trace Description: CTL Counterexample ",
        "Trace Type: Counterexample ",
        "  -> State: 1.1 <-",
        *("    x = 0", "    y = TRUE", "    apart = FALSE", "    high = FALSE"),
        "  -> State: 1.2 <-",
        *("    x = 1", "    apart = TRUE"),
        VERDICTS[2],
        "-- as demonstrated by the following execution sequence",
        "Trace Description: AG alpha Counterexample ",
        "Trace Type: Counterexample ",
        "  -> State: 2.1 <-",
        *("    x = 0", "    y = TRUE", "    apart = FALSE", "    high = FALSE"),
        "  -> State: 2.2 <-",
        *("    x = 1", "    apart = TRUE"),
        "  -> State: 2.3 <-",
        *("    x = 2", "    apart = FALSE", "    high = TRUE"),
        VERDICTS[3],
    ]
    assert said.text.startswith("*** This is symag")
    assert said.text.splitlines().count("") == 4


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        (("-is",), VERDICTS[2:]),
        (("-ii",), VERDICTS[:2]),
        (("-is", "-ic", "-ils", "-ips"), VERDICTS[2:]),
        (("-n", "2"), VERDICTS[2:3]),
        (("-n", "-1"), VERDICTS),
        (("-dcx", "-df", "-dynamic", "-s"), VERDICTS),
        (("-mono",), VERDICTS),
        (("-iwls95", "100", "-iwl95preorder", "-noaffinity"), VERDICTS),
        (("-thresh", "10", "-m", "sift", "-t", "none", "-flt", "-rin", "on", "-sin", "off"), VERDICTS),
        (("-cp", "10", "-f", "-ojeba", "EL_fwd", "-bdd_soh", "basic", "-sat_solver", "minisat"), VERDICTS),
        (("-disable_daggifier", "-disable_sexp2bdd_caching", "-keep_single_value_vars"), VERDICTS),
        (("-disable_syntactic_checks",), VERDICTS),
    ],
)
def test_which_properties(options: tuple[str, ...], wanted: list[str], nusmv: Nusmv) -> None:
    said = nusmv(MODEL, *options)
    assert said.verdicts() == wanted
    assert said.status == 0
    assert ("-dcx" in options) == ("Trace Type" not in said.text)


def test_reports_of_ctt_and_r_and_reorder(nusmv: Nusmv) -> None:
    said = nusmv(MODEL, "-ctt", "-r", "-reorder", "-o", "out.ord", "-n", "3")
    assert said.lines == [
        "#" * 58,
        "The transition relation is total: No deadlock state exists",
        "#" * 58,
        VERDICTS[3],
        "========= starting reordering ============",
        "========= after reordering ============",
        "system diameter: 5",
        "reachable states: 5 (2^2.32193) out of 16 (2^4)",
    ]
    names = set(Path("out.ord").read_text().split())
    assert names == {"x.0", "x.1", "y", "apart"}
    assert nusmv(MODEL, "-i", "out.ord").verdicts() == VERDICTS


def test_without_reorder_no_order_is_written(nusmv: Nusmv) -> None:
    nusmv(MODEL, "-o", "out.ord")
    assert not Path("out.ord").exists()


def test_quiet_has_no_heading(nusmv: Nusmv) -> None:
    assert nusmv(MODEL, "-n", "3").text.startswith("*** This is symag")
    assert nusmv(MODEL, "-quiet", "-n", "3").text == f"{VERDICTS[3]}\n"


def test_a_bound_without_bmc(nusmv: Nusmv) -> None:
    said = nusmv(MODEL, "-f", "-bmc_length", "3")
    assert (said.status, said.lines) == (
        255,
        ["Warning: -f is deprecated", 'Option "-bmc_length" requires option "-bmc"'],
    )
    assert nusmv(MODEL, "-bmc_length", "3", "-bmc").status == 0


def test_a_solver_that_nusmv_does_not_have(nusmv: Nusmv) -> None:
    said = nusmv(MODEL, "-sat_solver", "zchaff")
    assert said.status == 255
    assert said.lines == [
        "The available SAT solvers are: MiniSat ",
        'Cannot set value "zchaff" to option "-sat_solver"',
    ]


def test_coi_shows_only_what_matters(nusmv: Nusmv) -> None:
    said = nusmv(MODEL, "-coi", "-n", "2")
    assert "    x = 0" in said.lines
    assert "    high = FALSE" in said.lines
    assert not any("apart" in line or " y = " in line for line in said.lines)


def test_lp_lists_and_ends(nusmv: Nusmv) -> None:
    said = nusmv(MODEL, "-lp")
    assert said.lines == [
        "--------------------------  PROPERTY LIST  -------------------------",
        "000 :AG x < 4 ",
        "  [CTL            Unchecked      N/A    N/A]",
        "001 :AG x < 1 ",
        "  [CTL            Unchecked      N/A    N/A]",
        "002 :x < 2 ",
        "  [Invar          Unchecked      N/A    low]",
        "003 :y ",
        "  [Invar          Unchecked      N/A    N/A]",
    ]
    assert "**** PROPERTY LIST [ Type, Status, Counter-example Number, Name ] ****" in said.text
    assert nusmv("MODULE main\nVAR x : boolean;\n", "-lp").lines[-1] == "The properties DB is empty."


def test_ag_only_search(nusmv: Nusmv) -> None:
    said = nusmv(MODEL.replace("AG (x < 4)", "EF x = 3"), "-AG")
    assert said.lines[:2] == ["The specification EF x = 3  ", "is not an AG-only formula: Skipped"]
    assert said.verdicts() == VERDICTS[1:]
    assert "Trace Description: AG Only counterexample " in said.lines


def test_ofm_writes_a_model_with_the_same_verdicts(nusmv: Nusmv) -> None:
    nusmv(MODEL, "-ofm", "flat.smv", "-is", "-ii")
    assert nusmv(Path("flat.smv").read_text()).verdicts() == VERDICTS


def test_verbose_tells_on_standard_error(nusmv: Nusmv) -> None:
    assert "evaluating invariant y  " in nusmv(MODEL, "-v", "1").lines


def test_cpp(nusmv: Nusmv, monkeypatch: pytest.MonkeyPatch) -> None:
    model = "#define WIDTH 3\n" + MODEL.replace("0..3", "0 .. WIDTH")
    assert nusmv(model).status == 1
    monkeypatch.delenv("CPP", raising=False)
    said = nusmv(model, "-pre", "cpp")
    if "there is no preprocessor" in said.text:
        pytest.skip("no cpp on this machine")
    assert said.verdicts() == VERDICTS
    broken = nusmv(model.replace("y : boolean", "y : integer"), "-cpp")
    assert 'file e.smv: line 3: "integer" undefined' in broken.lines
    monkeypatch.setenv("CPP", "no-such-preprocessor")
    assert "symag: there is no preprocessor 'no-such-preprocessor' on this machine" in nusmv(model, "-cpp").lines


def test_help_names_every_option(nusmv: Nusmv) -> None:
    said = nusmv(None, "-h")
    assert said.status == 2
    assert all(f"   {name}" in said.text for name in OPTIONS)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("-bogus", "e.smv"), 'The command line option "-bogus" is unknown'),
        (("e.smv", "-coi"), 'The command line option "e.smv" is unknown'),
        (("-n",), 'The "-n" command line option requires an argument.'),
        (("-n", "x", "e.smv"), 'Cannot set value "x" to option "-n"'),
        (("-v", "x", "e.smv"), 'Cannot set value "x" to option "-v"'),
        (("-m", "foo", "e.smv"), 'Cannot set value "foo" to option "-m"'),
        (("-ojeba", "foo", "e.smv"), 'Cannot set value "foo" to option "-ojeba"'),
        (("-df", "-f", "e.smv"), "Warning: -f is deprecated\nOption -df cannot be used with option -f"),
        (("-mono", "-thresh", "1", "e.smv"), "Option -mono cannot be used with option -thresh"),
        (("-old", "e.smv"), "symag: -old is not supported: symag reads NuSMV 2.6's language only"),
        (("-pre", "foo", "e.smv"), "Some of the specified preprocessors does not exist"),
    ],
)
def test_wrong_options_exit_255(arguments: tuple[str, ...], complaint: str, nusmv: Nusmv) -> None:
    said = nusmv(None, *arguments)
    assert said.status == 255
    assert complaint in said.text
    assert "***" not in said.text


@pytest.mark.parametrize("name", [name for name, option in OPTIONS.items() if option.refused is None])
def test_every_option_is_parsed(name: str) -> None:
    arguments = {"-m": "sift", "-bdd_soh": "basic", "-ojeba": "EL_fwd", "-pre": "cpp m4", "-sat_solver": "MiniSat"}
    arguments |= {"-rin": "off", "-sin": "on"}
    given = [name] if OPTIONS[name].argument is None else [name, arguments.get(name, "1")]
    line = parse([*given, *(["-bmc"] if name == "-bmc_length" else []), "e.smv"])
    assert name in line.given
    assert line.environment.text("input_file") == "e.smv"


@pytest.mark.parametrize("name", [name for name, option in OPTIONS.items() if option.refused is not None])
def test_every_refused_option_is_named(name: str) -> None:
    with pytest.raises(BadOption, match=name):
        parse([name, "1", "e.smv"])


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("-n", "99"), "Property indexed by 99 not present in the database."),
        (("-i", "nosuch.ord"), "Error: file 'nosuch.ord' not found."),
        (("-coi", "-r"), "in batch mode if cone of influence reduction has been enabled."),
        (("-coi", "-ctt"), "performed in batch mode if the cone of influence reduction has been enabled."),
        (("-ofm", "no/such/folder"), 'Unable to open file "no/such/folder".'),
    ],
)
def test_impossible_requests_exit_1(options: tuple[str, ...], complaint: str, nusmv: Nusmv) -> None:
    said = nusmv(MODEL, *options)
    assert said.status == 1
    assert complaint in said.lines
    assert said.lines[-1] == "Aborting batch mode"


def test_no_file(nusmv: Nusmv) -> None:
    said = nusmv(None, "-dynamic")
    assert said.status == 1
    assert said.lines[0] == "Input file is (null). You must set the input file before."


def test_bounded_checks_of_an_index_are_of_runs_or_invariants(nusmv: Nusmv) -> None:
    said = nusmv(MODEL, "-bmc", "-n", "0")
    assert said.status == 1
    assert said.lines[0] == "Error: only LTL, PSL and INVAR properties can be checked in BMC mode"
    said = nusmv(MODEL, "-bmc", "-n", "99")
    assert (said.status, said.lines[0]) == (1, 'Error: "99" is not a valid property index')


def test_switches_are_on_or_off(nusmv: Nusmv) -> None:
    assert nusmv(MODEL, "-sin", "on", "-rin", "off", "-lp").status == 0
    said = nusmv(MODEL, "-sin", "foo")
    assert (said.status, said.lines) == (255, ['Cannot set value "foo" to option "-sin"'])


def test_the_model_of_a_session_stays_until_it_is_reset(nusmv: Nusmv) -> None:
    said = nusmv(
        MODEL, "-int", given="read_model\nset input_file f.smv\necho $input_file\nreset\nset input_file f.smv\nquit\n"
    )
    assert 'Cannot assign value "f.smv" to option "input_file"' in said.text
    assert "NuSMV > e.smv" in said.text

"""Traces and simulations of a session: states of earlier traces, constraints, what is shown."""

from __future__ import annotations

from tests.cli.nusmv.conftest import Nusmv

LASSO = "MODULE main\nVAR x : 0..2;\nASSIGN init(x) := 0; next(x) := x < 2 ? x + 1 : 1;\nLTLSPEC F G x = 2\n"


def _said(nusmv: Nusmv, model: str, *lines: str) -> list[str]:
    said = nusmv(model, "-int", given="".join(f"{line}\n" for line in ("go", *lines, "quit")))
    return [line for line in (line.replace("NuSMV > ", "").rstrip() for line in said.lines) if line]


def test_the_state_to_which_a_loop_returns_is_a_state_of_the_trace(nusmv: Nusmv) -> None:
    said = _said(nusmv, LASSO, "set default_trace_plugin 7", "check_ltlspec", "goto_state 1.4", "simulate -k 1 -p")
    assert said[2:5] == ["The current state for new trace is:", "-> State 2.4 <-", "    x = 1"]
    assert said[-2:] == ["  -> State: 2.5 <-", "    x = 2"]
    assert "The label 1.5 is invalid." in _said(nusmv, LASSO, "check_ltlspec", "goto_state 1.5")


def test_a_picked_state_of_a_trace_brings_the_states_before_it(nusmv: Nusmv) -> None:
    said = _said(nusmv, LASSO, "check_ltlspec", "pick_state -s 1.3", "print_current_state", "show_traces")
    assert "Current state is 2.3" in said
    assert said[-6:] == [
        f"  -> State: 2.{1 + each // 2} <-" if not each % 2 else f"    x = {each // 2}" for each in range(6)
    ]
    assert _said(nusmv, LASSO, "check_ltlspec", "pick_state -s 1.9")[-1] == 'Label "1.9" is invalid'


def test_conditions_of_states_may_not_read_next_values(nusmv: Nusmv) -> None:
    complaint = 'Parsing error: constraints must be "simple expressions".'
    assert _said(nusmv, LASSO, 'pick_state -c "next(x) = 1"') == [complaint]
    assert _said(nusmv, LASSO, "pick_state", 'simulate -c "next(x) = 1"') == [complaint]
    assert complaint not in _said(nusmv, LASSO, "pick_state", 'simulate -k 1 -t "next(x) = 1"')


def test_the_number_of_steps_may_stand_alone(nusmv: Nusmv) -> None:
    said = _said(nusmv, LASSO, "pick_state", "simulate 2", "print_current_state", "simulate -k 1 2")
    assert "Current state is 1.3" in said
    assert said[-1] == 'Error: Parameter "steps" conflicts with option -k'


def test_settings_of_traces_count_when_a_trace_is_shown(nusmv: Nusmv) -> None:
    model = (
        "MODULE main\nVAR x : boolean; a : sub;\nDEFINE d := !x; e := next(x);\nTRANS next(x) = x\n"
        "INVARSPEC x | a.__h\n"
        "MODULE sub\nVAR y : boolean; __h : boolean;\n"
    )

    def names(*settings: str) -> set[str]:
        said = _said(nusmv, model, "set default_trace_plugin 7", "check_invar", *settings, "show_traces -p 1")
        return {line.strip().partition(" = ")[0] for line in said if line.startswith("    ") and " = " in line}

    assert names() == {"x", "a.y", "d"}
    assert names("set traces_show_defines 0") == {"x", "a.y"}
    assert names("set traces_hiding_prefix y") == {"x", "a.__h", "d"}
    assert names("set traces_regexp '^[yd]$'") == {"a.y", "d"}
    assert _said(nusmv, model, "set traces_regexp a[")[0] == "Error: could not parse 'a[' (Invalid regular expression)"


def test_a_slice_of_a_trace_has_a_point(nusmv: Nusmv) -> None:
    states = [f"  -> State: 1.{number} <-" for number in (1, 2, 3, 4)]

    def shown(text: str) -> list[str]:
        said = _said(nusmv, LASSO, "set default_trace_plugin 7", "check_ltlspec", f"show_traces -p 0 {text}")
        return [line for line in said if "State" in line]

    assert shown("1.2:3") == states[1:3]
    assert shown("1:3") == states

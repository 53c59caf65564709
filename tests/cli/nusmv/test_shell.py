"""NuSMV's shell: how a line becomes commands, and what a failure ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.nusmv.conftest import Nusmv


def _said(nusmv: Nusmv, *lines: str) -> list[str]:
    said = nusmv(None, "-int", given="".join(f"{line}\n" for line in (*lines, "quit")))
    return [line for line in (line.replace("NuSMV > ", "").rstrip() for line in said.lines) if line]


def test_a_comment_begins_at_any_hash_outside_of_quotes(nusmv: Nusmv) -> None:
    assert _said(nusmv, 'echo "a" # b', "echo a#b", "echo 'a # b'") == ["a", "a", "a # b"]


def test_a_word_may_be_quoted_in_part(nusmv: Nusmv) -> None:
    assert _said(nusmv, 'echo a"b c"d  "e   f"') == ["ab cd e f"]
    assert _said(nusmv, 'echo "a ; b') == ["ignoring unbalanced quote ...", "a ; b"]


def test_a_variable_ends_before_a_colon_or_a_slash_and_may_have_no_value(nusmv: Nusmv) -> None:
    said = _said(nusmv, "set v w", "echo $v/x $v:y $v.z", "echo $input_order_file", 'set v ""', "echo [ $v ]")
    assert said[1:] == ["w/x w:y $v.z", "NULL", "[  ]"]


def test_an_alias_may_stand_for_several_commands_and_take_words_of_its_line(nusmv: Nusmv) -> None:
    assert _said(nusmv, 'alias a "echo one; echo two"', "a three") == ["one", "two three"]
    assert _said(nusmv, r'alias a "echo \%:2 ; echo \%*"', "a x y") == ["y", "x y"]
    assert _said(nusmv, "alias a b", "alias b a", "a") == ["error -- alias loop"]


def test_a_line_may_take_words_of_earlier_lines(nusmv: Nusmv) -> None:
    assert _said(nusmv, "echo one two", "echo %$") == ["one two", "echo two", "two"]
    assert _said(nusmv, "echo one two", "^two^2") == ["one two", "echo one 2", "one 2"]
    assert _said(nusmv, "echo a", "%1", "%nosuch") == ["a", "echo a", "a", "Event not found: nosuch"]


def test_the_words_behind_a_sourced_file_are_those_of_its_line(nusmv: Nusmv) -> None:
    assert _said(nusmv, "echo x")  # changes into the folder
    Path("t.cmd").write_text("echo %:2\n")
    assert _said(nusmv, "source t.cmd word") == ["word"]
    assert _said(nusmv, "source -x t.cmd") == ["echo %:2", "t.cmd"]


def test_a_line_behind_an_exclamation_mark_is_for_the_systems_shell(nusmv: Nusmv) -> None:
    assert _said(nusmv, "!echo x > f.txt; echo y >> f.txt", "echo z") == ["z"]
    assert Path("f.txt").read_text() == "x\ny\n"
    Path("t.cmd").write_text("!false\necho not here\n")
    assert _said(nusmv, "source t.cmd") == ["aborting 'source t.cmd'"]


def test_a_failure_on_standard_input_quits_where_the_option_says_so(nusmv: Nusmv) -> None:
    said = nusmv(None, "-int", given="set on_failure_script_quits\nbogus\necho not here\nquit\n")
    assert said.status == 255
    assert "not here" not in said.text
    assert nusmv(None, "-int", given="set on_failure_script_quits\necho %nosuch\n").status == 255
    assert nusmv(None, "-int", given="bogus\nquit\n").status == 0


def test_echo_writes_to_a_file(nusmv: Nusmv) -> None:
    assert _said(nusmv, "echo -o f.txt one", "echo -n -a -o f.txt two") == []
    assert Path("f.txt").read_text() == "one \ntwo "
    assert _said(nusmv, "echo -o no/f.txt one") == ["echo: unable to open file no/f.txt for writing."]


def test_a_script_that_cannot_be_read_is_one_line(nusmv: Nusmv) -> None:
    said = nusmv(None, "-source", ".")
    assert (said.status, said.lines) == (255, [".: Is a directory. Exiting..."])


def test_words_that_nusmv_ignores_do_not_end_a_script(nusmv: Nusmv) -> None:
    model = "MODULE main\nVAR x : boolean;\n"
    for command in ("go all", "print_reachable_states now", "print_usage x", "print_formula", "print_formula y"):
        Path("s.cmd").write_text(f"go\n{command}\necho here\nquit\n")
        assert "here " in nusmv(model, "-source", "s.cmd").lines, command


def test_a_new_variable_without_a_value_is_1(nusmv: Nusmv) -> None:
    assert _said(nusmv, "set mine", "set mine", "echo $mine")[-1] == "1"
    assert _said(nusmv, "set mine x", "set mine")[-1] == 'Please provide a value for option "mine"'
    assert _said(nusmv, "set counter_examples yes")[0] == 'Possible values are: "1 0"'


def test_the_commands_are_listed_in_two_columns_and_a_long_name_alone(nusmv: Nusmv) -> None:
    said = _said(nusmv, "help")
    assert "bmc_simulate_check_feasible_constraints" in said
    assert "write_order" in said[-1]
    assert {line.index(line.split()[1]) for line in said if len(line.split()) == 2} == {35}


def test_files_that_source_each_other_end(nusmv: Nusmv) -> None:
    assert _said(nusmv, "echo x")  # changes into the folder
    Path("t.cmd").write_text("source t.cmd\n")
    said = _said(nusmv, "source t.cmd", "echo here")
    assert said[0] == "t.cmd: more than 50 files source each other"
    assert said[1:] == ["aborting 'source t.cmd'"] * 50 + ["here"]


@pytest.mark.parametrize("command", ["write_flat_model -o e.smv", "echo -o ./e.smv over", "show_vars -o e.smv"])
def test_no_command_writes_to_the_model(nusmv: Nusmv, command: str) -> None:
    model = "MODULE main VAR x : boolean; -- a comment\n"
    said = nusmv(model, "-int", given=f"go; {command}\nprint_usage\nquit\n")
    assert f"symag: cannot write {'./' * ('./' in command)}e.smv: it is the input" in said.text
    assert Path("e.smv").read_text() == model

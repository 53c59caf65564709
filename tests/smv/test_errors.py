"""What a person is told about bad input: one line, with the place, what is wrong and what was expected."""

from __future__ import annotations

import pytest

from symag.core.errors import InputError
from symag.smv import read, read_text

HEAD = "MODULE main\nVAR x : boolean;\n"

GOLDEN = {
    "": "m.smv:1:1: unexpected end of file, expected 'MODULE'",
    "MODULE foo\nVAR x : boolean;\n": "m.smv: there is no module 'main'; rename 'foo' to 'main'",
    HEAD + "INVARSPEC z\n": "m.smv:3:11: 'z' is not declared",
    "MODULE main\nVAR x : boolean; y : 0..3;\nINVARSPEC x + y = 2\n": (
        "m.smv:3:13: illegal operand types of '+': boolean and integer"
    ),
    HEAD + "DEFINE a := b; b := a;\nINVARSPEC a\n": "m.smv:3:8: circular definition: a -> b -> a",
    "MODULE main\nVAR x : boolean; x : boolean;\n": "m.smv:2:18: 'x' is declared twice",
    "MODULE main\nVAR x : boolean\nINVARSPEC x\n": "m.smv:3:1: unexpected 'INVARSPEC', expected ';'",
    HEAD + "ASSIGN next(x) := TRUE; next(x) := FALSE;\n": "m.smv:3:25: next(x) is assigned twice",
    HEAD + "ASSIGN x := TRUE; init(x) := TRUE;\n": "m.smv:3:19: 'x' is assigned both as init(x) and as x",
    HEAD + "ASSIGN init(x) := 0;\n": "m.smv:3:8: illegal operand types of ':=': boolean and integer",
    HEAD + "INVARSPEC 2 in {TRUE, 2}\n": "m.smv:3:16: illegal operand types of 'union': boolean and integer",
    "MODULE main\nVAR b : boolean; e : {p, 1};\nINVARSPEC b in e\n": (
        "m.smv:3:13: illegal operand types of 'in': boolean and integer-and-symbolic"
    ),
    "MODULE main\nVAR w : word[2]; x : boolean;\nINVARSPEC x in {w, x}\n": (
        "m.smv:3:16: illegal operand types of 'union': unsigned word[2] and boolean"
    ),
    "MODULE main\nVAR x : signed word[1];\nINVARSPEC bool(x)\n": (
        "m.smv:3:11: illegal operand types of 'bool': signed word[1]"
    ),
    "MODULE main\nVAR x : real;\n": "m.smv:2:9: 'real' variables are not supported: symag supports finite types only",
    "MODULE main\nFROZENVAR x : integer;\n": (
        "m.smv:2:15: 'integer' variables are not supported: symag supports finite types only"
    ),
    "MODULE main\nIVAR x : cell;\n": "m.smv:2:10: 'cell' is not a type; instances of modules are declared in VAR",
    "MODULE main\nVAR x : boolean; y : boolean;\nASSIGN x := y; y := x;\n": (
        "m.smv:3:8: circular assignment: x -> y -> x"
    ),
    "\x00\x01\x02": "m.smv:1:1: illegal character '\\x00'",
    HEAD + "INIT next(x)\n": "m.smv:3:11: 'next' is not allowed in INIT",
    "MODULE main\nVAR x : {a, b;\n": "m.smv:2:14: unexpected ';', expected ',' or '}'",
    "MODULE main\nVAR m : cell(TRUE);\nMODULE cell(a, b)\nVAR x : boolean;\n": (
        "m.smv:2:9: module 'cell' takes 2 parameters, not 1"
    ),
    "MODULE main\nVAR m : cell;\nMODULE cell\nVAR x : cell;\n": "m.smv:4:9: module 'cell' contains itself",
    "MODULE main\nVAR x : boolean;;\n": (
        "m.smv:2:17: unexpected ';', expected a variable's name, a section keyword (such as VAR or ASSIGN), 'MODULE' "
        "or end of file"
    ),
    HEAD + "ASSIGN init(x) := FALSE;;\n": (
        "m.smv:3:25: unexpected ';', expected an assignment, a section keyword (such as VAR or ASSIGN), 'MODULE' "
        "or end of file"
    ),
    HEAD + "INVARSPEC x y\n": (
        "m.smv:3:13: unexpected 'y', expected 'IN', ';', a section keyword (such as VAR or ASSIGN), 'MODULE' "
        "or end of file"
    ),
    "MODULE main\nVAR x : ;\n": (
        "m.smv:2:9: unexpected ';', expected a type (such as boolean, 0..3 or {a, b}) or a module's name"
    ),
    "MODULE main\nIVAR x : ;\n": "m.smv:2:10: unexpected ';', expected a type (such as boolean, 0..3 or {a, b})",
    "int main() { return ~0; }\n": "m.smv:1:1: unexpected 'int', expected 'MODULE'",
    "MODULE main\nVAR x : boolean;\nINVAR x ~ x;\n": "m.smv:3:9: illegal character '~'",
    "MODULE main\nVAR x : {a, b ~;\n": "m.smv:2:15: illegal character '~'",
    "MODULE main\nVAR x : {a b ~;\n": "m.smv:2:12: unexpected 'b', expected ',' or '}'",
    HEAD + "ASSIGN init(y) := TRUE;\n": "m.smv:3:13: 'y' is not declared",
    HEAD + "ASSIGN next(a-b) := TRUE;\n": (
        "m.smv:3:13: 'a-b' is not declared; '-' is part of the name: write blanks around a minus sign"
    ),
    "MODULE main\nVAR m : n(y.z);\nMODULE n(p)\nASSIGN init(p) := TRUE;\n": "m.smv:2:12: 'y.z' is not declared",
    HEAD + "VAR a : array 0..1 of boolean;\nASSIGN init(a[toint(x)]) := TRUE;\n": (
        "m.smv:4:14: 'a[...]' cannot be assigned: its index must be a constant"
    ),
    "/* elevator */\n#define N 3\nbyte floor;\n": "m.smv:1:1: unexpected '/', expected 'MODULE'",
    "MODULE main\n#define N 3\nVAR x : 0..N;\n": ("m.smv:2:1: this needs a preprocessor: run cpp over the file first"),
    "@TIME_DOMAIN continuous\nMODULE main\n": (
        "m.smv:1:1: illegal character '@': timed models of nuXmv are not supported"
    ),
    HEAD + "INVARSPEC NAME := x;\n": "m.smv:3:16: unexpected ':=', expected a variable's name",
    "MODULE main\nVAR side : {N, E, S, W};\n": "m.smv:2:17: unexpected ',', expected '[' ('E' is a reserved word)",
    "MODULE main\nVAR k : {min, max};\n": "m.smv:2:13: unexpected ',', expected '(' ('min' is a reserved word)",
    "MODULE main\nVAR x : {T, b};\n": "m.smv:2:10: unexpected 'T', expected an expression ('T' is a reserved word)",
    HEAD + "ASSIGN init(G) := 1;\n": "m.smv:3:13: unexpected 'G', expected a variable's name ('G' is a reserved word)",
    HEAD + "INVARSPEC x = A;\n": "m.smv:3:15: temporal operator 'A' needs parentheses here ('A' is a reserved word)",
    HEAD + "INVARSPEC x U ;\n": "m.smv:3:15: unexpected ';', expected an expression",
    HEAD + "DEFINE a := [TRUE, x;\n": "m.smv:3:21: unexpected ';', expected ',' or ']'",
    "MODULE main\nVAR x : 3..1;\n": "m.smv:2:10: the range 3..1 is empty",
}


@pytest.mark.parametrize(("text", "line"), GOLDEN.items())
def test_one_line_with_the_place(text, line):
    with pytest.raises(InputError) as caught:
        read_text(text, "m.smv")
    assert str(caught.value) == line


def test_a_million_parentheses_are_refused_in_one_line():
    text = HEAD + "INVARSPEC " + "(" * 1_000_000 + "x" + ")" * 1_000_000
    with pytest.raises(InputError, match=r"^m\.smv:3:\d+: expression nested more than [\d,]+ levels deep$"):
        read_text(text, "m.smv")


def test_a_long_chain_of_operators_is_no_deep_expression():
    system = read_text(HEAD + "INVARSPEC " + " & ".join(["x"] * 100_000) + ";\r\n")
    assert system.properties[0].text.count("&") == 99_999


@pytest.mark.parametrize("place", ["missing.smv", "."])
def test_files_that_cannot_be_read(tmp_path, place):
    with pytest.raises(InputError):
        read(str(tmp_path / place))

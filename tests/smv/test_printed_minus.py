"""What the printer writes is never cut short by a comment."""

from __future__ import annotations

from symag.smv import expression, read_text
from symag.smv.certify.runs.interpreter import evaluate
from symag.smv.model.printer import expression_text


def test_a_minus_before_a_negative_number_does_not_begin_a_comment() -> None:
    system = read_text("MODULE main VAR x : 0..3; INVARSPEC abs(-1) = x | - -1 = x | x = -(-x) & -(-(x + 1)) = 2")
    shown = system.properties[0].expression
    assert shown is not None
    printed = expression_text(shown)
    assert "--" not in printed
    read = expression(system, printed)
    for number in range(4):
        assert evaluate(system, read, {"x": number}) == evaluate(system, shown, {"x": number})


def test_bits_of_a_negative_word_are_not_the_negative_of_its_bits() -> None:
    for pattern in range(4, 8):
        for bit in range(3):
            system = read_text(f"MODULE main VAR x : boolean; INVARSPEC bool((0sb3_{pattern:03b})[{bit}:{bit}])")
            shown = system.properties[0].expression
            assert shown is not None
            read = expression(system, expression_text(shown))
            assert evaluate(system, read, {}) == evaluate(system, shown, {}) == {bool(pattern >> bit & 1)}

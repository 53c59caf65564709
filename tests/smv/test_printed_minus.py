"""What the printer writes reads back as the same expression, where NuSMV's own text would not."""

from __future__ import annotations

from symag.smv import expression, read_text
from symag.smv.certify.runs.interpreter import evaluate
from symag.smv.model.printer import expression_text, flat_expression_text
from symag.smv.model.typed import Operation


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


def test_a_divisor_that_is_a_product_stays_together() -> None:
    system = read_text("MODULE main VAR x : 1..3; INVARSPEC 5 mod (x * 2) = 1 & 7 mod (4 / x) = 1 & 5 mod x * 2 = 0")
    shown = system.properties[0].expression
    assert isinstance(shown, Operation)
    for part in shown.operands:
        for text in (expression_text(part), flat_expression_text(part)):
            read = expression(system, text)
            for number in range(1, 4):
                assert evaluate(system, read, {"x": number}) == evaluate(system, part, {"x": number})

"""TRANS as disjunctions of events: their structure, and that nothing of the constraint is lost."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from symag.core.errors import InputError
from symag.smv import read_text
from symag.smv.symbolic.choices import parts_of_trans
from symag.smv.symbolic.system import encode
from tests.symbolic.test_events import event_systems


@settings(max_examples=60, deadline=None)
@given(event_systems())
def test_the_parts_together_are_the_constraint(text):
    symbolic = encode(read_text(text))
    context, encoding = symbolic.context, symbolic.encoding
    valid = encoding.context.conjunction(
        encoding.valid(name, primed) for name in encoding.state_names() for primed in (False, True)
    )
    whole = context.conjunction(symbolic.predicate(each.expression) for each in symbolic.source.trans)
    parts = [each for each in symbolic.trans if each.kind == "constraint"]
    assert any(each.alternatives for each in parts)
    assert context.conjunction(each.diagram for each in parts) & valid == whole & valid
    for each in parts:
        now, then = encoding.variables_in(each.diagram)
        assert now <= each.current
        assert then <= each.next


def test_a_define_that_many_events_read_is_looked_into():
    text = """MODULE main VAR x : 0..3; y : boolean; z : boolean;
    DEFINE rest := next(y) = y & still; still := next(z) = z;
    TRANS (x = 0 & next(x) = 1 & rest) | (x = 1 & next(x) = 0 & y & rest)"""
    [[part]] = parts_of_trans(read_text(text))
    assert [choice.kept for choice in part.choices] == [{"y", "z"}, {"y", "z"}]
    assert [len(choice.rest) for choice in part.choices] == [2, 3]


@pytest.mark.long
def test_long_chains_of_defines():
    chain = " ".join(f"d{number} := d{number - 1} & next(y) = y;" for number in range(1, 3000))
    text = f"MODULE main VAR x : boolean; y : boolean; DEFINE d0 := x; {chain} TRANS (d2999 & next(x)) | (next(y) = y)"
    [[part]] = parts_of_trans(read_text(text))
    assert [choice.kept for choice in part.choices] == [{"y"}, {"y"}]


@pytest.mark.parametrize("guard", ["TRUE", "n != 0"])
def test_evaluation_that_can_fail_in_an_event(guard):
    """As in the whole constraint: an error counts only where no FALSE beside it makes it vanish."""
    text = f"""MODULE main VAR n : 0..2; x : boolean;
    TRANS ({guard} & next(n) = 2 / n & next(x) = x) | (n = 0 & next(n) = n & next(x) = x)"""
    if guard == "TRUE":
        with pytest.raises(InputError, match="division by zero"):
            encode(read_text(text))
    else:
        assert len(encode(read_text(text)).trans[-1].alternatives) == 2

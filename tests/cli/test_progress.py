"""How far a long check is: which property of how many, how long it has taken, how long it may go on."""

from __future__ import annotations

import re

from tests.cli.conftest import Symag

LINE = r"^property 1 of 2, \d+ s, {}: \w"


def test_time_left(symag: Symag) -> None:
    ran = symag("check", "models/counter.smv", "--verbose", "--method", "rule-g", "--timeout", "60")
    assert re.search(LINE.format(r"(60|[1-5]\d) s left"), ran.err, re.MULTILINE), ran.err


def test_that_there_is_no_limit(symag: Symag) -> None:
    ran = symag("check", "models/counter.smv", "--verbose", "--method", "rule-g")
    assert re.search(LINE.format("no --timeout"), ran.err, re.MULTILINE), ran.err
    assert "(default: no limit)" in " ".join(re.sub("[│ ]+", " ", symag("check", "--help").out).split())

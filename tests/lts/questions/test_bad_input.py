"""Systems that are too large or odd to be checked: one line each, and no verdict that is not there."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import pytest

from symag import check, read
from symag.core import input_files, state_table
from symag.core.errors import InputError
from symag.core.results import Verdict
from symag.lts import read_text

MANY = "WORKER = (begin -> end -> WORKER). ||SYS = ([1..20]:WORKER)."


def test_more_states_than_their_numbers_allow_are_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_table, "MOST_STATES", 100_000)
    model = tmp_path / "m.lts"
    model.write_text(MANY)
    answers = check(read(model), properties=["deadlock", "progress"])
    assert [(answer.verdict, answer.result.reason) for answer in answers] == [(Verdict.UNKNOWN, "memory")] * 2


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("P = (a[0..99999999999999999999] -> P). ||S = (P).", "1:7"),
        ("P = P[0], P[i:0..1000000000000] = (a[i] -> P[i]). ||S = (P).", "1:12"),
        ("P = (a -> P). ||S = (forall [i:1..1000000000000] p[i]:P).", "1:29"),
    ],
)
def test_a_range_with_too_many_values_is_an_error(text: str, where: str) -> None:
    with pytest.raises(InputError, match="values, expected at most 16777216") as error:
        read_text(text).composite("S")
    assert f"{error.value.line}:{error.value.column}" == where


class _Growing(io.FileIO):
    """A file to which another program writes while it is read."""

    def read(self, *sizes: Any) -> Any:
        content = super().read(*sizes)
        with Path(str(self.name)).open("ab") as file:
            file.write(b'(0,"a",1)\n')
        return content


def test_a_file_that_grows_while_it_is_read_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tmp_path / "m.aut"
    model.write_text('des (0,1,2)\n(0,"a",1)\n')
    assert read(model)
    monkeypatch.setattr(input_files, "open", lambda path, _: _Growing(os.fspath(path)), raising=False)
    with pytest.raises(InputError, match="the file changed while it was read"):
        read(model)


def test_a_property_that_shares_no_action_is_mentioned() -> None:
    model = read_text("P = (a -> P). property Q = (b -> Q). property R = (a -> R). ||S = (P || Q || R).")
    model.composite("S")
    assert model.warnings == ["Q shares no action with another component: it moves independently of them"]

"""A certificate belongs to the bytes of one file, binary files included."""

from __future__ import annotations

from pathlib import Path

import pytest

from symag.core.errors import InputError
from symag.engine.families import family_of
from tests.cli.conftest import Symag

#: Two models whose one bad state is never reached; only the second has a gate.
FIRST = b"aig 1 0 1 0 0 1\n0\n2\n"
SECOND = b"aig 2 1 1 0 0 1\n0\n4\n"


def test_binary_models_have_identities_of_their_own(symag: Symag, tmp_path: Path) -> None:
    first, second, certificate = tmp_path / "first.aig", tmp_path / "second.aig", tmp_path / "c.json"
    first.write_bytes(FIRST)
    second.write_bytes(SECOND)
    assert symag("check", first, "--certificate", certificate, "--method", "monolithic").status == 0
    assert symag("certify", first, certificate).status == 0
    ran = symag("certify", second, certificate)
    assert ran.status == 3
    assert "certificate of another model" in ran.err
    assert "has another SHA-256" in ran.err


def test_the_bytes_count_not_the_text(tmp_path: Path) -> None:
    models = []
    for name, ending in (("a.smv", "\n"), ("b.smv", "\r\n")):
        path = tmp_path / name
        path.write_bytes(ending.join(["MODULE main", "VAR x : boolean;", "INVARSPEC x | !x", ""]).encode())
        family = family_of(path)
        models.append(family.read(str(path), family.request()))
    assert models[0].source.text == models[1].source.text
    assert models[0].source.digest != models[1].source.digest
    with pytest.raises(InputError, match="no such file"):
        family.read(str(tmp_path / "absent.smv"), family.request())

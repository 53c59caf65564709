"""The page of a proof, as the command writes it: read in a real Chromium, and by ``symag certify``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Symag, symag  # noqa: F401 - a fixture
from tests.traces.conftest import Shown

PARTS = "models/counter.smv --property parity_right --method rule-g"
SERVED = "--specification models/lpts/client_server3_specification.nm"


@pytest.mark.long
@pytest.mark.parametrize("width", [400, 1400])
def test_what_a_proof_by_parts_says(symag: Symag, shown: Shown, tmp_path: Path, width: int) -> None:  # noqa: F811
    file = tmp_path / "proof.html"
    assert symag("check", *PARTS.split(), "--certificate", file).status == 0
    page = shown(file, width)
    assert page.locator("header .badge").inner_text() == "holds"
    assert "separate code has proved every premise again" in page.locator("#trust").inner_text()
    cells = page.locator("#parts tbody tr").all()
    assert [cell.locator("td").first.inner_text() for cell in cells] == ["digit", "odd"]
    assert [cell.locator("td").last.inner_text() for cell in cells] == [
        "assumption of 9 states",
        "assumption of 2 states",
    ]
    assert page.locator(".wires rect").count() == 2
    assert page.locator("#assumptions svg").count() == 1
    assert "bytes" in page.locator("#sizes").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    ran = symag("certify", "models/counter.smv", file)
    assert (ran.status, ran.out.strip().endswith("accepted: the property holds")) == (0, True)


def test_wires_between_the_parts(symag: Symag, shown: Shown, tmp_path: Path) -> None:  # noqa: F811
    file, model = tmp_path / "proof.html", tmp_path / "m.smv"
    model.write_text(
        """MODULE main VAR a : boolean; b : boolean; c : boolean;
        ASSIGN init(a) := FALSE; next(a) := !a; init(b) := FALSE; next(b) := a; init(c) := FALSE; next(c) := b & !a;
        INVARSPEC c -> !b"""
    )
    assert symag("check", model, "--method", "rule-g", "--parts", "3", "--certificate", file).status == 0
    page = shown(file)
    assert page.locator("#parts tbody tr").count() == 3
    wires = page.locator(".wire title").all_text_contents()
    assert wires
    assert page.locator(".wire path[marker-end]").count() == len(wires)


@pytest.mark.long
@pytest.mark.parametrize(
    ("model", "arguments", "status", "texts"),
    [
        (
            "models/lts/mer.lts",
            "--target MER --property safety --const Rescinding=0 --method agar",
            10,
            (),
        ),
        ("models/lts/input_output.lts", "--method lstar --property safety", 0, ("assumption of", "shares with others")),
        ("models/lpts/client_server3.nm", SERVED, 0, ("re-checked", "client_server3")),
        ("models/counter.smv", "--property parity_right --method pdr", 0, ("clauses", "to be trusted")),
    ],
)
def test_every_family_has_its_page(
    symag: Symag,  # noqa: F811
    tmp_path: Path,
    model: str,
    arguments: str,
    status: int,
    texts: tuple[str, ...],
) -> None:
    file = tmp_path / "proof.html"
    assert symag("check", model, *arguments.split(), "--certificate", file).status == status
    assert file.exists() is (status == 0)
    for text in texts:
        assert text in file.read_text()
    if status == 0:
        asked = arguments.split() if "--specification" in arguments else []
        assert symag("certify", model, file, *asked).status == 0

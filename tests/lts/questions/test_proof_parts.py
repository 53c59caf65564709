"""The parts on the page of a proof about a composite process."""

from __future__ import annotations

import symag
from symag.lts.certificates import LabelledCertificate
from symag.lts.checking.proof_page import proof_of
from symag.lts.language.composites import Model

OBSERVED_FIRST = """
A = (a -> b -> A).
B = (b -> c -> B).
property SAFE = (b -> c -> SAFE).
||SYS = (SAFE || A || B).
"""


def test_parts_are_components_and_not_what_observes_them(tmp_path) -> None:
    path = tmp_path / "m.lts"
    path.write_text(OBSERVED_FIRST)
    model = symag.read(path)
    assert isinstance(model, Model)
    (answer,) = symag.check(model, "safety", "agar")
    assert isinstance(answer.result.certificate, LabelledCertificate)
    proof = proof_of(model, answer.property, answer.result.certificate, answer.result)
    assert sorted(name for part in proof.parts for name in part.owns) == ["A", "B"]
    assert proof.links == {(0, 1): ("b",)}

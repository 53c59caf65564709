"""Certificates of CTL and LTL in files: read back as they were written, refused when they are broken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symag.core.errors import InputError
from symag.core.limits import Limits, no_progress
from symag.smv import read, read_text
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.formulas import DiagramTable
from symag.smv.certificates.temporal import AvoidedCondition, FairEmptiness, FormulaLabel, Labelling, RemovalStep
from symag.smv.certify import check_certificate, read_certificate, write_certificate
from symag.smv.checking.evidence import recheck_file

MODEL = "MODULE main VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := !x; SPEC AG AF x LTLSPEC G F x"
TABLE = DiagramTable((("x", 0),), ((0, 1, 0), (0, 0, 1)))
REMOVAL = RemovalStep(3, AvoidedCondition("progress"))
LABELS = Labelling(TABLE, (1,), (FormulaLabel(1, (REMOVAL,)), FormulaLabel(1)), FormulaLabel(1))
OBSERVED = FairEmptiness(
    DiagramTable((("seen", 0),), ()),
    (("seen", "X F x"),),
    ("F x", "!(G F x)"),
    (1,),
    (RemovalStep(0, AvoidedCondition("justice")),),
)


@pytest.mark.parametrize(("index", "certificate"), [(0, LABELS), (1, OBSERVED)])
def test_certificates_come_back_from_files(tmp_path: Path, index: int, certificate: Certificate) -> None:
    system = read_text(MODEL)
    path = tmp_path / "certificate.json"
    write_certificate(path, system, system.properties[index], certificate)
    checked, found = read_certificate(path, system)
    assert checked is system.properties[index]
    assert found == certificate


def test_labels_from_a_file_are_accepted(tmp_path: Path) -> None:
    system = read_text(MODEL)
    path = tmp_path / "labels.json"
    write_certificate(path, system, system.properties[0], LABELS)
    assert check_certificate(system, *read_certificate(path, system))


@pytest.mark.parametrize(("values", "claim"), [("{TRUE, FALSE}", "holds"), ("FALSE", "is violated")])
def test_the_report_of_a_certificate_says_what_it_proves(tmp_path: Path, values: str, claim: str) -> None:
    model, path = tmp_path / "model.smv", tmp_path / "certificate.json"
    model.write_text(f"MODULE main VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := {values}; SPEC AG EF x")
    system = read(model)
    verdict = "holds" if claim == "holds" else "violated"
    write_certificate(path, system, system.properties[0], Labelling(TABLE, (1,), (), claim=verdict))
    report = recheck_file(system, str(path), False, None, Limits(), no_progress)
    assert report.lines == (f"certificate of AG (EF x)  accepted: the property {claim}",)


@pytest.mark.parametrize(
    ("certificate", "place", "value", "message"),
    [
        (LABELS, ("claim",), "perhaps", "evidence.claim is not holds or violated"),
        (LABELS, ("labels", 0, "states"), 4, "is not the number of a diagram node"),
        (LABELS, ("labels", 0, "removals", 0, "avoids"), "nothing", "is not justice, compassion, eventuality or"),
        (LABELS, ("fair",), 3, "evidence.fair is not an object"),
        (OBSERVED, ("observers", 0), ["seen"], "is not a name and an expression"),
        (OBSERVED, ("eventualities",), [1], "is not a text"),
    ],
)
def test_broken_files_are_refused_in_one_line(tmp_path: Path, certificate, place, value, message: str) -> None:
    system = read_text(MODEL)
    path = tmp_path / "broken.json"
    write_certificate(path, system, system.properties[0], certificate)
    document = json.loads(path.read_text())
    member = document["evidence"]
    for key in place[:-1]:
        member = member[key]
    member[place[-1]] = value
    path.write_text(json.dumps(document))
    with pytest.raises(InputError, match=message) as caught:
        read_certificate(path, system)
    assert "\n" not in str(caught.value)

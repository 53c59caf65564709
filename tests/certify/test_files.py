"""Certificate and trace files: what is written is read back, and what is wrong is said in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from symag.core.errors import CertificationError, InputError, UsageError
from symag.core.trace import Step, Trace
from symag.smv import read_text
from symag.smv.certificates.certificate import Certificate
from symag.smv.certificates.formulas import DiagramTable
from symag.smv.certificates.invariants import Induction, InductiveSet
from symag.smv.certificates.temporal import BoundedFairness
from symag.smv.certify import check_certificate, read_certificate, read_trace, write_certificate, write_trace
from symag.smv.model.flat import FlatSystem
from tests.certify.explicit_assumptions import certificate

MODEL = """
MODULE main
VAR a : boolean; b : boolean;
ASSIGN
  init(a) := TRUE; next(a) := b;
  init(b) := FALSE; next(b) := a;
INVARSPEC NAME apart := !(a & b)
INVARSPEC a
"""


@pytest.fixture
def system() -> FlatSystem:
    return read_text(MODEL)


def proofs(system: FlatSystem) -> list[Certificate]:
    expression = system.properties[0].expression
    assert expression is not None
    exclusive = DiagramTable((("a", 0), ("b", 0)), ((1, 0, 1), (1, 1, 0), (0, 2, 3)))
    return [
        InductiveSet(exclusive, (4,)),
        certificate(system, expression, [["a"], ["b"]], "rule-g", True),
        certificate(system, expression, [["a"], ["b"]], "rule-s", False),
    ]


LASSO = Trace("lasso", (Step({"a": True, "b": False}, {}, "first"), Step({"a": False, "b": True})), 0)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_certificates_come_back_as_they_were_and_prove_the_property(
    system: FlatSystem, tmp_path: Path, number: int
) -> None:
    proof = proofs(system)[number]
    write_certificate(tmp_path / "c.json", system, system.properties[0], proof)
    checked, found = read_certificate(tmp_path / "c.json", read_text(MODEL))
    assert (checked.index, checked.name) == (0, "apart")
    assert found == proof
    assert check_certificate(system, checked, found)
    assert [path.name for path in tmp_path.iterdir()] == ["c.json"]


def test_traces_come_back_as_they_were(system: FlatSystem, tmp_path: Path) -> None:
    write_trace(tmp_path / "t.json", system, system.properties[1], LASSO)
    checked, found = read_trace(tmp_path / "t.json", system)
    assert (checked.index, found) == (1, LASSO)


def test_files_of_another_model_or_kind_are_refused(system: FlatSystem, tmp_path: Path) -> None:
    write_certificate(tmp_path / "c.json", system, system.properties[0], proofs(system)[0])
    write_trace(tmp_path / "t.json", system, system.properties[1], LASSO)
    other = read_text(MODEL + "\n")
    with pytest.raises(InputError, match=r"c.json: certificate of another model"):
        read_certificate(tmp_path / "c.json", other)
    with pytest.raises(InputError, match=r"t.json: trace of another model"):
        read_trace(tmp_path / "t.json", other)
    with pytest.raises(InputError, match="not a certificate file of symag"):
        read_certificate(tmp_path / "t.json", system)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "truncated one"),
        (b"\xff\xfe\x00", "not text"),
        (b"[" * 200_000, "nested too deeply|truncated one"),
        (b"1" * 10_000, "not a certificate file"),
        (b"[1, 2]", "not a certificate file of symag"),
        (b'{"kind": "certificate"}', "the file has no 'schema'"),
        (b'{"kind": "certificate", "schema": 99}', "has schema 99"),
    ],
)
def test_files_that_are_no_certificates(system: FlatSystem, tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "c.json").write_bytes(content)
    with pytest.raises(InputError, match=reason) as caught:
        read_certificate(tmp_path / "c.json", system)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("certificate", [Induction(10**30, ()), BoundedFairness(10**30, (), (), ())])
def test_steps_that_no_recheck_would_finish(system: FlatSystem, tmp_path: Path, certificate: Certificate) -> None:
    path = tmp_path / "c.json"
    write_certificate(path, system, system.properties[0], certificate)
    with pytest.raises(InputError, match=r"c.json: malformed: evidence.\w+ is not a number of at most 100,000"):
        read_certificate(path, system)


def test_more_steps_than_states(system: FlatSystem) -> None:
    with pytest.raises(CertificationError, match="it has 100,000 steps, more than the model has states"):
        check_certificate(system, system.properties[0], Induction(100_000, ()))


def test_files_that_cannot_be_read_or_written(system: FlatSystem, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_trace(tmp_path / "none.json", system)
    with pytest.raises(InputError, match="this is a directory"):
        read_trace(tmp_path, system)
    with pytest.raises(UsageError, match="cannot write"):
        write_trace(tmp_path / "no" / "t.json", system, system.properties[1], LASSO)


def damaged(value: Any) -> list[Any]:
    """The document with every part in turn replaced by something of a wrong type, or left out."""
    found: list[Any] = []
    if isinstance(value, dict):
        for key in value:
            found.append({name: item for name, item in value.items() if name != key})
            found += [{**value, key: item} for item in damaged(value[key])]
    elif isinstance(value, list):
        for place in range(len(value)):
            found += [[*value[:place], item, *value[place + 1 :]] for item in damaged(value[place])]
    return [*found, None, {"x": 1}, [[1]], 10**6, -7, "no such thing"]


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_no_damage_passes_unseen_or_as_a_traceback(system: FlatSystem, tmp_path: Path, number: int) -> None:
    """Whatever part of the evidence is damaged, reading fails in one line, or finds something well-formed."""
    path = tmp_path / "evidence.json"
    if number == 3:
        write_trace(path, system, system.properties[1], LASSO)
    else:
        write_certificate(path, system, system.properties[0], proofs(system)[number])
    document = json.loads(path.read_text())
    outcomes = set()
    for evidence in damaged(document["evidence"]):
        path.write_text(json.dumps({**document, "evidence": evidence}))
        outcomes.add(refusal(path, system, number == 3))
    assert len(outcomes) > 10
    assert all(text is None or ("\n" not in text and str(path) in text) for text in outcomes)
    for key in ("schema", "kind", "sha256", "property", "evidence"):
        path.write_text(json.dumps({name: value for name, value in document.items() if name != key}))
        assert refusal(path, system, number == 3) is not None


def refusal(path: Path, system: FlatSystem, is_trace: bool) -> str | None:
    try:
        read_trace(path, system) if is_trace else read_certificate(path, system)
    except InputError as error:
        return str(error)
    return None


def test_a_truncated_file_is_refused_wherever_it_ends(system: FlatSystem, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    write_certificate(path, system, system.properties[0], proofs(system)[1])
    whole = path.read_bytes().rstrip()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        with pytest.raises(InputError):
            read_certificate(path, system)

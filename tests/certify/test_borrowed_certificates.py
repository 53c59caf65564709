"""A proof of one system, shown for another one in which the property is false, is refused, whole or changed."""

from __future__ import annotations

import json
import random
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from symag.core.errors import CertificationError, InputError, UnsupportedError
from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.certificates.certificate import Certificate
from symag.smv.certify import check_certificate, read_certificate, write_certificate
from symag.smv.methods import monolithic
from symag.smv.methods.by_parts import rule_g, rule_s
from symag.smv.methods.options import SmvOptions
from symag.smv.model.flat import FlatSystem, Property
from tests.brute_force import Explicit, find_error
from tests.strategies import models

#: What may stand for another in a system that resembles a given one.
_SWAPS = {"TRUE": "FALSE", "FALSE": "TRUE", "&": "|", "|": "&", "=": "!=", "!=": "=", "0": "1", "1": "0", "2": "1"}


def _resembling(text: str, choice: random.Random) -> str:
    """The model with tokens swapped or a constraint left out; its properties stay as they are."""
    lines = text.splitlines()
    places = [k for k, line in enumerate(lines) if not line.startswith(("VAR", "IVAR", "FROZENVAR", "MODULE"))]
    places = [k for k in places if "SPEC" not in lines[k]]
    for _ in range(choice.randint(1, 3)):
        if not places:
            break
        k = choice.choice(places)
        if lines[k].startswith(("INIT", "INVAR", "TRANS")) and choice.random() < 0.5:
            lines[k] = ""
            continue
        tokens = re.split(r"(\bTRUE\b|\bFALSE\b|!=|[&|]|(?<![<>!:])=|\b[012]\b)", lines[k])
        known = [i for i, token in enumerate(tokens) if token in _SWAPS]
        if known:
            i = choice.choice(known)
            tokens[i] = _SWAPS[tokens[i]]
        lines[k] = "".join(tokens)
    return "\n".join(lines) + "\n"


def _changed(document: Any, choice: random.Random) -> None:
    """One number or truth value somewhere inside is another one now, or an entry of a list is there twice or gone."""
    found: list[tuple[Any, Any]] = []

    def walk(inside: Any) -> None:
        entries = inside.items() if isinstance(inside, dict) else enumerate(inside)
        for key, value in entries:
            if isinstance(value, dict | list):
                walk(value)
            if isinstance(value, bool | int) or isinstance(inside, list):
                found.append((inside, key))

    walk(document)
    if not found:
        return
    inside, key = choice.choice(found)
    value = inside[key]
    if isinstance(value, bool):
        inside[key] = not value
    elif isinstance(value, int) and choice.random() < 0.8:
        inside[key] = max(0, value + choice.choice((-2, -1, 1, 2)))
    elif isinstance(inside, list):
        if choice.random() < 0.5:
            inside.append(value)
        else:
            inside.pop(key)


def _proof(system: FlatSystem, checked: Property, choice: random.Random) -> Certificate | None:
    method = choice.choice((monolithic, rule_s, rule_g, rule_g))
    options = SmvOptions(
        cone_of_influence=choice.random() < 0.5,
        parts=choice.choice((None, 2, 3)) if method is rule_g else None,
        early_falsification=choice.random() < 0.5,
        edge_deletion=choice.random() < 0.5,
        one_state_first=choice.random() < 0.3,
        small_alphabet_first=choice.random() < 0.5,
        partitions=1,
        wires=choice.choice((None, "none", "property")),
    )
    try:
        result = method.decide(system, checked, options, no_progress)
    except UnsupportedError:
        return None
    return result.certificate if result.verdict is Verdict.HOLDS else None


@pytest.mark.long
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(models(largest=48, fairness=False), st.integers(0, 2**32))
def test_what_is_false_is_not_proved_by_a_borrowed_certificate(text: str, seed: int) -> None:
    choice = random.Random(seed)
    system = read_text(text)
    proofs = [(k, _proof(system, each, choice)) for k, each in enumerate(system.properties)]
    assume(any(proof is not None for _, proof in proofs))
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(4):
            try:
                other = read_text(_resembling(text, choice))
            except InputError:
                continue
            if find_error(other) is not None:
                continue
            explicit = Explicit(other)
            for k, proof in proofs:
                checked = other.properties[k]
                if proof is None or explicit.holds(checked):
                    continue
                path = Path(folder, "proof.json")
                write_certificate(path, other, checked, proof)
                document = json.loads(path.read_text())
                for changes in range(6):
                    if changes:
                        _changed(document["evidence"], choice)
                        path.write_text(json.dumps(document))
                    assert not _is_accepted(path, other), (document, checked.text)


def _is_accepted(path: Path, system: FlatSystem) -> bool:
    try:
        return check_certificate(system, *read_certificate(path, system))
    except (InputError, CertificationError, UnsupportedError):
        return False

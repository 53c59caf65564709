"""The models in models/lts: sizes and verdicts of small instances, by the monolithic method and by the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from symag.core.limits import Deadline, Limits
from symag.core.results import PropertyResult, Verdict
from symag.lts import Model, read
from symag.lts.certify.states import explored
from symag.lts.checking.check import select
from symag.lts.methods.options import LtsOptions
from tests.conftest import ROOT
from tests.lts.agreement import METHODS
from tests.lts.answering import decided

FOLDER = ROOT / "models" / "lts"

#: File, constants, composite, and states of the whole system where its property holds, or None where it does not.
INSTANCES = [
    ("client_server", {}, "CLIENT_SERVER", 68),
    ("client_server", {"Clients": 6}, "CLIENT_SERVER", 1600),
    ("gas_station", {}, "GAS_STATION", 469),
    ("gas_station", {"Customers": 2}, "GAS_STATION", 87),
    ("gas_station", {"Customers": 2, "Race": 1}, "GAS_STATION", None),
    ("mer", {}, "MER", 22),
    ("mer", {"Users": 3, "Resources": 2}, "MER", 436),
    ("mer", {"Rescinding": 0}, "MER", None),
    ("chiron", {}, "CHIRON_P2", 71),
    ("chiron", {}, "CHIRON_P3", 71),
    ("chiron", {"Handlers": 3}, "CHIRON_P2", 772),
    ("chiron", {"Newest": 1}, "CHIRON_P2", None),
    ("chiron", {"Newest": 1}, "CHIRON_P3", 71),
    ("chiron", {"Stale": 1}, "CHIRON_P3", None),
    ("rover", {}, "ROVER", 208),
    ("rover", {"Locking": 0}, "ROVER", None),
    ("mesh", {}, "MESH", 256),
    ("mesh", {"Leak": 1}, "MESH", None),
]

#: The published decomposition into two parts.
PARTS = {
    "gas_station": ("CUSTOMERS", "STATION"),
    "mer": ("USERS", "ARBITER"),
    "chiron": ("HANDLERS", "DISPATCHING"),
    "rover": ("EXECUTING", "MONITORING"),
}


def _read(name: str, constants: dict[str, int]) -> Model:
    return read(str(FOLDER / f"{name}.lts"), constants=constants)


def _safety(model: Model, target: str, method: str, groups: tuple[str, ...] = ()) -> PropertyResult:
    asked = select(model, (target,), ("safety",))
    (result,) = decided(model, asked, method, LtsOptions(group_names=groups), Limits(60, 4000))
    return result


@pytest.mark.long
@pytest.mark.parametrize(("name", "constants", "target", "states"), INSTANCES)
def test_verdict_and_size(name: str, constants: dict[str, int], target: str, states: int | None) -> None:
    model = _read(name, constants)
    asked = select(model, (target,))
    deadlock, safety = decided(model, asked, limits=Limits(60, 4000))
    assert model.warnings == []
    assert (deadlock.verdict, deadlock.certified) == (Verdict.HOLDS, True)
    assert (safety.verdict is Verdict.HOLDS, safety.certified) == (states is not None, True)
    if states is not None:
        system = model.composite(target)
        recounted = explored(system, (0,) * len(system.components), Deadline(60)).states
        assert safety.statistics["states"] == recounted == states


@pytest.mark.parametrize("clients", [1, 4, 7])
def test_how_many_states_clients_and_server_have(clients: int) -> None:
    """All others wait in one of two states; one client is in one of three, and of the others one may be denied."""
    held = 3 * 2 ** (clients - 1) + (2 * (clients - 1) * 2 ** (clients - 2) if clients > 1 else 0)
    lts = _read("client_server", {"Clients": clients}).composite("CLIENT_SERVER").product().lts
    assert lts.states == 2**clients + clients * held


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", sorted(PARTS))
def test_the_methods_agree_on_the_published_decomposition(method: str, name: str) -> None:
    for instance, constants, target, states in INSTANCES:
        if instance == name and constants.get("Handlers", 2) == 2 and (name != "gas_station" or constants):
            result = _safety(_read(name, constants), target, method, PARTS[name])
            assert (result.verdict is Verdict.HOLDS, result.certified) == (states is not None, True)
            assert result.statistics["components"] >= 2


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS)
def test_the_methods_agree_on_every_component_by_itself(method: str) -> None:
    for name, constants, target, states in INSTANCES[:1] + INSTANCES[5:8]:
        result = _safety(_read(name, constants), target, method)
        assert (result.verdict is Verdict.HOLDS, result.certified) == (states is not None, True)


def test_every_model_says_what_cannot_be_met() -> None:
    for path in sorted(Path(FOLDER).glob("*.lts")):
        head = path.read_text().split("*/")[0]
        assert "ublished" in head, path.name

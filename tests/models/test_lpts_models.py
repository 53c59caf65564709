"""The models in models/lpts: sizes as in agar-lpts-2012, Table 1, and what their specifications decide."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from symag.core.results import Verdict
from symag.lpts.composition import composed
from symag.lpts.language.reading import read_specification, read_system
from symag.lpts.lpts import Lpts
from symag.lpts.methods.agar import agar, agar_n
from symag.lpts.methods.options import LptsOptions
from symag.lpts.methods.simulation.question import SimulationRelation
from symag.lpts.methods.simulation.sides import sides
from symag.lpts.methods.simulation.worklist import decide
from symag.lpts.problems import SimulationProblem

FOLDER = Path(__file__).resolve().parent.parent.parent / "models" / "lpts"


def generate(*arguments: str) -> str:
    """What ``python models/lpts/FAMILY.py ...`` prints."""
    command = [sys.executable, "-B", str(FOLDER / arguments[0]), *arguments[1:]]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout


def components(folder: Path, *arguments: str) -> tuple[Lpts, ...]:
    path = folder / "system.nm"
    path.write_text(generate(*arguments))
    return read_system(str(path)).components


def states(parts: tuple[Lpts, ...]) -> int:
    return composed(parts, "L").lpts.states


def verdict(folder: Path, parts: tuple[Lpts, ...], *arguments: str) -> tuple[int, bool]:
    """How many states the specification has, and whether it simulates the system."""
    path = folder / "specification.nm"
    path.write_text(generate(*arguments))
    specification = read_specification(str(path))
    holds = isinstance(decide(sides(composed(parts, "L").lpts, specification)), SimulationRelation)
    return specification.states, holds


@pytest.mark.long
@pytest.mark.parametrize("clients", [1, 2, 5, 7])
def test_one_failing_client(tmp_path: Path, clients: int) -> None:
    n, command = clients, ("client_server.py", str(clients), "--failing", "one")
    server, *others = parts = components(tmp_path, *command)
    assert [each.states for each in others] == [5] + [3] * (n - 1)
    assert (server.states, states(tuple(others))) == ((n + 1) ** 2, 5 * 3 ** (n - 1))
    assert states(parts) == 4 * n**2 - 2 * n + 4
    assert verdict(tmp_path, parts, *command, "--specification") == (3 * n + 1, True)
    assert verdict(tmp_path, parts, *command, "--wrong") == (3 * n + 1, False)


@pytest.mark.parametrize(("clients", "joint"), [(2, 34), (3, 184), (4, 960)])
def test_all_clients_failing(tmp_path: Path, clients: int, joint: int) -> None:
    n, command = clients, ("client_server.py", str(clients), "--failing", "all")
    server, *others = parts = components(tmp_path, *command)
    assert (server.states, states(tuple(others)), states(parts)) == ((n + 1) ** 2, 5**n, joint)
    size = 3**n + n * 3 ** (n - 1)
    if n < 4:
        assert verdict(tmp_path, parts, *command, "--specification") == (size, True)
    assert verdict(tmp_path, parts, *command, "--wrong") == (size, False)


@pytest.mark.long
@pytest.mark.parametrize(
    ("users", "arbiter", "joint", "printed"),
    [(2, 139, 1865, 1865), (3, 278, 15925, 16_000), (4, 465, 120_125, 120_000)],
)
def test_arbiter(tmp_path: Path, users: int, arbiter: int, joint: int, printed: int) -> None:
    first, *others = parts = components(tmp_path, "arbiter.py", str(users))
    assert (first.states, states(tuple(others))) == (arbiter, 12**users)
    assert states(parts) == joint
    assert abs(joint - printed) <= 500
    if users < 4:
        assert verdict(tmp_path, parts, "arbiter.py", str(users), "--specification") == (3 * users + 3, True)
        assert verdict(tmp_path, parts, "arbiter.py", str(users), "--wrong") == (3 * users + 3, False)


@pytest.mark.long
@pytest.mark.parametrize(("sensors", "together", "joint"), [(1, 21, 458), (2, 319, 7588), (3, 3305, 79414)])
def test_sensors(tmp_path: Path, sensors: int, together: int, joint: int) -> None:
    parts = components(tmp_path, "sensors.py", str(sensors))
    assert [each.states for each in parts] == [32, 126 * sensors] + [10] * sensors
    assert (states(parts[1:]), states(parts)) == (together, joint)
    assert f"together {together}, the system {joint} states" in " ".join(
        line.removeprefix("//").strip() for line in (tmp_path / "system.nm").read_text().splitlines()
    )
    if sensors < 3:
        size = 2 * 3 ** (sensors + 1)
        assert verdict(tmp_path, parts, "sensors.py", str(sensors), "--specification") == (size, True)
        assert verdict(tmp_path, parts, "sensors.py", str(sensors), "--wrong") == (size, False)


#: Written by hand, with no parameters.
_BY_HAND = ("delivery", "warning")


@pytest.mark.parametrize(
    "path", sorted(path for path in FOLDER.glob("*.nm") if path.stem not in _BY_HAND), ids=lambda path: path.stem
)
def test_committed_files_are_what_their_generators_print(path: Path) -> None:
    (command,) = re.findall(r"^// Made by: python models/lpts/(.+)$", path.read_text(), re.MULTILINE)
    assert generate(*command.split()) == path.read_text()


@pytest.mark.long
def test_an_assumption_about_the_users_of_the_arbiter_is_small(tmp_path: Path) -> None:
    """MER(3), rule ASym: of 1728 states of the users the paper's assumption has 7; a wrong specification has a tree."""
    parts = components(tmp_path, "arbiter.py", "3")
    for flag, expected in (("--specification", Verdict.HOLDS), ("--wrong", Verdict.VIOLATED)):
        path = tmp_path / "specification.nm"
        path.write_text(generate("arbiter.py", "3", flag))
        problem = SimulationProblem(parts, read_specification(str(path)))
        for method in (agar, agar_n):
            outcome = method(problem, LptsOptions())
            assert outcome.verdict is expected
            assert outcome.statistics["assumption_states_max"] <= 32


def test_a_round_refines_by_several_conflicts(tmp_path: Path) -> None:
    """MER(2): every user's assumption is refined twice, in two rounds or, by one conflict at a time, in four."""
    parts = components(tmp_path, "arbiter.py", "2")
    path = tmp_path / "specification.nm"
    path.write_text(generate("arbiter.py", "2", "--specification"))
    problem = SimulationProblem(parts, read_specification(str(path)))
    for conflicts, rounds in ((1, 5), (16, 3)):
        outcome = agar(problem, LptsOptions(conflicts=conflicts))
        assert outcome.verdict is Verdict.HOLDS
        assert (outcome.statistics["rounds"], outcome.statistics["refinements"]) == (rounds, 4)

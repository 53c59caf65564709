"""Each model in models/ is what its header says: the generator's text, the size, the verdicts."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import symag
from symag.smv import read
from symag.smv.model.types import bit_count

MODELS = Path(__file__).resolve().parent.parent.parent / "models"
FAMILIES = MODELS / "families"
FILES = sorted(MODELS.glob("*.smv"))
BY_HAND = {"counter", "junction", "token"}


def generate(command: str) -> subprocess.CompletedProcess[str]:
    """Runs ``FAMILY.py PARAMETERS`` in a clean interpreter."""
    return subprocess.run(
        [sys.executable, "-B", *command.split()], cwd=FAMILIES, capture_output=True, text=True, timeout=60, check=False
    )


def header(text: str, pattern: str) -> list[tuple[str, ...]]:
    return [match.groups() for match in re.finditer(rf"^-- {pattern}$", text, re.MULTILINE)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_size_and_properties_are_those_of_the_header(path: Path) -> None:
    text = path.read_text()
    system = read(str(path))
    ((bits,),) = header(text, r"Size: (\d+) bits")
    assert sum(bit_count(variable.type) for variable in system.variables) == int(bits)
    named = [name for name, _ in header(text, r"Verdict of (\w+): (holds|violated)")]
    assert named == [item.name for item in system.properties]


@pytest.mark.parametrize("path", [path for path in FILES if path.stem not in BY_HAND], ids=lambda path: path.stem)
def test_committed_file_is_what_its_generator_prints(path: Path) -> None:
    ((command,),) = header(path.read_text(), "Made by: python models/families/(.+)")
    done = generate(command)
    assert done.returncode == 0
    assert done.stdout == path.read_text()
    assert path.read_text().startswith(f"-- {path.stem}: ")


@pytest.mark.parametrize(
    ("command", "bits"),
    [
        ("simple.py 11", 94),
        ("msi.py 5", 50),
        ("arbiter.py 7", 21),
        ("barrel.py 5 6", 60),
        ("robot.py 6 --recorders 2", 74),
        ("guidance.py --recorders 3", 62),
        ("parity.py 24", 53),
        ("parity.py 24 --modules 3 --broken", 77),
        ("baton.py 16 --stations 3 --broken", 58),
        ("permutation.py 6 --modules 3 --broken", 57),
        ("scan.py 24", 69),
        ("quorum.py 6 --servers 3", 277),
    ],
)
def test_larger_instances_read_and_have_the_size_of_their_header(command: str, bits: int, tmp_path: Path) -> None:
    done = generate(command)
    assert done.returncode == 0, done.stderr
    assert f"-- Made by: python models/families/{command}\n" in done.stdout
    file = tmp_path / "model.smv"
    file.write_text(done.stdout)
    system = read(str(file))
    assert header(done.stdout, r"Size: (\d+) bits") == [(str(bits),)]
    assert sum(bit_count(variable.type) for variable in system.variables) == bits


@pytest.mark.parametrize(
    "command", ["simple.py 17", "simple.py", "msi.py 1", "barrel.py 1 4", "parity.py x", "robot.py 4 --recorders -1"]
)
def test_wrong_parameters_are_refused_in_one_line(command: str) -> None:
    done = generate(command)
    assert done.returncode == 2
    assert done.stdout == ""
    assert re.search(r"error: .+\n\Z", done.stderr)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_verdicts_are_those_of_the_header(path: Path) -> None:
    expected = dict(header(path.read_text(), r"Verdict of (\w+): (holds|violated)"))
    answers = symag.check(path, method="monolithic", timeout=50)
    assert {answer.property.name: answer.result.verdict.value for answer in answers} == expected
    assert all(answer.result.certified for answer in answers)

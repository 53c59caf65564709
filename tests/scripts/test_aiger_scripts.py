"""The scripts that decide AIGER files: every file is printed, a wrong known answer is told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from scripts.circuits import large_aiger, random_aiger
from symag.core.limits import no_progress
from symag.core.source import SourceText
from symag.smv.aiger import ascii_text, to_system
from symag.smv.certify import accept
from symag.smv.methods import bmc
from symag.smv.methods.options import SmvOptions

ROOT = Path(__file__).resolve().parents[2]


def suite(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-m", "scripts.circuits.aiger_suite", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, env=environment, cwd=ROOT, check=False)


@pytest.mark.long
def test_a_folder_of_aiger_files(tmp_path: Path) -> None:
    (tmp_path / "good.aag").write_text("aag 1 0 1 0 0 1\n2 2\n2\n")
    (tmp_path / "bad.aag").write_text("aag 1 0 1 0 0 1\n2 3\n2\n")
    known = [{"model": "good.aag", "abc_pdr": "holds", "seconds": 0.1}]
    (tmp_path / "verdicts.jsonl").write_text("\n".join(map(json.dumps, known)))
    done = suite(str(tmp_path), "--method", "pdr")
    assert done.returncode == 0, done.stderr
    assert "decided 2, certified 2, known 1, of these 1, wrong 0" in done.stdout
    known.append({"model": "bad.aag", "abc_pdr": "holds", "seconds": 0.1})
    (tmp_path / "verdicts.jsonl").write_text("\n".join(map(json.dumps, known)))
    done = suite(str(tmp_path), "--method", "bmc", "--only", "bad")
    assert done.returncode == 20
    assert "DIFFERS" in done.stdout


def test_answers_about_named_properties_are_read(tmp_path: Path) -> None:
    (tmp_path / "good.aag").write_text("aag 1 0 1 0 0 1\n2 2\n2\nb0 never full\n")
    for suffix in ("btor2", "btor"):
        (tmp_path / f"bad.{suffix}").write_text("1 sort bitvec 1\n2 state 1 s\n3 bad 2 full\n")
    done = suite(str(tmp_path), "--method", "monolithic")
    assert done.returncode == 0, done.stderr
    assert "decided 3, certified 3, known 0, of these 0, wrong 0" in done.stdout


def test_all_methods_agree_on_random_files() -> None:
    random = Random(11)
    quick = ["monolithic", "bmc", "k-induction", "pdr"]
    for number in range(12):
        graph = random_aiger.random_graph(random, 5)
        found = random_aiger.answers(graph, quick if number % 4 else random_aiger.METHODS_COMPARED)
        for words in zip(*found.values(), strict=True):
            assert len(set(words) - {"unknown"}) == 1
            assert "not certified" not in " ".join(words)


def test_the_shortest_counterexample_of_a_large_file_is_as_long_as_asked() -> None:
    graph = large_aiger.large(300, 2_000, 20, 12, 3)
    path = SourceText.of("large.aag", ascii_text(graph))
    system = to_system(graph, path)
    (checked,) = system.properties
    result = bmc.decide(system, checked, SmvOptions(bound=20), no_progress)
    assert len(result.trace.steps) == 13
    assert accept(system, checked, result, None).certified

"""What the current folder holds and what a file is called change no outcome; jobs that failed are not hidden."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from symag.cli.batch import status_of
from symag.cli.output.batch_display import summary
from symag.core.results import Reason
from symag.suites.jobs import failure_of, may_be_mended
from symag.suites.store import Results, Row
from symag.suites.words import quoted, readable

COUNTER = "MODULE main VAR s : 0..3; ASSIGN next(s) := (s + 1) mod 4; INVARSPEC s < 3"
#: Names of modules that symag or its libraries import.
SHADOWS = ("click", "random", "numpy", "symag_settings", "rich")


def symag(folder: Path, *arguments: str | bytes) -> subprocess.CompletedProcess[bytes]:
    """``python -m symag``, for which Python itself puts the folder on the path."""
    return subprocess.run(
        [sys.executable, "-m", "symag", *arguments], capture_output=True, cwd=folder, timeout=120, check=False
    )


def rows(path: Path) -> list[Row]:
    with Results(path, writing=False) as results:
        return list(results.rows())


@pytest.mark.long
def test_modules_of_the_current_folder_are_not_imported(tmp_path: Path) -> None:
    for name in SHADOWS:
        (tmp_path / f"{name}.py").write_text(f"raise RuntimeError('{name} of the current folder')\n")
    (tmp_path / "m.smv").write_text(COUNTER)
    (tmp_path / "m.lts").write_text("A = (a -> b -> A).\n||S = A.\n")
    ran = symag(tmp_path, "batch", "m.*", "--output", "r.sqlite", "--quiet")
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert [row.outcome.verdict for row in rows(tmp_path / "r.sqlite")] == ["holds", "holds", "violated"]


def test_a_batch_with_failed_jobs_says_so(tmp_path: Path) -> None:
    (tmp_path / "good.smv").write_text(COUNTER)
    (tmp_path / "bad.smv").write_text("MODULE main VAR x")
    ran = symag(tmp_path, "batch", "*.smv", "--output", "r.sqlite", "--quiet")
    assert ran.returncode == 3
    lines = ran.stdout.decode().splitlines()
    assert lines[0] == "FAILED: 1 job: bad input: bad.smv:1:18: unexpected end of file, expected ':'"
    assert lines[1] == "    symag check bad.smv --json"
    assert lines[2] == "2 jobs: 1 unknown (bad input), 1 violated"
    (tmp_path / "suite.toml").write_text('[[models]]\nfiles = ["good.smv"]\noptions = ["--method agar"]\n')
    ran = symag(tmp_path, "batch", "suite.toml", "--output", "s.sqlite", "--quiet")
    assert ran.returncode == 2
    assert b"FAILED: 1 job: wrong usage: --method agar is for labelled transition systems" in ran.stdout


def test_targets_that_no_model_has_are_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "a.lts").write_text("P = (a -> P). ||S = P.")
    (tmp_path / "b.lts").write_text("Q = (a -> Q). ||T = Q.")
    (tmp_path / "suite.toml").write_text('[[models]]\nfiles = ["*.lts"]\ntargets = ["S"]\n')
    ran = symag(tmp_path, "batch", "suite.toml", "--output", "r.sqlite")
    assert ran.returncode == 0
    assert ran.stderr.startswith(b"symag: warning: 1 model has no properties of the given targets: b.lts\n")
    (tmp_path / "suite.toml").write_text('[[models]]\nfiles = ["*.lts"]\ntargets = ["S", "U"]\n')
    ran = symag(tmp_path, "batch", "suite.toml", "--output", "s.sqlite", "--quiet")
    assert ran.returncode == 2
    assert b"wrong usage: no composite 'U'; there are " in ran.stdout
    assert [row.job.target for row in rows(tmp_path / "s.sqlite") if row.outcome.verdict == "holds"] == ["S", "S"]
    # A model that cannot be read may have it.
    (tmp_path / "b.lts").write_text("Q = (a -> ")
    ran = symag(tmp_path, "batch", "suite.toml", "--output", "t.sqlite", "--quiet")
    assert (ran.returncode, len(rows(tmp_path / "t.sqlite"))) == (3, 3)


def test_models_without_properties_are_named(tmp_path: Path) -> None:
    (tmp_path / "none.smv").write_text("MODULE main VAR x : boolean;")
    ran = symag(tmp_path, "batch", "none.smv", "--output", "r.sqlite")
    assert ran.returncode == 0
    assert ran.stderr.startswith(b"symag: warning: 1 model has no properties: none.smv\n")
    assert ran.stdout.startswith(b"0 jobs: there is nothing to decide\n")


def test_links_to_nothing_are_named_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "m.smv").write_text(COUNTER)
    for number in range(7):
        (tmp_path / f"gone{number}.smv").symlink_to("nowhere")
    ran = symag(tmp_path, "batch", ".", "--output", "r.sqlite")
    names = ", ".join(f"gone{number}.smv is a link to nothing" for number in range(5))
    assert ran.stderr.decode().startswith(f"symag: warning: 7 left out: {names}, ...\n")
    ran = symag(tmp_path, "batch", ".", "--output", "q.sqlite", "--quiet")
    assert ran.stderr == b""


@pytest.mark.parametrize(
    ("reason", "failure", "again"),
    [
        (None, None, False),
        ("timeout", None, False),
        ("memory", None, False),
        ("unsupported: past", None, False),
        ("crashed: exit status 1: ImportError", "crashed", False),
        ("crashed: the job's supervisor was killed", "crashed", True),
        ("crashed: its worker died", "crashed", True),
        (Reason.REFUSED.text("the trace is no run; the evidence is kept in x.json"), "re-check refused", False),
        ("internal error: KeyError", "internal error", False),
        ("exit status 7: what", "crashed", False),
        ("wrong usage: no method", "wrong usage", False),
        ("bad input: m.smv:1:18: unexpected", "bad input", False),
        ("bad input: m.smv: no such file", "bad input", True),
        ("bad input: m.smv: cannot be read: permission denied", "bad input", True),
        ("bad input: the worker on host has no folder /data", "bad input", True),
    ],
)
def test_failures(reason: str | None, failure: str | None, again: bool) -> None:
    assert (failure_of(reason), may_be_mended(reason)) == (failure, again)


def test_a_failure_that_may_be_mended_is_tried_again(tmp_path: Path) -> None:
    model, results = tmp_path / "m.smv", tmp_path / "r.sqlite"
    model.write_text(COUNTER)
    command = ("batch", "m.smv", "--output", "r.sqlite", "--quiet")
    assert symag(tmp_path, *command).returncode == 0
    for reason, again in (("bad input: m.smv: no such file", True), ("crashed: exit status 1", False)):
        with sqlite3.connect(results) as connection:
            connection.execute("UPDATE job SET verdict = 'unknown', reason = ?", (reason,))
        assert symag(tmp_path, *command, "--resume").returncode == (0 if again else 1)
        assert [row.outcome.verdict for row in rows(results)] == ["violated" if again else "unknown"]


def test_evidence_in_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "m.smv").write_text(COUNTER)
    ran = symag(tmp_path, "batch", "m.smv", "--output", "r.sqlite", "--evidence", "m.smv")
    assert (ran.returncode, ran.stderr) == (2, b"symag: m.smv: this is a file, expected a folder for evidence\n")


def test_evidence_that_cannot_be_written_is_not_hidden(tmp_path: Path) -> None:
    (tmp_path / "m.smv").write_text(COUNTER)
    command = ("batch", "m.smv", "--output", "r.sqlite", "--quiet", "--evidence", "e")
    assert symag(tmp_path, *command).returncode == 0
    for warnings, again in (('["cannot write e/proof.json: No space left on device"]', True), ('["slow"]', False)):
        with sqlite3.connect(tmp_path / "r.sqlite") as connection:
            connection.execute("UPDATE job SET warnings = ?, finished = 'before'", (warnings,))
        assert status_of(rows(tmp_path / "r.sqlite")) == (2 if again else 0)
        said = [line for line in summary(rows(tmp_path / "r.sqlite")) if "EVIDENCE" in line]
        assert said == (["NO EVIDENCE: 1 job: cannot write e/proof.json: No space left on device"] if again else [])
        assert symag(tmp_path, *command, "--resume").returncode == 0
        assert (rows(tmp_path / "r.sqlite")[0].finished != "before") is again


@pytest.mark.long
def test_a_file_name_that_is_no_utf8(tmp_path: Path) -> None:
    name = b"m\xff'q.smv"
    (Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))).write_text(COUNTER)
    ran = symag(tmp_path, "check", name, "--json")
    assert ran.returncode == 10
    assert json.loads(ran.stdout.decode("utf-8"))["model"] == os.fsdecode(name)
    assert symag(tmp_path, "check", name).returncode == 10
    ran = symag(tmp_path, "batch", "*.smv", "--output", "r.sqlite")
    assert ran.returncode == 0
    (row,) = rows(tmp_path / "r.sqlite")
    assert (row.job.model, row.outcome.verdict) == ("m\\xff'q.smv", "violated")
    ran = symag(tmp_path, "report", "r.sqlite", "--html", "r.html")
    assert ran.returncode == 0


def test_a_file_name_of_two_lines_is_shown_in_one(tmp_path: Path) -> None:
    (tmp_path / "m\n\x1b[1m.smv").write_text(COUNTER)
    (tmp_path / "n\n.smv").write_text("MODULE main VAR x")
    ran = symag(tmp_path, "batch", "*.smv", "--output", "r.sqlite")
    assert any(b"/2] m\\n\\x1b[1m.smv: s < 3 [auto]: violated" in line for line in ran.stderr.splitlines())
    assert ran.stdout.splitlines()[0].startswith(b"FAILED: 1 job: bad input: n\\n.smv:1:18: ")


def test_the_command_of_such_a_file_names_its_bytes() -> None:
    word = os.fsdecode(b"m\xff'\\n.smv")
    assert readable(word) == "m\\xff'\\n.smv"
    found = subprocess.run(["bash", "-c", f"printf %s {quoted(word)}"], capture_output=True, check=True).stdout
    assert found == os.fsencode(word)
    assert quoted("plain.smv") == "plain.smv"
    assert quoted("two words") == "'two words'"

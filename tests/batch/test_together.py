"""``symag batch --together`` says what the plain batch says, in fewer processes."""

from __future__ import annotations

import html
import json
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from symag.cli.output.batch_display import Display
from symag.suites.jobs import Job
from symag.suites.run import JobEvent
from tests.batch.batches import ROOT, rows, running_in, symag, wait_until_quiet

SMV = """MODULE main
VAR s : 0..3; t : boolean; c : 0..9;
ASSIGN init(s) := 0; next(s) := (s + 1) mod 4; init(c) := 0; next(c) := c < 5 ? c + 1 : 0;
INVARSPEC NAME low := s < 3
INVARSPEC NAME second := c < 6
INVARSPEC c + s < 20
INVARSPEC 4 / s > 0
CTLSPEC AG EF s = 0
LTLSPEC G F t
COMPUTE MIN [s = 0, s = 3]
"""
#: No method decides the first property soon.
HARD = """MODULE main
VAR a : unsigned word[60]; b : unsigned word[60]; s : 0..3;
ASSIGN init(a) := 0ud60_1; init(b) := 0ud60_1; next(a) := a * b + 0ud60_7; next(b) := b * b + a; init(s) := 0;
  next(s) := (s + 1) mod 4;
INVARSPEC NAME first := s < 4
INVARSPEC NAME hard := a != 0ud60_1234567890
INVARSPEC NAME last := s < 3
"""
FSP = """P = (a -> b -> P | c -> STOP).
Q = (a -> Q).
property ORDER = (a -> b -> ORDER).
fluent F = <a, b>
assert ALWAYS = [] (F || !F)
assert NEVER = [] !F
progress OFTEN = {a}
||SYS = (P || Q || ORDER).
||OTHER = (Q).
property BAD = (b -> a -> BAD).
||WRONG = (P || BAD).
"""


def batch(suite: Path, output: Path, *more: str | Path) -> subprocess.CompletedProcess[str]:
    return symag("batch", suite, "--output", output, "--timeout", "60", *more)


def answers(output: Path) -> dict[str, tuple[Any, ...]]:
    """What the rows say, by their keys."""
    said = {}
    for row in rows(output):
        outcome = row.outcome
        verdict = outcome.verdict, outcome.value, outcome.certified, outcome.reason, outcome.exceeded
        # A wrong property alone is an error of the command, without warnings.
        warnings = () if str(outcome.reason).startswith("bad input: ") else outcome.warnings
        said[row.key] = *verdict, warnings, row.command, row.attempts
    return said


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Models of three families."""
    folder = tmp_path / "suite"
    folder.mkdir()
    (folder / "m.smv").write_text(SMV)
    (folder / "m.lts").write_text(FSP)
    shutil.copy(ROOT / "models" / "lpts" / "client_server3.nm", folder)
    return folder


def test_rows_are_those_of_the_plain_batch(suite: Path, tmp_path: Path) -> None:
    plain, together = tmp_path / "p.sqlite", tmp_path / "t.sqlite"
    ends = [batch(suite, plain).returncode, batch(suite, together, "--together").returncode]
    assert ends == [3, 3]  # the division by zero
    assert answers(plain) == answers(together)
    words = Counter(row.outcome.verdict for row in rows(together))
    assert all(words[word] > 0 for word in ("holds", "violated", "unknown", "computed"))
    assert any(str(row.outcome.reason).startswith(f"bad input: {suite}/m.smv:7:") for row in rows(together))
    assert any(str(row.outcome.reason).startswith("unsupported: ") for row in rows(together))
    for model in suite.iterdir():
        # All jobs of a process have its memory.
        of_model = [row for row in rows(together) if row.job.model == str(model)]
        targets = {row.job.target for row in of_model}
        assert len({(row.job.target, row.outcome.memory_mib) for row in of_model}) == len(targets)
    assert any(row.outcome.warnings for row in rows(together))


@pytest.mark.long
@pytest.mark.parametrize("folder", ["models", "models/lts", "models/lpts"])
def test_rows_about_the_models_of_the_source_are_those_of_the_plain_batch(folder: str, tmp_path: Path) -> None:
    quick = [path for path in sorted((ROOT / folder).iterdir()) if path.suffix in (".smv", ".lts", ".nm")]
    chosen = tmp_path / "suite"
    chosen.mkdir()
    for model in quick[:6]:
        shutil.copy(model, chosen)
    plain, together = tmp_path / "p.sqlite", tmp_path / "t.sqlite"
    assert batch(chosen, plain).returncode == batch(chosen, together, "--together").returncode == 0
    assert answers(plain) == answers(together)


def test_resume_counts_the_rows_of_both(suite: Path, tmp_path: Path) -> None:
    some, output = tmp_path / "some.toml", tmp_path / "r.sqlite"
    some.write_text('[[models]]\nfiles = ["suite/m.smv"]\nproperties = ["low", "5", "CTL"]\n')
    first = batch(some, output, "--together")
    assert first.stderr.splitlines()[0] == "3 jobs to run"
    before = answers(output)
    begun = batch(suite / "m.smv", output, "--resume").stderr.splitlines()
    assert begun[0] == "4 jobs to run"
    assert len(rows(output)) == 7
    assert before.items() <= answers(output).items()
    for more in ((), ("--together",)):
        assert batch(suite / "m.smv", output, "--resume", *more).stderr.splitlines()[0] == "0 jobs to run"
    # Two of the model's seven rows are missing, and the plain batch has made some.
    other = tmp_path / "o.sqlite"
    batch(some, other)
    assert batch(suite / "m.smv", other, "--resume", "--together").stderr.splitlines()[0] == "4 jobs to run"
    assert answers(other) == answers(output)


def test_a_name_that_the_model_does_not_have_and_expectations(suite: Path, tmp_path: Path) -> None:
    some, output = tmp_path / "some.toml", tmp_path / "r.sqlite"
    some.write_text(
        '[[models]]\nfiles = ["suite/m.smv"]\nproperties = ["low", "second", "nothing"]\nexpected = "holds"\n'
    )
    done = batch(some, output, "--together")
    assert done.returncode == 20
    assert done.stdout.splitlines()[0].startswith(f"WRONG VERDICT: {suite.name}/m.smv: low: s < 3 [auto]: WRONG")
    assert [row.outcome.verdict for row in rows(output)] == ["violated", "holds", "unknown"]
    assert str(rows(output)[2].outcome.reason).startswith("wrong usage: no property 'nothing'")


def test_a_property_at_its_limit_costs_no_other_answer(tmp_path: Path) -> None:
    model, output = tmp_path / "m.smv", tmp_path / "r.sqlite"
    model.write_text(HARD)
    done = symag("batch", model, "--output", output, "--timeout", "2", "--together")
    assert done.returncode == 0
    found = {str(row.job.name): row.outcome for row in rows(output)}
    assert {name: outcome.verdict for name, outcome in found.items()} == {
        **{"first": "holds", "hard": "unknown", "last": "violated"}
    }
    assert (found["hard"].reason, found["hard"].exceeded) == ("timeout", "wall")
    assert 1.5 < found["hard"].wall_seconds < 20


@pytest.mark.parametrize("pages", [False, True])
def test_each_row_has_evidence_of_its_own(suite: Path, tmp_path: Path, pages: bool) -> None:
    output, folder = tmp_path / "r.sqlite", tmp_path / "e"
    batch(suite, output, "--together", "--evidence", folder, *(["--pages"] if pages else []))
    paths = set()
    for row in rows(output):
        path = row.outcome.trace or row.outcome.certificate
        decided = row.outcome.verdict in ("holds", "violated")
        assert (path is not None, row.outcome.trace is not None) == (decided, row.outcome.verdict == "violated")
        if path is None:
            continue
        paths.add(path)
        if pages:
            assert path.endswith(".html")
            assert html.escape(row.job.text) in Path(path).read_text()
            continue
        document = json.loads(Path(path).read_text())
        question = row.job.kind, row.job.text, row.job.name
        assert question == tuple(document["property"][name] for name in ("kind", "text", "name"))
        assert document["kind"] == ("trace" if row.outcome.trace else "certificate")
        target = () if row.job.target is None or not row.outcome.trace else ("--target", row.job.target)
        command = "replay" if row.outcome.trace else "certify"
        assert "accepted" in symag(command, row.job.model, path, *target).stdout.splitlines()[-1]
    assert len(paths) == sum(row.outcome.verdict in ("holds", "violated") for row in rows(output)) > 10


def test_the_proofs_of_the_last_version_are_tried(tmp_path: Path) -> None:
    model, output = tmp_path / "m.smv", tmp_path / "r.sqlite"
    text = (
        "MODULE main\nVAR a : 0..7; b : 0..7; c : 0..7;\nASSIGN init(a) := 0; init(b) := 0; init(c) := {start};\n"
        "next(a) := a < 5 ? a + 1 : 0; next(b) := a < 5 ? a + 1 : 0;\n"
        "INVARSPEC NAME same := a = b\nINVARSPEC NAME small := a < 6\n"
    )
    more = ("--together", "--evidence", tmp_path / "e", "--method", "pdr")
    model.write_text(text.format(start=0))
    assert batch(model, output, *more).returncode == 0
    model.write_text(text.format(start=1))
    assert batch(model, output, *more, "--resume").returncode == 0
    found = rows(output)
    assert [row.outcome.decided_by for row in found if row.is_current] == ["reuse", "reuse"]
    assert {row.outcome.decided_by for row in found if not row.is_current} == {"pdr"}
    paths = {row.outcome.certificate for row in found}
    assert len(paths) == 4
    assert all(Path(str(path)).is_file() for path in paths)


def test_a_scheduler_is_refused(tmp_path: Path) -> None:
    done = symag("batch", "models", "--output", tmp_path / "r.sqlite", "--together", "--scheduler", "tcp://x:1")
    assert done.returncode == 2
    assert done.stderr == "symag: --together is for local jobs: it cannot be used with --scheduler\n"


def test_an_interrupted_group_leaves_nothing_and_is_resumed(tmp_path: Path) -> None:
    model, output = tmp_path / "m.smv", tmp_path / "r.sqlite"
    model.write_text(HARD)
    command = [sys.executable, "-m", "symag", "batch", model, "--output", output, "--together", "--timeout", "90"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    time.sleep(3)
    assert len(running_in(tmp_path)) > 1
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "interrupted; symag batch with --resume" in errors
    wait_until_quiet(tmp_path)
    assert rows(output) == []
    again = symag("batch", model, "--output", output, "--resume", "--together", "--timeout", "1")
    assert again.returncode == 0
    assert [row.outcome.verdict for row in rows(output)] == ["holds", "unknown", "violated"]


def test_a_running_group_is_one_line_of_the_table() -> None:
    jobs = [Job("m.smv", str(number), "INVARSPEC", f"p{number}") for number in range(3)]
    display = Display(quiet=True)
    display.begin(3)
    display.event(JobEvent(jobs[0], None, 2))
    shown = list(display._picture(time.monotonic(), 120, 30).columns[1].cells)
    assert list(map(str, shown)) == ["3 jobs from p0 on"]

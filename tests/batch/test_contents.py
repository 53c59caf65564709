"""Batches whose models are changed: what is run again, what counts, and what is used again."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import pytest

from symag.core.limits import JobLimits
from symag.core.values import replace
from symag.suites.jobs import ContentHashes, Job, key
from symag.suites.run import Batch, JobEvent
from symag.suites.store import JobOutcome, Results
from tests.batch.batches import SLOW, rows, symag

CHANGING = """MODULE main
VAR a : 0..7; b : 0..7; c : 0..7;
ASSIGN init(a) := 0; init(b) := 0; init(c) := {start}; next(a) := a < 5 ? a + 1 : 0; next(b) := a < 5 ? a + 1 : 0;
INVARSPEC NAME same := a = b
"""


@pytest.mark.long
@pytest.mark.parametrize("method", ["parts", "pdr", "monolithic"])
def test_the_proof_of_the_last_version_is_tried_on_a_changed_model(method: str, tmp_path: Path) -> None:
    model, output = tmp_path / "m.smv", tmp_path / "r.sqlite"
    batch = ("batch", model, "--output", output, "--evidence", tmp_path / "e", "--method", method, "--jobs", "1")
    deciders = []
    for start, more in ((0, ()), (1, ("--resume",)), (2, ("--resume", "--no-reuse"))):
        model.write_text(CHANGING.format(start=start))
        assert symag(*batch, *more).returncode == 0
        deciders.append({row.outcome.decided_by for row in rows(output)})
    first = deciders[0]
    assert method in str(first)
    assert deciders == [first, {*first, "reuse"}, {*first, "reuse"}]
    assert all(row.outcome.certified and Path(str(row.outcome.certificate)).is_file() for row in rows(output))
    assert len(rows(output)) == 3


def test_a_batch_without_rows_is_begun_again(tmp_path: Path) -> None:
    (tmp_path / "a.smv").write_text("MODULE main VAR a : boolean; INVARSPEC a | !a")
    wrong, output = tmp_path / "suite.toml", tmp_path / "r.sqlite"
    wrong.write_text('[[models]]\nfiles = ["a.smv"]\nspecification = "a.nm"')
    assert symag("batch", wrong, "--output", output).returncode == 2
    assert symag("batch", tmp_path / "a.smv", "--output", output).returncode == 0
    assert len(rows(output)) == 1


@pytest.mark.long
def test_resume_runs_only_what_is_missing_or_changed(models: Path, tmp_path: Path) -> None:
    output = tmp_path / "r.sqlite"
    assert symag("batch", models / "m0[0-3].smv", "--output", output).returncode == 0
    before = {row.key: row.finished for row in rows(output)}
    again = symag("batch", models, "--output", output)
    assert again.returncode == 2
    assert again.stderr.splitlines()[-1].endswith("exists already: --resume continues it")
    (models / "m01.smv").write_text(SLOW.format(bound=2))
    resumed = symag("batch", models, "--output", output, "--resume")
    assert resumed.returncode == 0
    assert resumed.stderr.splitlines()[0] == "5 jobs to run"
    assert {row.key for row in rows(output)} >= before.keys()
    assert sum(row.finished == before.get(row.key) for row in rows(output)) >= 3
    changed = [row.outcome.verdict for row in rows(output) if row.job.model.endswith("m01.smv")]
    assert sorted(changed) == ["holds", "violated"]


class Watcher:
    """Changes a model when a job about it begins, or when one about another model ends."""

    def __init__(self, model: Path, text: str, begins: bool) -> None:
        self._model, self._text, self._begins = model, text, begins

    def __call__(self, event: JobEvent) -> None:
        if (event.outcome is None, event.job.model == str(self._model)) == (self._begins, self._begins):
            self._model.write_text(self._text)


@pytest.mark.parametrize("begins", [True, False])
def test_a_model_that_is_changed_while_it_is_decided_has_no_verdict(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, begins: bool
) -> None:
    # A job takes its answer from the content that the model has when the job runs.
    program = (
        "import json; print(json.dumps({'results': [{'verdict': open('MODEL').read(), 'value': None, 'reason': None,"
        "'method': 'm', 'certified': True, 'statistics': {}, 'certificate': None}], 'warnings': []}))"
    )
    names = [str(tmp_path / name) for name in ("a.smv", "b.smv")]
    for name in names:
        Path(name).write_text("holds")
    monkeypatch.setattr(Job, "command", lambda job, *_: [sys.executable, "-c", program.replace("MODEL", job.model)])
    watcher = Watcher(Path(names[1]), "violated", begins)
    contents = ContentHashes()
    contents.read(names)
    with Results(tmp_path / "r.sqlite", writing=True) as results:
        batch = Batch(results, JobLimits(wall=30), 1, watcher=watcher, contents=contents)
        asked = [Job(name, "0", "INVARSPEC", "p") for name in names]
        batch.run(batch.waiting(asked))
        Path(names[1]).write_text("holds")
        # The content is the first one again: the job of the changed model is run again, the other one is not.
        again = Batch(results, JobLimits(wall=30), 1)
        waiting = again.waiting(asked)
        first = [row.outcome for row in results.rows()]
        again.run(waiting)
        second = [row.outcome.verdict for row in results.rows()]
    assert [outcome.verdict for outcome in first] == ["holds", "unknown"]
    assert (
        first[1].reason
        == f"bad input: {names[1]}: the file has changed since the batch began; --resume decides it again"
    )
    assert [job.model for job in waiting.values()] == names[1:]
    assert second == ["holds", "holds"]


def test_results_about_earlier_contents_do_not_count(tmp_path: Path) -> None:
    model, suite, output = tmp_path / "m.smv", tmp_path / "suite.toml", tmp_path / "r.sqlite"
    suite.write_text('[[models]]\nfiles = ["m.smv"]\nexpected = "holds"\n')
    unreadable, wrong, right = "MODULE main VAR x : boolean INVARSPEC x", SLOW.format(bound=3), SLOW.format(bound=4)
    ends = []
    for text in (unreadable, wrong, right, wrong):
        model.write_text(text)
        done = symag("batch", suite, "--output", output, "--resume", "--quiet")
        lines = [line for line in done.stdout.splitlines() if " job" in line and "FAILED" not in line]
        ends.append((done.returncode, [line.partition(" about")[0] for line in lines]))
    assert ends == [
        (3, ["1 job: 1 unknown (bad input)"]),
        (20, ["1 job: 1 violated", "1 job"]),
        (0, ["1 job: 1 holds", "2 jobs"]),
        (20, ["1 job: 1 violated", "2 jobs"]),  # of the second content, not decided again
    ]
    reported = symag("report", output)
    assert (reported.returncode, reported.stdout.splitlines()[2]) == (20, "1 job: 1 violated")
    assert len(rows(output)) == 3


def test_a_changed_settings_file_is_noticed(tmp_path: Path) -> None:
    model, settings, suite, output = (tmp_path / name for name in ("m.smv", "s.toml", "suite.toml", "r.sqlite"))
    model.write_text(SLOW.format(bound=4))
    suite.write_text(f'[[models]]\nfiles = ["m.smv"]\noptions = ["--settings {settings}"]\n')
    begun = []
    for parts in (2, 2, 3):
        settings.write_text(f'options = ["--parts", "{parts}"]\n')
        done = symag("batch", suite, "--output", output, "--resume")
        begun.append(done.stderr.splitlines()[0])
    assert begun == ["1 job to run", "0 jobs to run", "1 job to run"]
    assert sorted(row.is_current for row in rows(output)) == [False, True]


def test_a_changed_file_beside_a_model_is_noticed(tmp_path: Path) -> None:
    """The labels beside a system say where it begins; those beside the specification too."""
    system, specification, suite, output = (tmp_path / name for name in ("m.tra", "s.tra", "suite.toml", "r.sqlite"))
    for path in (system, specification):
        path.write_text("3 2 2\n0 0 1 1 a\n1 0 2 1 a\n")
    suite.write_text(f'[[models]]\nfiles = ["m.tra"]\nspecification = "{specification}"\n')
    ends = []
    for begin, specified in ((0, 0), (0, 1), (1, 1), (1, 1), (0, 1)):
        for path, state in ((system, begin), (specification, specified)):
            path.with_suffix(".lab").write_text(f'0="init" 1="end"\n{state}: 0\n2: 1\n')
        done = symag("batch", suite, "--output", output, "--resume", "--quiet")
        ends.append(next(line for line in done.stdout.splitlines() if line.startswith("1 job")))
    assert ["violated" in line for line in ends] == [False, True, False, False, True]
    assert len(rows(output)) == 3


@pytest.mark.parametrize(
    ("model", "beside"), [("m.tra", ".lab"), ("m.tra", ".sta"), ("m.aig", ".aim"), ("m.aag", ".ywa"), ("m.TRA", ".lab")]
)
def test_files_beside_a_model_are_part_of_its_hash(tmp_path: Path, model: str, beside: str) -> None:
    path = tmp_path / model
    other = path.with_suffix(beside)
    path.write_text("the model")
    alone = ContentHashes().hash_of(str(path))
    assert alone == hashlib.sha256(b"the model").hexdigest()
    hashes = {alone}
    for text in ("", "one", "another"):
        other.write_text(text)
        hashes.add(ContentHashes().hash_of(str(path)))
    assert len(hashes) == 4
    other.rename(tmp_path / f"another{beside}")
    assert ContentHashes().hash_of(str(path)) == alone


def test_a_model_is_one_however_its_path_is_spelled(tmp_path: Path) -> None:
    (tmp_path / "m.smv").write_text(SLOW.format(bound=4))
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "suite.toml").write_text('[[models]]\nfiles = ["../m.smv"]\n')
    output = tmp_path / "r.sqlite"
    begun = []
    for suite in ("m.smv", "folder/../m.smv", "folder/suite.toml"):
        done = symag("batch", tmp_path / suite, "--output", output, "--resume")
        begun.append(done.stderr.splitlines()[0])
    assert begun == ["1 job to run", "0 jobs to run", "0 jobs to run"]
    assert [row.job.model for row in rows(output)] == [str(tmp_path / "m.smv")]


def test_results_about_another_spelling_are_continued(tmp_path: Path) -> None:
    """As earlier versions of symag wrote them."""
    model, output, elsewhere = tmp_path / "m.smv", tmp_path / "r.sqlite", tmp_path / "other"
    model.write_text(SLOW.format(bound=4))
    (tmp_path / "folder").mkdir()
    (elsewhere / "inner").mkdir(parents=True)
    (tmp_path / "link").symlink_to(elsewhere / "inner")
    (elsewhere / "m.smv").write_text(SLOW.format(bound=4))
    contents = ContentHashes()
    odd = [f"{tmp_path}/folder/../m.smv", f"{tmp_path}/link/../m.smv", f"{tmp_path}/gone/../m.smv"]
    with Results(output, writing=True) as results:
        for name in odd:
            job = Job(name, "0", "INVARSPEC", "s < 4")
            results.add(
                key(job, JobLimits(), contents), job, JobLimits(), JobOutcome("holds"), 1, contents.version(job)
            )
        results.commit()
    with Results(output, writing=True) as results:
        asked = [Job(str(model), "0", "INVARSPEC", "s < 4"), Job(odd[1], "0", "INVARSPEC", "s < 4")]
        assert not Batch(results, JobLimits(), 1).waiting(asked)
    # The second is another file, the third none.
    assert sorted(row.job.model for row in rows(output)) == sorted([str(model), *odd[1:]])


@pytest.mark.parametrize("expected", [("violated", None), (None, "violated")])
def test_an_expectation_of_one_of_two_entries_holds(tmp_path: Path, expected: tuple[str | None, ...]) -> None:
    asked = [Job("m.smv", "0", "INVARSPEC", "p", expected=answer) for answer in expected]
    with Results(tmp_path / "r.sqlite", writing=True) as results:
        batch = Batch(results, JobLimits(), 1)
        ((name, job),) = batch.waiting(asked).items()
        assert job.expected == "violated"
        results.add(name, replace(job, expected=None), JobLimits(), JobOutcome("holds"), 1)
        results.commit()
        assert not batch.waiting(asked)
        assert [row.is_wrong for row in results.rows()] == [True]

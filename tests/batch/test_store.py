"""The file of results: what is committed stays, one batch writes, damage is said in one line."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from symag.core.errors import UsageError
from symag.core.limits import JobLimits
from symag.core.values import replace
from symag.suites.jobs import ContentHashes, Job, key
from symag.suites.store import JobOutcome, Results

JOB = Job("a b.smv", "0", "INVARSPEC", "x = 1", "named", None, "auto", ("--parts", "3"), "holds")
LIMITS = JobLimits(wall=60)
VERSION = "a" * 64
OUTCOME = JobOutcome("violated", certified=True, wall_seconds=1.5, statistics={"bdd_nodes_peak": 7, "parts": 3})


def filled(path: Path) -> None:
    with Results(path, writing=True) as results:
        results.add("k", JOB, LIMITS, OUTCOME, 1)
        results.commit()


def test_rows_come_back_as_they_went_in(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    filled(path)
    with Results(path, writing=False) as results:
        (row,) = results.rows()
    assert (row.key, row.job, row.limits, row.outcome, row.attempts) == ("k", JOB, LIMITS, OUTCOME, 1)
    assert row.command == "symag check 'a b.smv' --property 0 --method auto --parts 3 --timeout 60 --json"
    assert row.is_wrong
    assert '"python"' in row.machine


def test_results_of_earlier_versions_of_symag_are_read_and_continued(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    filled(path)
    with sqlite3.connect(path) as connection:
        for column in ("contents", "superseded"):
            connection.execute(f"ALTER TABLE job DROP COLUMN {column}")
    with Results(path, writing=False) as results:
        assert [row.is_current for row in results.rows()] == [True]
    with Results(path, writing=True) as results:
        results.add("later", JOB, LIMITS, OUTCOME, 1, f"{VERSION} 1")
        results.commit()
        results.set_versions(ContentHashes({JOB.model: VERSION}), {JOB.model}, set())
        assert [row.is_current for row in results.rows()] == [True, True]  # the hash of the model is the first word
        results.set_versions(ContentHashes({JOB.model: "b" * 64}), {JOB.model}, set())
        assert {row.key: row.is_current for row in results.rows()} == {"k": True, "later": False}


def test_a_changed_file_of_an_option_is_another_content_for_jobs_with_this_option(tmp_path: Path) -> None:
    variants = {"a": ("--settings", "a.toml"), "b": ("--settings=b.toml", "--parts", "3"), "none": ()}
    with Results(tmp_path / "r.sqlite", writing=True) as results:
        first = ContentHashes({JOB.model: VERSION, "a.toml": "1" * 64, "b.toml": "1" * 64})
        for name, options in variants.items():
            job = replace(JOB, options=options)
            results.add(name, job, LIMITS, OUTCOME, 1, first.version(job))
        # As earlier versions of symag wrote it, which did not look at the settings.
        results.add("old", replace(JOB, options=("--settings", "a.toml")), LIMITS, OUTCOME, 1, VERSION)
        results.commit()
        second = ContentHashes({JOB.model: VERSION, "a.toml": "1" * 64, "b.toml": "2" * 64})
        current = {}
        for hashes in (first, second):
            results.set_versions(hashes, {JOB.model}, set())
            current[hashes is first] = {row.key for row in results.rows() if row.is_current}
    assert current == {True: {"a", "b", "none"}, False: {"a", "none"}}


def test_a_proof_of_a_model_whose_name_is_no_utf8_is_found(tmp_path: Path) -> None:
    job = Job(os.fsdecode(b"m\xff.smv"), "0", "INVARSPEC", "p")
    with Results(tmp_path / "r.sqlite", writing=True) as results:
        results.add("k", job, LIMITS, JobOutcome("holds", certificate="proof.json"), 1)
        assert results.proof_of_earlier_version(job) == "proof.json"


def test_that_properties_cannot_be_listed_is_forgotten_when_they_can(tmp_path: Path) -> None:
    with Results(tmp_path / "r.sqlite", writing=True) as results:
        results.add("k", Job("m.smv", None, "model", "the properties cannot be listed"), LIMITS, OUTCOME, 1, VERSION)
        results.commit()
        results.set_versions(ContentHashes({"m.smv": VERSION}), {"m.smv"}, set())
        assert [row.is_current for row in results.rows()] == [True]
        results.set_versions(ContentHashes({"m.smv": VERSION}), {"m.smv"}, {"m.smv"})
        assert [row.is_current for row in results.rows()] == [False]


def test_marking_superseded_rows_is_linear(tmp_path: Path) -> None:
    """Once each model cost a look at every row: 10 s for 10,000 rows of 2,000 models."""
    steps = []
    for models in (100, 400):
        names = [f"{number}.smv" for number in range(models)]
        with Results(tmp_path / f"{models}.sqlite", writing=True) as results:
            for name in names:
                results.add(name, replace(JOB, model=name), LIMITS, OUTCOME, 1, VERSION)
            results.commit()
            steps.append(0)

            def count() -> int:
                steps[-1] += 1
                return 0

            results._connection.set_progress_handler(count, 10)
            results.set_versions(ContentHashes(dict.fromkeys(names, VERSION)), set(names), set(names))
            results._connection.set_progress_handler(None, 0)
    assert 0 < steps[1] < 6 * steps[0]


@pytest.mark.parametrize("is_replaced", [True, False])
def test_results_that_are_removed_while_they_are_written(tmp_path: Path, is_replaced: bool) -> None:
    path = tmp_path / "r.sqlite"
    with Results(path, writing=True) as results:
        results.add("k", JOB, LIMITS, OUTCOME, 1)
        results.commit()
        path.rename(tmp_path / "moved")
        if is_replaced:
            path.write_bytes(b"")
        results.add("later", JOB, LIMITS, OUTCOME, 1)
        with pytest.raises(UsageError, match="was moved, replaced or removed while the batch ran"):
            results.commit()


def test_what_is_not_committed_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    with Results(path, writing=True) as results:
        results.add("k", JOB, LIMITS, OUTCOME, 1)
    with Results(path, writing=False) as results:
        assert not results.keys()


class InterruptedConnection:
    """A connection that is interrupted when its next statement of a kind has been executed."""

    def __init__(self, connection: sqlite3.Connection, kind: str) -> None:
        self._connection, self._kind = connection, kind

    def __getattr__(self, name: str) -> object:
        return getattr(self._connection, name)

    def execute(self, statement: str, *parameters: object) -> object:
        result = self._connection.execute(statement, *parameters)
        if statement.startswith(self._kind):
            self._kind = "nothing else"
            raise KeyboardInterrupt
        return result


@pytest.mark.parametrize(("kind", "is_kept"), [("BEGIN", False), ("INSERT OR REPLACE", True), ("COMMIT", True)])
def test_an_interrupt_while_rows_are_written_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, is_kept: bool
) -> None:
    path = tmp_path / "r.sqlite"
    with Results(path, writing=True) as results:
        monkeypatch.setattr(results, "_connection", InterruptedConnection(results._connection, kind))

        def written(name: str) -> None:
            results.add(name, JOB, LIMITS, OUTCOME, 1)
            results.commit()

        with pytest.raises(KeyboardInterrupt):
            written("k")
        results.commit()
        written("later")
    with Results(path, writing=False) as results:
        assert results.keys() == ({"k", "later"} if is_kept else {"later"})


def test_one_batch_writes_and_others_read(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    filled(path)
    # POSIX locks bind processes, so the second writer must be another one.
    program = f"""
from pathlib import Path
from symag.suites.store import Results
from symag.core.errors import UsageError
try:
    Results(Path({str(path)!r}), writing=True)
except UsageError as error:
    print(error)
print(len(Results(Path({str(path)!r}), writing=False).keys()))
"""
    with Results(path, writing=True):
        said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert said.splitlines() == [f"{path}: another batch is writing to it", "1"]
    Results(path, writing=True).close()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data[:1000], "not usable|damaged|malformed"),
        (lambda data: data[:-4096], "not usable|damaged|malformed"),
        (lambda data: b"not a database at all" * 100, "not a database"),
    ],
)
@pytest.mark.parametrize("writing", [True, False])
def test_a_damaged_file_is_one_line(tmp_path: Path, damage: object, message: str, writing: bool) -> None:
    path = tmp_path / "r.sqlite"
    filled(path)
    assert callable(damage)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(UsageError, match=message) as raised:
        Results(path, writing)
    assert "\n" not in str(raised.value)


def test_another_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE job (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(UsageError, match="not one of symag's"):
        Results(path, writing=True)
    assert path.read_bytes() == before


def test_a_file_that_is_not_there_is_not_made_by_reading(tmp_path: Path) -> None:
    path = tmp_path / "none.sqlite"
    with pytest.raises(UsageError, match="no such file"):
        Results(path, writing=False)
    assert not path.exists()


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere; the drill below needs no permissions")
def test_a_file_that_may_not_be_written(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    filled(path)
    path.chmod(0o400)
    with pytest.raises(UsageError):
        Results(path, writing=True)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot write there"):
        Results(tmp_path / "none" / "r.sqlite", writing=True)


@pytest.mark.parametrize("folder", [".", "", "/"])
def test_a_folder_is_no_file_of_results(folder: str) -> None:
    with pytest.raises(UsageError, match="this is a folder"):
        Results(Path(folder), writing=True)


def test_the_key_is_the_question_and_what_the_files_hold(tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    model.write_text("MODULE main")
    job = Job(str(model), "0", "INVARSPEC", "p")
    limits = JobLimits(wall=60)
    known = key(job, limits, ContentHashes())
    assert known == key(Job(str(model), "0", "INVARSPEC", "p", expected="holds"), limits, ContentHashes())
    assert known != key(Job(str(model), "1", "INVARSPEC", "p"), limits, ContentHashes())
    assert known != key(Job(str(model), "0", "INVARSPEC", "p", options=("--parts", "3")), limits, ContentHashes())
    assert known != key(job, JobLimits(wall=10), ContentHashes())
    model.write_text("MODULE main -- changed")
    assert known != key(job, limits, ContentHashes())

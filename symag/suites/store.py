"""The file of results: one SQLite database, one row for each finished job.

Rules of this file:

- A row is written in one transaction with all its data; a job without a row has not been run.
- ``synchronous=FULL``: committed rows survive kill -9, a full disk and a power cut.
- One batch writes at a time: it holds a lock on a file beside the database, which the kernel releases when the
  process ends, however it ends. Readers need no lock.
- When the same job is run again, the later row replaces the earlier one; otherwise only expectations change.
- A row of an earlier content of its files stays, with the mark that it is superseded. Results of earlier versions of
  symag have no such columns until a batch writes to them.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

from msgspec import convert, structs

from symag.core.errors import UsageError
from symag.core.limits import JobLimits
from symag.suites.database_file import connected, identity, locked, remove
from symag.suites.jobs import ContentHashes, Job, may_be_mended, unwritten
from symag.suites.machine import machine
from symag.suites.option_files import files_in
from symag.suites.spelling import use_plain_paths
from symag.suites.words import quoted, readable

SCHEMA_VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS machine (
    id INTEGER PRIMARY KEY, description TEXT UNIQUE NOT NULL
);
CREATE TABLE IF NOT EXISTS job (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, target TEXT, property TEXT, kind TEXT NOT NULL, name TEXT,
    text TEXT NOT NULL, method TEXT NOT NULL, options TEXT NOT NULL, limits TEXT NOT NULL,
    expected TEXT,
    verdict TEXT NOT NULL, value TEXT, reason TEXT, exceeded TEXT, decided_by TEXT, certified INTEGER NOT NULL,
    wall_seconds REAL NOT NULL, cpu_seconds REAL NOT NULL, memory_mib REAL NOT NULL, bdd_nodes_peak INTEGER,
    statistics TEXT NOT NULL, warnings TEXT NOT NULL, certificate TEXT, trace TEXT,
    command TEXT NOT NULL, finished TEXT NOT NULL, attempts INTEGER NOT NULL,
    machine INTEGER NOT NULL REFERENCES machine (id), contents TEXT, superseded INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS job_model ON job (model);
"""
#: The columns that files of earlier versions do not have.
_ADDED = ("contents TEXT", "superseded INTEGER NOT NULL DEFAULT 0")


#: The columns that hold JSON.
_AS_JSON = ("options", "limits", "statistics", "warnings")


@dataclass(frozen=True, slots=True)
class JobOutcome:
    """The result of a job and its cost.

    ``verdict`` is ``holds``, ``violated``, ``computed`` with a ``value``, or ``unknown`` with its ``reason``;
    ``exceeded`` is the limit (wall, cpu, memory) that stopped it, if one did; ``certificate`` and ``trace`` are paths.
    """

    verdict: str
    value: str | None = None
    reason: str | None = None
    exceeded: str | None = None
    decided_by: str | None = None
    certified: bool = False
    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    memory_mib: float = 0.0
    statistics: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    certificate: str | None = None
    trace: str | None = None

    def answer(self) -> str:
        """The verdict or value, as it is compared with an expectation."""
        return self.value or "" if self.verdict == "computed" else self.verdict

    def pages(self) -> dict[str, str]:
        """The paths of the pages of its trace and proof, each with the word for it."""
        paths = {self.trace: "trace", self.certificate: "proof"}
        return {path: word for path, word in paths.items() if path is not None and path.endswith(".html")}

    def contradicts(self, expected: str | None) -> bool:
        """Whether it decides differently than expected (None: nothing is expected)."""
        return expected is not None and self.verdict != "unknown" and self.answer() != expected


@dataclass(frozen=True, slots=True)
class Row:
    """A finished job. ``is_current``: its files have not been changed since, as far as a batch has seen."""

    key: str
    job: Job
    outcome: JobOutcome
    limits: JobLimits
    command: str
    finished: str
    attempts: int
    machine: str
    is_current: bool = True

    @property
    def is_wrong(self) -> bool:
        """Whether the outcome contradicts the expectation."""
        return self.outcome.contradicts(self.job.expected)


class Results:
    """An open file of results. ``writing`` takes the lock; close it, or use it in a ``with`` statement."""

    def __init__(self, path: Path, writing: bool) -> None:
        """Raises UsageError if another batch is writing, or if the file cannot be used."""
        self._path = path
        self._lock: IO[bytes] | None = None
        try:
            with contextlib.ExitStack() as undo:
                if writing:
                    self._lock = locked(path)
                    undo.callback(self._unlock)
                    if not path.exists():
                        undo.callback(remove, path)
                elif not path.is_file():
                    raise UsageError(f"{path}: no such file of results")
                self._connection = connected(path, writing)
                undo.callback(self._connection.close)
                self._prepare(writing)
                undo.pop_all()
        except sqlite3.Error as error:
            raise UsageError(f"{path}: not usable as a file of results: {error}") from error
        self._identity = identity(path) if writing else None
        self._description = json.dumps(machine(), sort_keys=True) if writing else ""

    def _prepare(self, writing: bool) -> None:
        version = self._connection.execute("PRAGMA user_version").fetchone()[0]
        tables = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if tables and version != SCHEMA_VERSION:
            raise UsageError(f"{self._path}: a database, but not one of symag's results (version {version})")
        if writing:
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=FULL")
            self._connection.executescript(_SCHEMA)
            self._connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
            present = {column[1] for column in self._connection.execute("PRAGMA table_info(job)")}
            for column in _ADDED:
                if column.partition(" ")[0] not in present:
                    self._connection.execute(f"ALTER TABLE job ADD COLUMN {column}")
            use_plain_paths(self._connection)
        damage = self._connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if damage != "ok":
            raise UsageError(f"{self._path}: the file is damaged: {damage}")

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Drop rows that are not committed, and release the lock."""
        with contextlib.suppress(sqlite3.Error):
            self._connection.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def keys(self) -> set[str]:
        """The keys of all finished jobs, except those that failed, or have no evidence, for what may be gone now."""
        rows = self._connection.execute("SELECT key, reason, warnings FROM job")
        return {key for key, reason, warnings in rows if not (may_be_mended(reason) or unwritten(json.loads(warnings)))}

    def add(
        self, key: str, job: Job, limits: JobLimits, outcome: JobOutcome, attempts: int, contents: str | None = None
    ) -> None:
        """Add a finished job to the present transaction. Raises sqlite3.Error, for example if the disk is full.

        ``contents`` are those of its files (see ``jobs.ContentHashes.version``).
        """
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN IMMEDIATE")
        values = {
            "key": key,
            **asdict(job),
            **asdict(outcome),
            "limits": structs.asdict(limits),
            "bdd_nodes_peak": outcome.statistics.get("bdd_nodes_peak"),
            "command": " ".join(map(quoted, ["symag", *job.arguments(limits)])),
            "finished": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "attempts": attempts,
            "machine": self._machine(),
            "contents": contents,
        }
        values |= {name: json.dumps(values[name]) for name in _AS_JSON}
        values = {name: readable(value) if isinstance(value, str) else value for name, value in values.items()}
        parameters = ", ".join(f":{name}" for name in values)
        self._connection.execute(f"INSERT OR REPLACE INTO job ({', '.join(values)}) VALUES ({parameters})", values)

    def commit(self) -> None:
        """Write the added rows to the disk. Raises sqlite3.Error, and UsageError if the file is not there any more."""
        # What the connection says is right also after an interrupt on the way.
        if self._connection.in_transaction:
            self._connection.execute("COMMIT")
        if self._identity is not None and self._identity != identity(self._path):
            raise UsageError(f"{self._path}: the file was moved, replaced or removed while the batch ran")

    def set_expected(self, expected: Mapping[str, str | None]) -> None:
        """Set the expectations of finished jobs, by their keys."""
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany(
                "UPDATE job SET expected = ? WHERE key = ?", [(value, key) for key, value in expected.items()]
            )

    def set_versions(self, contents: ContentHashes, models: AbstractSet[str], listed: AbstractSet[str]) -> None:
        """Mark the rows that are about other contents of these models, or of files in their options, as superseded.

        Other rows of the models are not. Superseded are those too that say that the properties of a model cannot be
        listed, if it is one of ``listed``. Linear in the number of rows.
        """
        paths = {readable(model): model for model in models}
        update = self._connection.executemany
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            known = "WHERE contents IS NOT NULL AND model = ?"
            update(
                f"UPDATE job SET superseded = substr(contents, 1, 64) != ? {known}",
                [(contents.hash_of(path), model) for model, path in paths.items()],
            )
            update(
                f"UPDATE job SET superseded = contents != ? {known} AND options = ?",
                [
                    (contents.version_with(paths[model], options), model, json.dumps(options))
                    for model, options in self._with_options()
                    if model in paths and files_in(options)
                ],
            )
            update(
                "UPDATE job SET superseded = 1 WHERE kind = 'model' AND model = ?",
                [(readable(model),) for model in listed],
            )

    def _with_options(self) -> list[tuple[str, list[str]]]:
        """The models with the options of their rows, each pair once."""
        pairs = self._connection.execute("SELECT DISTINCT model, options FROM job WHERE options != '[]'")
        return [(model, json.loads(options)) for model, options in pairs]

    def rows(self) -> Iterator[Row]:
        """All finished jobs in the order of model, target, property and method."""
        order = "model, target, length(property), property, method, options"
        cursor = self._connection.execute(
            f"SELECT job.*, machine.description FROM job JOIN machine ON machine.id = job.machine ORDER BY {order}"
        )
        names = [column[0] for column in cursor.description]
        for values in cursor:
            yield _row(dict(zip(names, values, strict=True)))

    def proof_of_earlier_version(self, job: Job) -> str | None:
        """The certificate of the last proof of the same question about the same file, whatever its content was then."""
        columns = "model = ? AND target IS ? AND property IS ? AND text = ? AND method = ? AND options = ?"
        values = (readable(job.model), job.target, job.property, job.text, job.method, json.dumps(job.options))
        query = f"SELECT certificate FROM job WHERE {columns} AND verdict = 'holds' AND certificate IS NOT NULL"
        row = self._connection.execute(f"{query} ORDER BY finished DESC, rowid DESC", values).fetchone()
        return None if row is None else str(row[0])

    def _machine(self) -> int:
        parameters = (self._description,)
        self._connection.execute("INSERT OR IGNORE INTO machine (description) VALUES (?)", parameters)
        row = self._connection.execute("SELECT id FROM machine WHERE description = ?", parameters).fetchone()
        return int(row[0])


def has_rows(path: Path) -> bool:
    """Whether a file of results is there and has rows. Raises UsageError for another file."""
    if not path.is_file() or not path.stat().st_size:
        return False
    with Results(path, writing=False) as results:
        return next(results.rows(), None) is not None


def _row(values: Mapping[str, Any]) -> Row:
    decoded = {name: json.loads(values[name]) for name in _AS_JSON}
    members = {**values, **decoded, "certified": bool(values["certified"])}
    members["is_current"] = not values.get("superseded")
    return convert({**members, "job": members, "outcome": members, "machine": values["description"]}, Row)

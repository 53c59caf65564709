"""One spelling for the path of a model, also in results that have another one."""

from __future__ import annotations

import json
import os
import sqlite3

from symag.suites.jobs import Job, key_with


def plain(path: str) -> str:
    """The path of the same file without ``folder/..``.

    Behind a link to a folder, ``link/../m.smv`` may be another file than ``m.smv``, and stays.
    """
    shorter = os.path.normpath(path)
    try:
        return shorter if os.path.samefile(shorter, path) else path
    except (OSError, ValueError):
        return path


def use_plain_paths(connection: sqlite3.Connection) -> None:
    """Give rows of earlier versions of symag, about ``folder/../m.smv``, the name and the key of ``m.smv``.

    A row stays as it is if there is one with this key, or if it does not say which content it is about.
    """
    names = [str(name) for (name,) in connection.execute("SELECT DISTINCT model FROM job WHERE model LIKE '%..%'")]
    renamed = {name: plain(name) for name in names if plain(name) != name}
    columns = "property, kind, text, name, target, method, options"
    changes = []
    for name, model in renamed.items():
        query = f"SELECT key, limits, contents, {columns} FROM job WHERE model = ? AND contents IS NOT NULL"
        for key, limits, contents, *question in connection.execute(query, (name,)):
            property_, kind, text, title, target, method, options = question
            job = Job(model, property_, kind, text, title, target, method, tuple(json.loads(options)))
            changes.append((model, key_with(job, json.loads(limits), contents), key))
    with connection:
        connection.executemany("UPDATE OR IGNORE job SET model = ?, key = ? WHERE key = ?", changes)

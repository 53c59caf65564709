"""A search whose states are in files gives the answers, traces and figures of one in memory."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import resource
from collections.abc import Iterator
from pathlib import Path
from random import Random
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.limits import Deadline, DiskExhausted, no_progress
from symag.core.state_table import Packing, StateTable
from symag.lts import ERROR, Lts, System, read_text
from symag.lts.certify import states as labelled_states
from symag.lts.certify.on_disk import filed_moves, filed_states
from symag.lts.certify.on_disk.filed_states import FiledStates, GrowingStates
from symag.lts.certify.sorted_states import CollisionError
from symag.lts.certify.states import Faults, reachable_faults
from symag.lts.composition import Priority
from symag.lts.lts import reachable
from symag.lts.methods import fault_search, sorted_runs, states_on_disk
from symag.lts.methods.fault_search import FaultSearch
from symag.lts.methods.sorted_runs import SortedRuns
from symag.lts.methods.states_on_disk import StatesOnDisk
from symag.process import array_file
from symag.process.array_file import ArrayFile, Words
from tests.lts.answering import explored_states
from tests.small_files import with_small_files

#: Counters that stop, the last of them too early.
COUNTERS = """
COUNTER = COUNT[0], COUNT[i:0..4] = (when (i < 4) step -> COUNT[i+1] | when (i == 4) stop -> STOP).
property ORDER = (p[1].stop -> p[4].stop -> STOP).
||SYS = (p[1..4]:COUNTER || ORDER).
"""


@st.composite
def composites(draw: st.DrawFn) -> System:
    """Up to 625 states, most systems without ERROR, so that a search for it sees all of them."""
    random = Random(draw(st.integers(0, 1 << 32)))
    components = []
    for k in range(random.randrange(1, 5)):
        states, labels = random.randrange(1, 6), ["own", *random.sample(("a", "b", "c"), random.randrange(3))]
        least = ERROR if random.random() < 0.1 else 0
        alphabet = ("tau", *(f"{k}.own" if label == "own" else label for label in labels))
        triples = [
            (state, random.randrange(len(alphabet)), random.randrange(least, states))
            for state in range(states)
            for _ in range(random.randrange(1, 4))
        ]
        end = random.choice((None, None, states - 1))
        triples = [triple for triple in triples if triple[0] != end]
        components.append(reachable(Lts.of(f"P{k}", alphabet, states, triples, end)))
    named = frozenset(random.sample(("a", "b", "c"), random.randrange(1, 3)))
    priority = Priority(named, random.random() < 0.5) if random.random() < 0.2 else None
    return System("S", tuple(components), priority, None, False, frozenset())


@contextlib.contextmanager
def tiny(least: int, block: int = 2) -> Iterator[None]:
    """So few states wait and stay in memory that small systems have several runs, in files of several blocks."""
    with (
        mock.patch.object(states_on_disk, "_LEAST", least),
        mock.patch.object(fault_search, "CHUNK", least),
        mock.patch.object(fault_search, "_LEAST_CHUNK", least),
        mock.patch.object(sorted_runs, "_BLOCK", block),
        mock.patch.object(sorted_runs, "_BLOCKS_AT_ONCE", 3),
        mock.patch.object(sorted_runs, "_GAP", 1),
    ):
        yield


def _search(system: System, enough: tuple[fault_search.Fault, ...], room: int) -> tuple[object, ...]:
    search = FaultSearch(system, enough, no_progress, room)
    search.run()
    return search.states, search.transitions, search.complete, search.trace("deadlock"), search.trace("safety")


@contextlib.contextmanager
def tiny_recheck(fewest: int) -> Iterator[None]:
    """The same for the re-check."""
    with (
        mock.patch.object(filed_states, "_FEWEST", fewest),
        mock.patch.object(filed_moves, "_FEWEST", fewest),
        mock.patch.object(filed_states, "_BUCKET", 2),
        mock.patch.object(filed_states, "_TOGETHER", 5),
        mock.patch.object(labelled_states, "_FEWEST_MOVES", fewest),
    ):
        yield


@settings(max_examples=150, deadline=None)
@given(composites(), st.sampled_from((1, 2, 7)))
def test_the_re_check_of_random_systems(system: System, fewest: int) -> None:
    expected = explored_states(system)
    going_on = expected.ended.copy()
    going_on[expected.source] = True
    faults = Faults(bool((expected.target < 0).any()), not going_on.all())
    with tiny_recheck(fewest):
        for room in (0, 10_000):
            assert reachable_faults(system, Deadline(None), room) == faults


@pytest.mark.parametrize("size", [4, 1 << 40])
@pytest.mark.parametrize("room", [0, 2_000, 1 << 40])
def test_the_re_check_has_every_state_once(size: int, room: int) -> None:
    packing, generator = Packing([size, size, size]), np.random.default_rng(size)
    with tiny_recheck(3):
        states = GrowingStates(packing.width, 0, room)
        known: set[tuple[int, ...]] = set()
        for _ in range(30):
            words = packing.packed(generator.integers(0, 4, (7, 3)) * (size // 4))
            known.update(map(tuple, words.tolist()))
            states.add(words)
            states.settle()
            assert states.count == len(known)
        assert {tuple(row) for row in states.words(0, states.count).tolist()} == known
        assert (states._files is None) == (room > 10_000)


def test_the_re_check_notices_equal_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filed_states, "hashes_of", lambda words, _: words[:, 0] & np.uint64(1))
    states = FiledStates(2, 0, 0)
    states.add(np.array([[2, 0], [3, 0], [2, 0]], dtype=np.uint64))
    states.settle()
    states.add(np.array([[3, 0], [5, 0]], dtype=np.uint64))
    with pytest.raises(CollisionError):
        states.settle()
    for fewest in (1, 2):
        with tiny_recheck(fewest):
            states = FiledStates(2, 0, 0)
            states.add(np.array([[2, 0], [3, 0]], dtype=np.uint64))
            with pytest.raises(CollisionError):
                states.add(np.array([[2, 1], [3, 0]], dtype=np.uint64))


@settings(max_examples=150, deadline=None)
@given(composites(), st.sampled_from((("deadlock", "safety"), ("safety",))), st.sampled_from((1, 2, 7)))
def test_random_systems(system: System, enough: tuple[fault_search.Fault, ...], least: int) -> None:
    with mock.patch.object(fault_search, "CHUNK", least):
        expected = _search(system, enough, 1 << 40)
    with tiny(least):
        assert _search(system, enough, 0) == expected


@pytest.mark.parametrize(("kind", "rooms"), [("deadlock", (0, 150_000)), ("safety", (0,))])
def test_many_levels(kind: fault_search.Fault, rooms: tuple[int, ...]) -> None:
    """With some room memory suffices at first."""
    system = read_text(COUNTERS).composite("SYS")
    in_memory = FaultSearch(system, (kind,), no_progress, 1 << 40)
    in_memory.run()
    assert in_memory.bytes_on_disk == 0
    for room in rooms:
        search = FaultSearch(system, (kind,), no_progress, room)
        with tiny(50):
            search.run()
        assert search.bytes_on_disk > 0
        assert search.trace(kind) == in_memory.trace(kind) is not None


class _OneKey(StatesOnDisk):
    """Of the first two hashes every state has the same."""

    def _keyed(self, words: Words) -> Words:
        rows = super()._keyed(words)
        if self._salt < 2:
            rows[:, 0] = self._salt
        return rows


@pytest.mark.parametrize("kind", [StatesOnDisk, _OneKey])
@pytest.mark.parametrize("size", [4, 1 << 40])
def test_states_are_numbered_as_in_memory(kind: type[StatesOnDisk], size: int) -> None:
    packing = Packing([size, size, size])
    table, generator = StateTable(packing), np.random.default_rng(size)
    with tiny(20, 4):
        states = kind(packing.width, 0)
        assert packing.width == (1 if size == 4 else 3)
        if kind is _OneKey and packing.width == 1:
            return  # a word is its own key
        for _ in range(12):
            words = packing.packed(generator.integers(0, 4, (9, 3)) * (size // 4))
            sources = generator.integers(0, 100, 9)
            before = len(table)
            numbers = table.add(words).tolist()
            states.add(words, sources)
            states.settle()
            assert len(states) == len(table)
            assert states.words(0, len(table)).tolist() == table.words(0, len(table)).tolist()
            for number in range(before, len(table)):
                assert states.source(number) == sources[numbers.index(number)]


def test_a_full_disk_has_its_own_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    file = ArrayFile(1)
    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(DiskExhausted, match="No space left"):
        file.append(np.zeros((1, 1), dtype=np.uint64))
    monkeypatch.setattr(array_file, "RESERVE", 1 << 62)
    with pytest.raises(DiskExhausted, match="would be left"):
        file.append(np.zeros((1, 1), dtype=np.uint64))
    assert len(file) == 0


def test_a_folder_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(**_: object) -> None:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    monkeypatch.setattr("tempfile.TemporaryFile", missing)
    with pytest.raises(DiskExhausted, match="No usable temporary directory"):
        SortedRuns(1, 1).insert(np.array([[1], [2]], dtype=np.uint64))


#: 160,000 states.
_ROUNDS = """
COUNTER = COUNT[0], COUNT[i:0..19] = (when (i < 19) step -> COUNT[i+1] | when (i == 19) again -> COUNTER).
||SYS = (p[1..4]:COUNTER).
"""


@pytest.mark.parametrize("most_bytes", [resource.RLIM_INFINITY, 10_000])
def test_the_command_under_a_limit_of_memory(tmp_path: Path, most_bytes: int) -> None:
    """It leaves no file, and a disk without room is a reason; a file may have ``most_bytes``."""
    model, folder = tmp_path / "m.lts", tmp_path / "temporary"
    folder.mkdir()
    model.write_text(_ROUNDS)
    finished = with_small_files(
        most_bytes,
        *("check", model, "--property", "deadlock", "--method", "monolithic", "--json"),
        *("--memory", "10", "--no-certify"),  # the re-check has tests of its own
        environment={"TMPDIR": str(folder)},
    )
    (answer,) = json.loads(finished.stdout)["results"]
    assert list(folder.iterdir()) == []
    if most_bytes == resource.RLIM_INFINITY:
        assert answer["verdict"] == "holds"
        assert answer["statistics"]["disk_mib"] > 0
    else:
        assert (finished.returncode, answer["verdict"], answer["reason"]) == (30, "unknown", "disk")

"""Searches without a limit of memory end before they use up the machine."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from symag.core.limits import Limits, Progress, no_progress
from symag.core.results import PropertyResult, Verdict
from symag.core.values import replace
from symag.process import memory, tree
from symag.process.memory import FULL, LARGEST_SHARE, SHARE_OF_A_FULL_MACHINE, MachineMemory
from symag.process.race import once, race
from symag.smv.checking.check import check
from symag.smv.methods.options import SmvOptions
from symag.smv.model.flat import FlatSystem, Property
from tests.engine.fakes import HOLDS, SYSTEM, judges, property_


def machine_with_room_for(mebibytes: float) -> MachineMemory:
    held = tree.resident_mib([os.getpid()])
    return MachineMemory((held + mebibytes) / LARGEST_SHARE, lambda: None)


def grow(progress: Progress) -> str:
    kept = []
    for _ in range(int(tree.resident_mib([os.getpid()]) + 400) // 16):
        kept.append(b"\1" * 2**24)
        time.sleep(0.02)
    time.sleep(60)
    raise AssertionError(f"grew by {len(kept)} blocks, and nothing ended it")


def growing(system: FlatSystem, item: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
    raise AssertionError(grow(progress))


def test_a_search_without_limits_ends_before_the_machine_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("symag.process.race.machine_memory", lambda: machine_with_room_for(150))
    ((_, result),) = check(SYSTEM, [property_()], "fake", judges=judges(growing))
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, "memory")


def test_the_largest_process_of_a_race_ends_and_the_others_answer(tmp_path: Path) -> None:
    number = tmp_path / "number"

    def greedy(progress: Progress) -> str:
        number.with_suffix(".new").write_text(str(os.getpid()))
        number.with_suffix(".new").rename(number)
        return grow(progress)

    def patient(progress: Progress) -> str:
        """Answers when the other process is gone."""
        for _ in range(1200):
            if number.exists() and not Path(f"/proc/{number.read_text()}").exists():
                return "patient"
            time.sleep(0.05)
        raise AssertionError("the other process lives on")

    runners = [once("patient", patient, None), once("greedy", greedy, None)]
    room = machine_with_room_for(150)
    finishes = race(runners, lambda finish: finish.outcome.value is not None, None, no_progress, room)
    assert [(finish.name, finish.outcome.reason) for finish in finishes] == [("greedy", "memory"), ("patient", None)]


def test_what_processes_may_hold_depends_on_what_is_left() -> None:
    held = tree.proportional_mib([os.getpid()])
    total = held / LARGEST_SHARE * 1.5
    assert not MachineMemory(total, lambda: None).exceeded_by([os.getpid()])
    assert not MachineMemory(total, lambda: total * FULL * 2).exceeded_by([os.getpid()])
    assert MachineMemory(total, lambda: total * FULL / 2).exceeded_by([os.getpid()])
    assert MachineMemory(total, lambda: None, part=0.5).exceeded_by([os.getpid()])
    small = held / SHARE_OF_A_FULL_MACHINE * 1.5
    assert not MachineMemory(small, lambda: 0.0).exceeded_by([os.getpid()])
    assert not MachineMemory(None, lambda: 0.0).exceeded_by([os.getpid()])


def test_the_limits_of_containers_are_read(tmp_path: Path) -> None:
    own = tmp_path / "cgroup"
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "memory" / "c").mkdir(parents=True)
    (tmp_path / "memory.max").write_text(f"{9 * 2**20}\n")
    (tmp_path / "a" / "memory.max").write_text(f"{5 * 2**20}\n")
    (tmp_path / "a" / "b" / "memory.max").write_text("max\n")
    (tmp_path / "memory" / "c" / "memory.limit_in_bytes").write_text(f"{3 * 2**20}\n")
    own.write_text("0::/a/b\n")
    assert memory._limits_of_groups(tmp_path, own) == [5.0, 9.0]
    own.write_text("5:cpu,memory:/c\n4:devices:/c\n")
    assert memory._limits_of_groups(tmp_path, own) == [3.0]
    assert memory._limits_of_groups(tmp_path, tmp_path / "none") == []
    assert 2**6 < (memory.machine_memory().total or 2**7) < 2**30


def test_methods_know_whether_something_else_ends_them() -> None:
    def decide(system: FlatSystem, item: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
        return replace(HOLDS, statistics={"stoppable": options.stoppable})

    def stoppable(method: str, limits: Limits) -> bool:
        ((_, result),) = check(SYSTEM, [property_()], method, limits=limits, judges=judges(decide, monolithic=decide))
        return bool(result.statistics["stoppable"])

    assert not stoppable("fake", Limits())
    assert stoppable("fake", Limits(seconds=60))
    assert stoppable("fake", Limits(memory=500))
    assert stoppable("auto", Limits())

"""Limits hold whatever the computation does, and every way to die has its reason."""

from __future__ import annotations

import errno
import json
import math
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from symag.core.errors import InputError, UnsupportedError, UsageError
from symag.core.limits import Limits, no_progress
from symag.core.results import PropertyResult, Verdict
from symag.process.child import Child, reason_of_death
from symag.process.race import once, race
from symag.smv.checking.check import check
from tests.conftest import ROOT
from tests.engine.fakes import (
    SYSTEM,
    UNKNOWN,
    Decide,
    exits_as_cudd,
    greedy,
    judges,
    property_,
    raising,
    segfaults,
    sleeping,
)


def decide_with(method: Decide, **limits: float) -> PropertyResult:
    bounds = Limits(seconds=limits.get("seconds"), memory=int(limits["memory"]) if "memory" in limits else None)
    ((_, result),) = check(SYSTEM, [property_()], "fake", limits=bounds, judges=judges(method))
    assert no_children_left()
    return result


def no_children_left() -> bool:
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return True
    return False


def test_timeout_kills_what_ignores_signals() -> None:
    start = time.monotonic()
    result = decide_with(sleeping, seconds=0.3)
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, "timeout")
    assert time.monotonic() - start < 3


@pytest.mark.parametrize(
    "method",
    [
        greedy,
        exits_as_cudd,
        raising(MemoryError()),
        raising(OSError(errno.ENOMEM, "Cannot allocate memory")),
        raising(ImportError("library.so: failed to map segment from shared object")),
        raising(SystemError("error return without exception set")),
    ],
)
def test_every_way_to_run_out_of_memory(method: Decide) -> None:
    assert decide_with(method, memory=200, seconds=20).reason == "memory"


@pytest.mark.parametrize("memory", [40, 70, 120, 300])
def test_libraries_that_do_not_fit_into_memory(memory: int) -> None:
    """OpenBLAS, which scipy loads, would ask for its buffers for ever."""
    question = ("models/lpts/client_server3.nm", "--formula", "Pmax=? [F c1=4]", "--memory", str(memory))
    command = [sys.executable, "-m", "symag", "check", *question, "--timeout", "10", "--json"]
    finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    (answer,) = json.loads(finished.stdout)["results"]
    assert answer["reason"] == (None if memory == 300 else "memory")


@pytest.mark.parametrize("limits", [(0.0, None), (-1.0, None), (math.nan, None), (math.inf, None), (None, 0)])
def test_what_is_no_limit(limits: tuple[float | None, int | None]) -> None:
    with pytest.raises(UsageError, match=r"timeout is a positive number|memory is at least 1 MiB"):
        Limits(*limits)


def test_cudd_reports_its_own_bound_in_two_ways() -> None:
    assert decide_with(raising(RuntimeError("CUDD appears to have run out of memory.\n..."))).reason == "memory"
    assert decide_with(raising(ValueError("`DdNode *node` is `NULL` pointer."))).reason == "memory"


@pytest.mark.long
def test_a_real_diagram_that_outgrows_the_bound() -> None:
    cudd = pytest.importorskip("dd.cudd")

    def decide(*_: object) -> PropertyResult:
        context = cudd.BDD()
        context.configure(reordering=False)
        context.declare(*[f"x{i}" for i in range(120)])
        product = context.true
        for i in range(60):
            product = product & context.apply("equiv", context.var(f"x{i}"), context.var(f"x{i + 60}"))
        return UNKNOWN

    assert decide_with(decide, memory=12, seconds=120).reason == "memory"


def test_oxidd_aborts_where_the_new_order_does_not_fit() -> None:
    bcdd = pytest.importorskip("oxidd.bcdd")

    def decide(*_: object) -> PropertyResult:
        manager = bcdd.BCDDManager(5000, 256, 1)
        manager.add_vars(40)
        bits = [manager.var(k) for k in range(40)]
        equal = manager.true()
        for k in range(0, 40, 2):
            equal = equal & bits[k].equiv(bits[k + 1])
        manager.set_var_order([*range(0, 40, 2), *range(1, 40, 2)])
        return UNKNOWN

    # OxiDD says that it has no memory and aborts; seldom it dies before it can say so.
    assert decide_with(decide, seconds=60).reason in ("memory", "crashed: signal 11 (SIGSEGV)")


def test_a_crash_names_its_signal() -> None:
    assert decide_with(segfaults).reason == "crashed: signal 11 (SIGSEGV)"
    assert reason_of_death(7, "") == "crashed: exit status 7"
    refused = 'Os { code: 12, kind: OutOfMemory, message: "Cannot allocate memory" }'
    assert reason_of_death(-signal.SIGABRT, f"thread panicked: {refused}") == "memory"
    assert reason_of_death(-signal.SIGINT, "") == "interrupted"


def test_an_exception_is_an_internal_error_with_its_traceback() -> None:
    result = decide_with(raising(TypeError("no such thing\nsecond line")))
    assert result.reason == "internal error: TypeError: no such thing"
    assert any("Traceback" in line for line in result.warnings)


def test_unsupported_is_a_verdict() -> None:
    assert decide_with(raising(UnsupportedError("LTL"))).reason == "unsupported: LTL"


def test_input_errors_come_back_with_their_position() -> None:
    with pytest.raises(InputError) as caught:
        decide_with(raising(InputError("case conditions are not exhaustive", "m.smv", 3, 7)))
    assert str(caught.value) == "m.smv:3:7: case conditions are not exhaustive"
    assert no_children_left()


def test_large_answers_and_progress_come_through_the_pipe() -> None:
    lines: list[str] = []

    def work(progress: object) -> bytes:
        assert callable(progress)
        progress("half way")
        return bytes(range(256)) * 50_000

    (finish,) = race([once("fake", work, None)], lambda _: True, None, lines.append)
    assert finish.outcome.value == bytes(range(256)) * 50_000
    assert lines == ["fake: half way"]


def test_an_interrupt_in_the_parent_kills_the_child() -> None:
    def interrupting(line: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check(SYSTEM, [property_()], "fake", progress=interrupting, judges=judges(sleeping))
    assert no_children_left()


def test_an_unfinished_child_can_be_finished_at_any_time() -> None:
    child = Child(lambda request, progress: time.sleep(request))
    child.ask(60)
    assert child.finish("interrupted").reason == "interrupted"
    assert no_children_left()


def test_progress_is_not_read_by_anyone() -> None:
    def work(progress: object) -> int:
        return 7

    (finish,) = race([once("fake", work, None)], lambda _: True, time.monotonic() + 20, no_progress)
    assert finish.outcome.value == 7


ORPHAN_SCRIPT = """
import sys, time
sys.path.insert(0, {folder!r})
from tests.engine.fakes import SYSTEM, judges, property_, sleeping
from symag.smv.checking.check import check
check(SYSTEM, [property_()], "fake", judges=judges(sleeping), progress=lambda line: print(line, flush=True))
"""


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_no_orphan_whatever_ends_the_parent(number: signal.Signals) -> None:
    script = ORPHAN_SCRIPT.format(folder=str(Path(__file__).parents[2]))
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"fake: sleeping\n"
        children = Path(f"/proc/{parent.pid}/task/{parent.pid}/children").read_text().split()
        assert len(children) == 1
        parent.send_signal(number)
        parent.wait(5)
    deadline = time.monotonic() + 5
    while Path(f"/proc/{children[0]}").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not Path(f"/proc/{children[0]}").exists()


def test_a_limit_of_processor_time_from_outside_is_a_timeout() -> None:
    def works(*_: object) -> PropertyResult:
        resource.setrlimit(resource.RLIMIT_CPU, (1, resource.RLIM_INFINITY))
        while True:
            pass

    assert decide_with(works, seconds=60).reason == "timeout"

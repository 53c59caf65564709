"""Small systems and methods that stand in for real ones: fast, slow, greedy and dying."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable

from symag.core.limits import Progress
from symag.core.results import PropertyResult, Verdict
from symag.core.source import SourceText
from symag.core.tables import Methods, Race
from symag.smv.checking.check import DeciderAndJudge
from symag.smv.methods.options import SmvOptions
from symag.smv.model.flat import FlatSystem, Property

SYSTEM = FlatSystem(SourceText.of("fake.smv", ""), (), {}, (), (), (), (), (), (), ())


def property_(index: int = 0, name: str | None = None) -> Property:
    return Property(index, "INVARSPEC", name, f"p{index}", 1, None)


Decide = Callable[[FlatSystem, Property, SmvOptions, Progress], PropertyResult]


def answering(result: PropertyResult, after: float = 0.0) -> Decide:
    def decide(system: FlatSystem, item: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
        time.sleep(after)
        return result

    return decide


def sleeping(system: FlatSystem, item: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    progress("sleeping")
    time.sleep(60)
    raise AssertionError("slept for a minute")


def greedy(system: FlatSystem, item: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
    kept = []
    while True:
        kept.append(bytearray(1 << 24))


def exits_as_cudd(system: FlatSystem, item: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
    os.write(2, b"CUDD: out of memory allocating 32736 bytes\n")
    os._exit(1)


def segfaults(system: FlatSystem, item: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
    os.kill(os.getpid(), signal.SIGSEGV)
    raise AssertionError("still alive")


def raising(error: Exception) -> Decide:
    def decide(system: FlatSystem, item: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
        raise error

    return decide


def unjudged(system: FlatSystem, item: Property, result: PropertyResult, seconds: float | None) -> PropertyResult:
    return result


def judges(decide: Decide, accept: Callable[..., PropertyResult] | None = None, **others: Decide) -> DeciderAndJudge:
    named = {name.replace("_", "-"): method for name, method in others.items()}
    auto = Race("symag.smv.checking.portfolio.schedule")
    return DeciderAndJudge(Methods({"fake": decide, **named, "auto": auto}), accept or unjudged)


HOLDS = PropertyResult(Verdict.HOLDS, "fake")
VIOLATED = PropertyResult(Verdict.VIOLATED, "fake")
UNKNOWN = PropertyResult(Verdict.UNKNOWN, "fake", reason="too many states")

"""Several computations of one answer in child processes: the first decisive one wins, the others are killed.

No more run at a time than there are processors; see ``turns``.
"""

from __future__ import annotations

import math
import selectors
import time
from bisect import insort
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from symag.core.errors import CertificationError
from symag.core.limits import Limits, Progress
from symag.core.results import Reason, kind_of
from symag.core.values import replace
from symag.process import kernel
from symag.process.child import Child, ChildOutcome
from symag.process.memory import INTERVAL, MachineMemory, machine_memory
from symag.process.turns import TRIAL, Turns, processors

#: A runner starts at the latest after this many times its delay in wall-clock seconds; the second number is for when
#: one that has started is ready to run but has no processor.
PATIENCE = 4.0
PATIENCE_WHILE_STARVED = 20.0

#: One runner at a time runs until the race has used this many CPU seconds: most are over by then, and what several use
#: together would be lost.
ONE_BY_ONE = 3.0

#: The trial of a runner (see ``turns``) lasts until the next one is due, but at least and at most these CPU seconds.
SHORTEST_TRIAL, LONGEST_TRIAL = 0.1, 0.9

#: Seconds between two readings of a runner's CPU time.
_SHORTEST_PAUSE = 0.02

#: A computation for one answer: it may report progress, and returns a value that can be pickled.
Work = Callable[[Progress], Any]


class Runner(Struct, frozen=True):
    """A computation that starts ``delay`` seconds (see ``race``) after the race does. If no other runs, it starts at
    once, and those after it so much earlier. While it has used fewer CPU seconds than ``brief`` the next one waits for
    it, and those after it as much longer: that is for what soon ends by itself.

    ``start`` returns a child that has its request; with ``kept`` the child lives on after its answer, and with
    ``lasting`` it is paused, with its request, where others are killed. ``weight`` is its share of the processors among
    those that have started (see ``turns``); infinity: it always runs. Until it has used ``lead`` CPU seconds it leaves
    little to the others, once these have used ``lead_after`` together. ``then`` says what comes after an answer that
    decides nothing, under the same name.
    """

    name: str
    start: Callable[[], Child]
    delay: float = 0.0
    kept: bool = False
    weight: float = 1.0
    brief: float = 0.0
    lead: float = 0.0
    lead_after: float = 0.0
    lasting: bool = False
    then: Callable[[ChildOutcome], Runner | None] | None = None


def once(
    name: str, work: Work, memory: int | None, delay: float = 0.0, weight: float = 1.0, lead: float = 0.0
) -> Runner:
    """A runner with a child of its own for one computation."""

    def start() -> Child:
        child = Child(lambda _, progress: work(progress), memory)
        child.ask(None)
        return child

    return Runner(name, start, delay, weight=weight, lead=lead)


class RunnerResult(Struct, frozen=True):
    """A runner's name and how it ended."""

    name: str
    outcome: ChildOutcome


def race(
    runners: Sequence[Runner],
    decisive: Callable[[RunnerResult], bool],
    deadline: float | None,
    progress: Progress,
    memory: MachineMemory | None = None,
) -> list[RunnerResult]:
    """Run until one result is decisive, all have ended, or ``deadline`` (of ``time.monotonic``) has passed.

    Delays are CPU seconds of all runners together: a busy machine does not shorten them. No runner waits longer than
    ``PATIENCE`` times its delay in wall-clock seconds (``PATIENCE_WHILE_STARVED`` while one that has started has no
    processor). The decisive result, if any, is the last one; before it are those of others that had started, stopped
    by the deadline (``timeout``) or by the winner (``overtaken``). When runners without a limit use up ``memory`` (the
    machine's), the largest ends with the reason ``memory``. All children but those that last are killed and reaped,
    also after exceptions. Several answers of one runner are one result.
    """
    return _one_of_each(_finishes(runners, decisive, deadline, progress, memory))


def _finishes(
    runners: Sequence[Runner],
    decisive: Callable[[RunnerResult], bool],
    deadline: float | None,
    progress: Progress,
    memory: MachineMemory | None,
) -> list[RunnerResult]:
    start, waiting = time.monotonic(), sorted(runners, key=lambda runner: runner.delay)
    running: dict[Child, Runner] = {}
    finished: list[RunnerResult] = []
    turns, look, ahead = Turns(), start + INTERVAL, 0.0
    with selectors.DefaultSelector() as selector:
        try:
            while waiting or running:
                now = time.monotonic()
                used = {child: child.cpu_seconds() for child in running}
                spent = _spent(used, finished, now - start)
                if waiting and any(_is_on_trial(runner, used[child]) for child, runner in running.items()):
                    ahead = min(ahead, waiting[0].delay - spent - _SHORTEST_PAUSE)
                if waiting and (not running or spent + ahead >= waiting[0].delay):
                    runner = waiting.pop(0)
                    ahead = max(ahead, runner.delay - spent)
                    if spent < ONE_BY_ONE:
                        turns.rest()  # the start may import a method's modules
                    child = runner.start()
                    running[child], used[child] = runner, 0.0
                    turns.add(child, runner.weight, _trial(runner, waiting), runner.lead, runner.lead_after)
                    selector.register(child, selectors.EVENT_READ, child)
                if deadline is not None and now >= deadline:
                    return [*finished, *_stop(running, Reason.TIMEOUT.text())]
                if now >= look and (unlimited := [child for child in running if not child.limited]):
                    memory, look = memory or machine_memory(), now + INTERVAL
                    if memory.exceeded_by([child.pid for child in unlimited]):
                        largest = max(unlimited, key=lambda child: kernel.resident_bytes(child.pid))
                        selector.unregister(largest)
                        finished.append(_ended(running, turns, largest, Reason.MEMORY.text()))
                        continue
                turn_ends = turns.share(used, 1 if spent < ONE_BY_ONE else processors())
                for key, _ in selector.select(_pause(now, spent + ahead, deadline, waiting, turn_ends)):
                    child = key.data
                    child.receive()
                    _report(child, running[child].name, progress)
                    if not child.ended:
                        continue
                    selector.unregister(child)
                    ended = running[child]
                    finish = _ended(running, turns, child)
                    if decisive(finish):
                        return [*finished, *_stop(running, Reason.OVERTAKEN.text()), finish]
                    finished.append(finish)
                    following = None if ended.then is None else ended.then(finish.outcome)
                    if following is not None:
                        insort(waiting, following, key=lambda runner: runner.delay)
        finally:
            _stop(running, Reason.INTERRUPTED.text())
    return finished


def _report(child: Child, name: str, progress: Progress) -> None:
    for line in child.progress:
        progress(f"{name}: {line}")
    child.progress.clear()


def alone(runner: Runner, deadline: float | None, progress: Progress) -> ChildOutcome:
    """Run one computation without a competitor."""
    (finish,) = race([runner], lambda _: True, deadline, progress)
    return finish.outcome


def _ended(running: dict[Child, Runner], turns: Turns, child: Child, reason: str | None = None) -> RunnerResult:
    """The result of a runner that has answered, or with a ``reason`` of one that is killed for it."""
    runner = running.pop(child)
    turns.remove(child)
    return RunnerResult(runner.name, child.outcome() if runner.kept and reason is None else child.finish(reason))


def _stop(running: dict[Child, Runner], reason: str) -> list[RunnerResult]:
    """Kill all at once, then reap them; those that last are paused."""
    for child, runner in running.items():
        if runner.lasting:
            child.pause()
        else:
            child.kill()
    results = []
    for child in list(running):
        runner = running.pop(child)
        results.append(RunnerResult(runner.name, (child.set_aside if runner.lasting else child.finish)(reason)))
    return results


def _one_of_each(finishes: Sequence[RunnerResult]) -> list[RunnerResult]:
    """One result of each name, the last one, with the cost of all that have it."""
    last: dict[str, RunnerResult] = {}
    for finish in finishes:
        before = last.pop(finish.name, None)
        if before is not None:
            earlier, outcome = before.outcome, finish.outcome
            outcome = replace(
                outcome,
                seconds=earlier.seconds + outcome.seconds,
                cpu_seconds=earlier.cpu_seconds + outcome.cpu_seconds,
                memory=max(earlier.memory, outcome.memory),
            )
            finish = RunnerResult(finish.name, outcome)
        last[finish.name] = finish
    return list(last.values())


def _is_on_trial(runner: Runner, used: float | None) -> bool:
    return used is not None and used < runner.brief


def _trial(runner: Runner, waiting: Sequence[Runner]) -> float:
    """The CPU seconds that a runner has for itself when it starts, before those that wait."""
    if runner.brief:
        return runner.brief
    if not waiting:
        return TRIAL
    return min(max(waiting[0].delay - runner.delay, SHORTEST_TRIAL), LONGEST_TRIAL)


def _spent(used: Mapping[Child, float | None], finished: Sequence[RunnerResult], seconds: float) -> float:
    """The time that is compared with delays, ``seconds`` after the start of the race.

    ``used`` are the CPU seconds of those that have not finished, None where the system does not report them.
    """
    if None in used.values():
        return seconds
    patience = PATIENCE_WHILE_STARVED if any(child.is_runnable() for child in used) else PATIENCE
    ended = sum(finish.outcome.cpu_seconds for finish in finished)
    return max(ended + sum(filter(None, used.values())), seconds / patience)


def _pause(now: float, spent: float, deadline: float | None, waiting: Sequence[Runner], turn_ends: float) -> float:
    """Seconds until the next start, the end of a turn, the deadline or a look at the memory.

    They are for when no child sends anything.
    """
    times = [now + INTERVAL]
    if deadline is not None:
        times.append(deadline)
    if waiting:
        times.append(now + max(_SHORTEST_PAUSE, waiting[0].delay - spent))
    if turn_ends < math.inf:
        times.append(now + max(_SHORTEST_PAUSE, turn_ends))
    return max(0.0, min(times) - now)


def deadline_of(limits: Limits) -> float | None:
    """The value of ``time.monotonic`` at which a computation that starts now has to end; None for never."""
    return None if limits.seconds is None else time.monotonic() + limits.seconds


def limited(name: str, work: Work, limits: Limits, progress: Progress, deadline: float | None = None) -> ChildOutcome:
    """Run a computation: its value, or the reason why there is none.

    ``name`` precedes its lines of progress. ``deadline`` replaces the limit of time.
    Raises the computation's error if it is one for the user.
    """
    outcome = alone(once(name, work, limits.memory), deadline or deadline_of(limits), progress)
    if outcome.error is not None:
        raise outcome.error
    return outcome


def limited_recheck(
    name: str, work: Work, limits: Limits, progress: Progress, deadline: float | None = None
) -> ChildOutcome:
    """As ``limited``, for a re-check: an internal error refuses the evidence.

    Raises CertificationError, and the other errors for the user.
    """
    outcome = limited(name, work, limits, progress, deadline)
    if kind_of(outcome.reason) is Reason.INTERNAL_ERROR:
        raise CertificationError(f"{outcome.reason}\n{outcome.messages}".rstrip())
    return outcome

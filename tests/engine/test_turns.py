"""Which computations of a race run, and which wait."""

from __future__ import annotations

import math
from typing import cast

import pytest

from symag.process.child import Child
from symag.process.turns import LED, TRIAL, Turns


class Process:
    """A process that can only be stopped; ``seconds`` are those that it has used."""

    def __init__(self, *, waits: bool = False) -> None:
        self.waits = waits
        self.seconds = 0.0
        self.stopped = False

    def is_runnable(self) -> bool:
        return not self.waits

    def pause(self) -> None:
        self.stopped = True

    def proceed(self) -> None:
        self.stopped = False


class Race:
    """Processes that take turns on some processors."""

    def __init__(self, places: int) -> None:
        self.places = places
        self.turns = Turns()
        self.processes: list[Process] = []

    def start(
        self, weight: float = 1.0, trial: float = TRIAL, *, waits: bool = False, lead: float = 0.0, after: float = 0.0
    ) -> Process:
        process = Process(waits=waits)
        self.processes.append(process)
        self.turns.add(cast(Child, process), weight, trial, lead, after)
        return process

    def share(self) -> float:
        used = {cast(Child, process): process.seconds for process in self.processes}
        return self.turns.share(used, self.places)

    def run(self, seconds: float) -> None:
        for _ in range(round(100 * seconds)):
            self.share()
            for process in self.processes:
                process.seconds += 0.01 if not (process.stopped or process.waits) else 0.0


@pytest.mark.parametrize("trial", [TRIAL, 0.6])
def test_a_new_computation_runs_first_for_its_trial(trial: float) -> None:
    race = Race(1)
    old = race.start()
    race.run(1.0)
    new = race.start(trial=trial)
    race.run(trial)
    assert (old.seconds, new.seconds) == (pytest.approx(1.0), pytest.approx(trial))
    race.run(0.1)
    assert (old.seconds, new.seconds) == (pytest.approx(1.0), pytest.approx(trial + 0.1))
    race.run(1.0)
    assert old.seconds > 1.0


@pytest.mark.parametrize("places", [1, 2])
def test_seconds_follow_the_weights(places: int) -> None:
    race = Race(places)
    processes = [race.start(weight) for weight in (3.0, 1.0, 1.0, 1.0)]
    race.run(60.0 / places)
    heavy, *light = (process.seconds for process in processes)
    assert heavy + sum(light) == pytest.approx(60.0)
    assert 24 <= heavy <= 36
    assert all(6 <= seconds <= 14 for seconds in light)


def test_no_more_run_than_there_are_places() -> None:
    race = Race(2)
    for _ in range(5):
        race.start()
        race.run(0.1)
        assert sum(not process.stopped for process in race.processes) == min(2, len(race.processes))


def test_what_waits_for_something_else_takes_no_place() -> None:
    race = Race(1)
    waiting, working = race.start(math.inf, waits=True), race.start()
    race.run(1.0)
    assert not waiting.stopped
    assert working.seconds > 0.9


@pytest.mark.parametrize("places", [1, 2])
def test_the_others_have_a_small_share_while_one_leads(places: int) -> None:
    race = Race(places)
    leader = race.start(lead=30.0)
    race.run(2.0)
    others = [race.start(weight) for weight in (1.0, 20.0)]
    race.run(5.0)
    ended = others.pop()
    race.turns.remove(cast(Child, ended))
    race.processes.remove(ended)
    third = race.start()
    race.run(5.0)
    used = others[0].seconds + ended.seconds + third.seconds
    assert third.seconds > 0
    assert used == pytest.approx(LED * leader.seconds, abs=places * 0.25)
    assert leader.seconds == pytest.approx(12.0 - used if places == 1 else 12.0)


def test_a_lead_begins_once_the_others_have_used_their_seconds() -> None:
    race = Race(2)
    leader, others = race.start(lead=30.0, after=2.0), [race.start(), race.start()]
    race.run(2.0)
    assert sum(other.seconds for other in others) == pytest.approx(2.0, abs=0.3)
    race.run(10.0)
    assert leader.seconds == pytest.approx(12.0, abs=0.3)
    assert sum(other.seconds for other in others) == pytest.approx(2.0 + LED * leader.seconds, abs=0.5)


def test_a_lead_ends_with_the_leader_and_after_its_seconds() -> None:
    race = Race(1)
    leader, other = race.start(lead=4.0), race.start()
    race.run(4.0)
    assert other.seconds < 1.0
    race.run(6.0)
    assert leader.seconds >= 4.0
    assert other.seconds > 3.0
    race.turns.remove(cast(Child, leader))
    race.processes.remove(leader)
    race.run(1.0)
    assert not other.stopped


def test_what_has_ended_leaves_its_place_and_may_go_on() -> None:
    race = Race(1)
    kept, other = race.start(), race.start()
    race.run(0.1)
    assert kept.stopped
    race.turns.remove(cast(Child, kept))
    assert not kept.stopped
    race.processes.remove(kept)
    assert race.share() == math.inf
    assert not other.stopped


def test_all_rest_until_the_next_turn_but_those_that_always_run() -> None:
    race = Race(1)
    resting, external = race.start(), race.start(math.inf, waits=True)
    race.run(0.1)
    race.turns.rest()
    assert (resting.stopped, external.stopped) == (True, False)
    race.share()
    assert not resting.stopped


def test_all_run_where_the_system_reports_no_seconds() -> None:
    turns, processes = Turns(), [Process(), Process()]
    for process in processes:
        turns.add(cast(Child, process), 1.0)
    turns.rest()
    assert turns.share({cast(Child, process): None for process in processes}, 1) == math.inf
    assert not any(process.stopped for process in processes)

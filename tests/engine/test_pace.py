"""The factor for delays: 1 on a fast machine, more on a slow one, within bounds."""

import subprocess
import sys
from collections.abc import Callable

import pytest

from symag.process.pace import FAST, SLOWEST, slowness


def clock(seconds: float) -> Callable[[], float]:
    """A clock by which the work takes three times these seconds at first, as its memory is new, and then these."""
    return iter((10.0, 10.0 + 3 * seconds, 20.0, 20.0 + seconds)).__next__


@pytest.mark.parametrize(
    ("seconds", "factor"),
    [(0.0, 1.0), (FAST / 2, 1.0), (FAST, 1.0), (2 * FAST, 2.0), (2.5 * FAST, 2.5), (100 * FAST, SLOWEST)],
)
def test_the_factor_is_in_proportion_between_its_bounds(seconds: float, factor: float) -> None:
    assert slowness(clock(seconds)) == pytest.approx(factor)


def test_this_machine_is_measured_within_the_bounds() -> None:
    assert 1.0 <= slowness() <= SLOWEST


def test_the_clock_is_fine_where_cpu_seconds_are_limited() -> None:
    """Linux then advances the clock of a process every 4 ms only, several times what is measured."""
    smallest_step = """
import inspect, resource
from symag.process.pace import slowness
resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
clock = inspect.signature(slowness).parameters["clock"].default
times = [clock() for _ in range(100_000)]
print(min(later - earlier for earlier, later in zip(times, times[1:]) if later > earlier))
"""
    output = subprocess.run([sys.executable, "-c", smallest_step], capture_output=True, text=True, check=True).stdout
    assert float(output) < 0.001

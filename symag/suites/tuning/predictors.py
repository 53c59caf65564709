"""How well what is known of a partition before the run ranks the settings by what they cost.

Spearman's rank correlation: 1 when the predictor sorts the settings exactly by their cost, -1 when it sorts them the
other way round, 0 when it says nothing. The paper calls it a hard open problem to judge a partition without running.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symag.suites.tuning.tuner import Trial

PREDICTORS = ("mx", "io_bits", "cut", "balance")
#: With fewer settings a correlation says nothing.
LEAST_SETTINGS = 8


@dataclass(frozen=True, slots=True)
class Correlation:
    """``rho`` over ``settings`` settings of one method; None if there are too few, or if all are equal."""

    method: str
    predictor: str
    settings: int
    rho: float | None


def correlations(trials: Sequence[Trial]) -> list[Correlation]:
    """For each rule and predictor.

    Settings with one partition only: where several take turns, the first one's figures are not those of the one
    that decided. Unsolved settings cost more than all solved ones, and as much as each other.
    """
    result = []
    for method in ("rule-g", "rule-s"):
        mine = [trial for trial in trials if trial.setting.method == method and _has_one_known_partition(trial)]
        most = max((cost for trial in mine if (cost := trial.cost) is not None), default=0.0)
        costs = [most + 1 if trial.cost is None else trial.cost for trial in mine]
        for name in PREDICTORS:
            values = [trial.predictors[name] for trial in mine]
            result.append(Correlation(method, name, len(mine), spearman(values, costs)))
    return result


def spearman(left: Sequence[float], right: Sequence[float]) -> float | None:
    """The correlation of the ranks, ties sharing the mean of theirs.

    None for fewer than LEAST_SETTINGS values, or where all of one side are equal.
    """
    if len(left) < LEAST_SETTINGS:
        return None
    one, other = _ranks(left), _ranks(right)
    mean = (len(left) + 1) / 2
    product = sum((a - mean) * (b - mean) for a, b in zip(one, other, strict=True))
    spread = sum((a - mean) ** 2 for a in one) * sum((b - mean) ** 2 for b in other)
    return product / spread**0.5 if spread else None


def _has_one_known_partition(trial: Trial) -> bool:
    return "--partitions" in trial.setting.cut and bool(trial.predictors) and bool(trial.runs)


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(range(len(values)), key=lambda index: values[index])
    ranks = [0.0] * len(values)
    begin = 0
    while begin < len(order):
        end = begin
        while end < len(order) and values[order[end]] == values[order[begin]]:
            end += 1
        for index in order[begin:end]:
            ranks[index] = (begin + 1 + end) / 2
        begin = end
    return ranks

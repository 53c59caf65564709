"""How well the figures of a partition, known before the run, predict the cost of a setting.

Spearman's rank correlation: 1 if the predictor sorts the settings exactly by their cost, -1 if it sorts them the other
way round, 0 if there is no relation. symbolic-learning-2008 calls it a hard open problem to judge a partition without
running it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from symag.suites.tuning.trials import Trial

PREDICTORS = ("mx", "io_bits", "cut", "balance")
#: With fewer settings a correlation is not meaningful.
LEAST_SETTINGS = 8


@dataclass(frozen=True, slots=True)
class Correlation:
    """The correlation ``rho`` over ``settings`` settings of one method; None if there are too few, or all are equal."""

    method: str
    predictor: str
    settings: int
    rho: float | None


def correlations(trials: Sequence[Trial]) -> list[Correlation]:
    """The correlation for each rule and predictor.

    Only settings with one partition count: if several take turns, the figures of the first one need not be those of
    the one that decided. Unsolved settings cost more than all solved ones, and as much as each other.
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
    """The correlation of the ranks; equal values share the mean of their ranks.

    None for fewer than LEAST_SETTINGS values, and if all values of one side are equal.
    """
    if len(left) < LEAST_SETTINGS or 1 in (len(set(left)), len(set(right))):
        return None
    from scipy.stats import spearmanr  # slow to import

    return float(spearmanr(left, right).statistic)


def _has_one_known_partition(trial: Trial) -> bool:
    return "--partitions" in trial.setting.cut and bool(trial.predictors) and bool(trial.runs)

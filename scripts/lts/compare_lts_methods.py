"""Compare all methods for labelled transition systems with brute force on random systems.

    python -m scripts.lts.compare_lts_methods [--systems N] [--first N] [--method NAME]...

Each system has 2 to 5 components of at most 4 states over 2 to 4 labels, with tau and nondeterminism, in a third of
them ERROR inside components, and up to two properties. Every method by parts decides it with and without alphabet
refinement, and once with random groups in a random order; reduce composes as much as it can at once, a few components
at a time, and one step after the other. The monolithic method's trace must be a shortest one. System number k is always
the same; ``--first`` starts at a later one.
The table has for each method the number of answers, of ``violated`` (each word replayed by certify) and of ``holds``
(each certificate accepted by certify), the largest assumption, and CPU seconds for deciding and re-checking together.
The first answer that is wrong, or not accepted, is printed with its system, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial

from symag.core.errors import CertificationError, UnsupportedError
from symag.core.limits import Deadline, no_progress
from symag.core.results import PropertyResult, Verdict
from symag.lts import Lts, System
from symag.lts.certify.properties import check_absence, check_violation
from symag.lts.lts import ERROR, reachable
from symag.lts.methods import monolithic
from symag.lts.methods.options import LtsOptions
from symag.lts.methods.reduce.method import decide_with
from symag.lts.safety_problem import SafetyOutcome, safety_problem
from tests.lts.agreement import METHODS, SAFETY, agreed
from tests.lts.explicit_safety import distance_to_error

_LABELS = ("a", "b", "b.x", "c")
_ALL = ("monolithic", *METHODS)
#: Items with at most this many states together are composed at once by reduce.
_SMALL = (20_000, 12, 0)


def random_component(chance: random.Random, name: str, labels: tuple[str, ...], errors: bool) -> Lts:
    """All of its states can be reached; about every eighth transition is tau."""
    own = tuple(label for label in labels if chance.random() < 0.7) or labels[:1]
    states = chance.randint(1, 4)
    triples = set()
    for _ in range(chance.randint(states, 3 * states)):
        action = 0 if chance.random() < 0.12 else chance.randint(1, len(own))
        failing = errors and chance.random() < 0.1
        triples.add((chance.randrange(states), action, ERROR if failing else chance.randrange(states)))
    return reachable(Lts.of(name, ("tau", *own), states, triples))


def random_property(chance: random.Random, name: str, labels: tuple[str, ...]) -> Lts:
    """Deterministic and complete; about every fifth action is forbidden."""
    own = tuple(chance.sample(labels, chance.randint(1, min(3, len(labels)))))
    states = chance.randint(1, 4)
    triples = [
        (state, action, ERROR if chance.random() < 0.2 else chance.randrange(states))
        for state in range(states)
        for action in range(1, len(own) + 1)
    ]
    return reachable(Lts.of(name, ("tau", *own), states, triples, is_property=True))


def random_system(number: int) -> System:
    """System number ``number``."""
    chance = random.Random(number)
    labels = _LABELS[: chance.randint(2, len(_LABELS))]
    fails = chance.random() < 1 / 3
    count = chance.randint(2, 5)
    components = [random_component(chance, f"M{k}", labels, fails and chance.random() < 0.5) for k in range(count)]
    properties = chance.choice((0, 1, 1, 2)) if fails else chance.choice((1, 1, 2))
    components += [random_property(chance, f"P{k}", labels) for k in range(properties)]
    return System(f"random{number}", tuple(components), None, None, False, frozenset())


def options_for(number: int, components: int) -> list[LtsOptions]:
    """With and without alphabet refinement, and one random arrangement in two or three parts."""
    chance = random.Random(-1 - number)
    places = [chance.randrange(3) for _ in range(components)]
    groups = tuple(group for part in range(3) if (group := tuple(k for k in range(components) if places[k] == part)))
    order = tuple(chance.sample(range(components), components))
    arranged = LtsOptions(chance.random() < 0.5, groups, order, chance.randrange(100))
    return [LtsOptions(True), LtsOptions(False), arranged]


def answers_of(
    number: int, system: System, method: str
) -> Iterator[tuple[str, Callable[[], SafetyOutcome | PropertyResult]]]:
    """How the method decides this system, and its answer: each calls for an error if brute force says otherwise."""
    if method == "monolithic":
        yield "", partial(shortest, system)
    elif method == "reduce":
        for small in _SMALL:
            yield f"small {small}", partial(agreed, system, method, LtsOptions(), partial(decide_with, small=small))
    else:
        for options in options_for(number, len(safety_problem(system).components)):
            yield str(options), partial(agreed, system, method, options)


def shortest(system: System) -> PropertyResult:
    """The monolithic answer. Raises AssertionError if it is wrong or its trace too long, CertificationError."""
    (result,) = monolithic.decide(system, [SAFETY], no_progress)
    distance = distance_to_error(system.components)
    if result.trace is None:
        assert distance is None, "holds"
        check_absence(system, SAFETY, Deadline(60))
    else:
        assert distance == len(result.trace.steps) - 1, f"{len(result.trace.steps) - 1} steps, not {distance}"
        check_violation(system, SAFETY, result.trace, Deadline(60))
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--systems", type=int, default=1000, help="how many (default 1000)")
    parser.add_argument("--first", type=int, default=0, help="number of the first system")
    parser.add_argument("--method", action="append", choices=_ALL, help="only this method (repeatable)")
    given = parser.parse_args()
    methods = tuple(given.method or _ALL)
    counts = {method: dict.fromkeys(Verdict, 0) for method in methods}
    largest = dict.fromkeys(methods, 0)
    seconds = dict.fromkeys(methods, 0.0)
    sizes: dict[int, int] = {}
    violated = 0
    for number in range(given.first, given.first + given.systems):
        system = random_system(number)
        violated += distance_to_error(system.components) is not None
        components = len(safety_problem(system).components)
        sizes[components] = sizes.get(components, 0) + 1
        for method in methods:
            started = time.process_time()
            for how, decide in answers_of(number, system, method):
                try:
                    outcome = decide()
                except UnsupportedError:
                    counts[method][Verdict.UNKNOWN] += 1
                    continue
                except (AssertionError, CertificationError) as error:
                    print(f"WRONG: system {number}, {method}, {how}: {error}")
                    for lts in system.components:
                        print(f"  {lts.name} {lts.alphabet} property={lts.is_property} {lts.triples()}")
                    return 1
                counts[method][outcome.verdict] += 1
                assumption_sizes = [
                    outcome.statistics.get(name, 0) for name in ("assumption_states_max", "assumption_states")
                ]
                largest[method] = max(largest[method], *map(int, assumption_sizes))
            seconds[method] += time.process_time() - started
    shown = ", ".join(f"{count} with {n}" for n, count in sorted(sizes.items()))
    print(f"{given.systems} systems ({shown} components), {violated} violated; every answer agrees with brute force")
    for method in methods:
        answers = counts[method]
        print(
            f"{method:12} {sum(answers.values())} answers: {answers[Verdict.VIOLATED]} violated, "
            f"{answers[Verdict.HOLDS]} hold, {answers[Verdict.UNKNOWN]} unsupported; "
            f"largest assumption {largest[method]} states; {seconds[method]:.1f} s"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())

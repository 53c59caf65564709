"""Compare ``agar`` and ``reduce`` for progress and assertions with brute force and monolithic on random systems.

    python -m scripts.lts.compare_lts_liveness [--systems N] [--first N]

The systems are those of ``compare_lts_methods.py`` without properties, with 2 to 4 components, and ERROR inside in a
tenth. Each is asked two progress properties, one of them with a condition, progress of every action, and two random
assertions; each is answered twice, with every component as a part and with random parts. A verdict must be that of
brute force (progress) and of the monolithic method; its evidence must be accepted by certify. ``reduce`` is asked once,
and may leave an assertion open; the monolithic method is asked on disk too, with no room for transitions. System number
k is always the same. The first wrong answer is printed with its system, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter, defaultdict

from scripts.lts.compare_lts_methods import random_component
from symag.core.errors import CertificationError
from symag.core.limits import Deadline, no_progress
from symag.core.results import PropertyResult, Verdict
from symag.lts import System
from symag.lts.certificates import LabelledCertificate
from symag.lts.certify.kinds import check_certificate
from symag.lts.certify.properties import check_violation
from symag.lts.checking.by_parts import decide_by_reduction, decide_liveness_by_parts
from symag.lts.composition import Fault, labels_of
from symag.lts.language.fluents import ActionOccurs, FluentInstance, Temporal
from symag.lts.methods import monolithic
from symag.lts.methods.fault_search import FaultSearch
from symag.lts.methods.followed_assertions import assertion_answer
from symag.lts.methods.options import LtsOptions
from symag.lts.methods.progress_on_disk import progress_answers
from symag.lts.questions import CompositeQuestion
from tests.lts.explicit_liveness import progresses

_LABELS = ("a", "b", "b.x", "c")
_SAFETY: tuple[Fault, ...] = ("safety",)


def random_formula(chance: random.Random, labels: tuple[str, ...], depth: int) -> Temporal:
    """A formula in negation normal form with at most ``depth`` operators on a path."""
    if depth == 0 or chance.random() < 0.15:
        return Temporal(chance.choice(("atom", "atom", "not atom")), (), _random_atom(chance, labels))
    operator = chance.choice(("and", "or", "U", "R", "R", "F", "G", "G", "X"))
    operands = tuple(random_formula(chance, labels, depth - 1) for _ in range(2))
    match operator:
        case "X":
            return Temporal("X", operands[:1])
        case "F":
            return Temporal("U", (Temporal("true"), operands[0]))
        case "G":
            return Temporal("R", (Temporal("false"), operands[0]))
    return Temporal(operator, operands)


def _random_atom(chance: random.Random, labels: tuple[str, ...]) -> FluentInstance | ActionOccurs:
    if chance.random() < 0.5:
        return ActionOccurs(frozenset(chance.sample(labels, chance.randint(1, min(2, len(labels))))))
    initiating = frozenset(chance.sample(labels, 1))
    terminating = frozenset(label for label in labels if chance.random() < 0.5) - initiating
    name = f"{sorted(initiating)}{sorted(terminating)}"
    return FluentInstance(name, initiating, terminating, chance.random() < 0.5)


def random_system(chance: random.Random, name: str) -> System:
    """2 to 4 components."""
    labels = _LABELS[: chance.randint(2, len(_LABELS))]
    fails = chance.random() < 0.1
    components = [random_component(chance, f"M{k}", labels, fails) for k in range(chance.randint(2, 4))]
    return System(name, tuple(components), None, None, False, frozenset())


def random_questions(chance: random.Random, system: System) -> list[CompositeQuestion]:
    """Three about progress, two assertions."""
    labels = labels_of(system.components)

    def some() -> tuple[str, ...]:
        return tuple(chance.sample(labels, chance.randint(1, min(2, len(labels)))))

    progress = [(some(), None), (some(), some()), (None, None)]
    result = [CompositeQuestion(k, "progress", "P", f"{p}", None, "S", *p) for k, p in enumerate(progress)]
    for index in range(2):
        formula = random_formula(chance, labels, 3)
        result.append(CompositeQuestion(3 + index, "assert", "A", f"{formula}", None, "S", formula=formula))
    return result


def _parts(chance: random.Random, components: int) -> LtsOptions:
    places = [chance.randrange(2) for _ in range(components)]
    groups = [",".join(str(k) for k in range(components) if places[k] == part) for part in range(2)]
    return LtsOptions(group_names=tuple(filter(None, groups)))


def answered(system: System, question: CompositeQuestion, options: LtsOptions) -> PropertyResult:
    """The answer, its evidence accepted. Raises CertificationError."""
    return accepted(system, question, decide_liveness_by_parts(system, question, options, no_progress))


def accepted(system: System, question: CompositeQuestion, result: PropertyResult) -> PropertyResult:
    """The answer, its evidence accepted. Raises CertificationError."""
    if result.trace is not None:
        check_violation(system, question, result.trace, Deadline(60))
    elif result.verdict is Verdict.HOLDS:
        assert isinstance(result.certificate, LabelledCertificate)
        check_certificate(system, question, result.certificate, Deadline(60))
    return result


def _expected(system: System, question: CompositeQuestion) -> Verdict:
    (whole,) = monolithic.decide(system, [question], no_progress)
    if question.kind == "progress":
        explicit = progresses(system.components, question)
        expected = Verdict.UNKNOWN if explicit is None else Verdict.HOLDS if explicit else Verdict.VIOLATED
        assert whole.verdict is expected, "monolithic and brute force differ"
    return whole.verdict


def _compare(number: int, counts: Counter[str], seconds: defaultdict[str, float]) -> None:
    chance = random.Random(number)
    system = random_system(chance, f"random{number}")
    if not labels_of(system.components):
        return
    for question in random_questions(chance, system):
        expected = _expected(system, question)
        _compare_once(system, question, expected, counts)
        for options in (LtsOptions(), _parts(chance, len(system.components))):
            started = time.process_time()
            try:
                result = answered(system, question, options)
            except (AssertionError, CertificationError) as error:
                raise AssertionError(f"{question.text}, {options.group_names}: {error}") from error
            seconds[question.kind] += time.process_time() - started
            refuses = question.kind == "assert" and result.reason is not None and "recurrence" in result.reason
            if refuses:
                counts["assert not recurrence"] += 1
                continue
            if result.verdict is not expected:
                reason = f"{question.text}, {options.group_names}: {result.verdict.value}, not {expected.value}"
                raise AssertionError(f"{reason} ({result.reason})")
            counts[f"{question.kind} {result.verdict.value}"] += 1


def _compare_once(system: System, question: CompositeQuestion, expected: Verdict, counts: Counter[str]) -> None:
    """By ``reduce``, and on disk."""
    results = [decide_by_reduction(system, question, no_progress)]
    if question.kind == "progress":
        search = FaultSearch(system, _SAFETY, no_progress, 0)
        search.run()
        results += progress_answers(system, search, [question], no_progress, 0.0)
    elif expected is not Verdict.UNKNOWN:
        results.append(assertion_answer(system, question, no_progress, 0))
    for way, result in zip(("reduce", "disk"), results, strict=False):
        verdict = accepted(system, question, result).verdict
        is_open = question.kind == "assert" and way == "reduce" and verdict is Verdict.UNKNOWN
        assert is_open or verdict is expected, f"{question.text}, {way}: {verdict.value}, not {expected.value}"
        counts[f"{way} {question.kind} {verdict.value}"] += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--systems", type=int, default=1000, help="how many (default 1000)")
    parser.add_argument("--first", type=int, default=0, help="number of the first system")
    given = parser.parse_args()
    counts: Counter[str] = Counter()
    seconds: defaultdict[str, float] = defaultdict(float)
    for number in range(given.first, given.first + given.systems):
        try:
            _compare(number, counts, seconds)
        except AssertionError as error:
            print(f"WRONG: system {number}: {error}")
            for lts in random_system(random.Random(number), "").components:
                print(f"  {lts.name} {lts.alphabet} {lts.triples()}")
            return 1
    print(f"{given.systems} systems, {sum(counts.values())} answers; every answer agrees, all evidence is accepted")
    for kind, count in sorted(counts.items()):
        print(f"  {kind}: {count}")
    for kind, total in sorted(seconds.items()):
        print(f"  {kind}: {total:.1f} s of CPU time with the re-check")
    return 0


if __name__ == "__main__":
    sys.exit(main())

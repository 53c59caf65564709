"""A comparison of methods: solved problems, times, disagreements, and the changes between two files of results.

Seconds are CPU seconds of the whole job. PAR-2 (from the SAT competitions) is a mean over all problems: the seconds of
a solved one, twice the limit for an unsolved one. Wrong answers count as unsolved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from symag.suites.store import Row

#: A problem: model, target, kind and text of the property, and its name or else its number, because several properties
#: of a model may have the same text.
Problem = tuple[str, str | None, str, str, str]
#: A method with its options.
Method = str
#: Options with a value that belong to the problem, not to the method.
_PROBLEM_OPTIONS = ("--const", "--component", "--alphabet", "--specification", "--formula")
#: A method that is slower than the best by less than this factor or these seconds counts as equally fast.
_TIE_FACTOR, _TIE_SECONDS = 1.1, 0.05


def problem_of(row: Row) -> Problem:
    """The problem of a row."""
    job = row.job
    return model_of(row), job.target, job.kind, job.title(), job.name or job.property or ""


def model_of(row: Row) -> str:
    """The model with the options that determine the system: constants, components, alphabets."""
    return " ".join((row.job.model, *_options(row, True)))


def method_of(row: Row) -> Method:
    """The method of a row, with the options that do not belong to the problem."""
    return " ".join((row.job.method, *_options(row, False)))


def _options(row: Row, of_problem: bool) -> list[str]:
    """The options that belong to the problem, or the others; without the specification, which the text names.

    All options of a job that counts states belong to its problem.
    """
    kept_words: list[str] = []
    options = iter(row.job.options)
    for option in options:
        name = option.partition("=")[0]
        words = [option, next(options, "")] if option in _PROBLEM_OPTIONS else [option]
        if (row.job.kind == "count" or name in _PROBLEM_OPTIONS) == of_problem and name != "--specification":
            kept_words += words
    return kept_words


def is_solved(row: Row) -> bool:
    """Whether the row has an answer that is not wrong."""
    return row.outcome.verdict != "unknown" and not row.is_wrong


class MethodComparison(Struct, frozen=True):
    """Rows by problem and method; both are sorted."""

    methods: tuple[Method, ...]
    problems: tuple[Problem, ...]
    cells: Mapping[tuple[Problem, Method], Row]

    @classmethod
    def of(cls, rows: Iterable[Row]) -> MethodComparison:
        """The comparison of all rows; of two with the same problem and method (other limits) the later one counts."""
        cells: dict[tuple[Problem, Method], Row] = {}
        for row in sorted(rows, key=lambda row: row.finished):
            cells[problem_of(row), method_of(row)] = row
        methods = sorted({method for _, method in cells})
        return cls(tuple(methods), tuple(sorted({problem for problem, _ in cells}, key=_order)), cells)

    def seconds(self, method: Method) -> list[float]:
        """The seconds of every problem that the method solved, in ascending order."""
        return sorted(row.outcome.cpu_seconds for (_, by), row in self.cells.items() if by == method and is_solved(row))

    def scores(self) -> list[Score]:
        """The score of each method, over all its problems."""
        scores = []
        wins = self._wins()
        for method in self.methods:
            rows = [row for (_, by), row in self.cells.items() if by == method]
            solved = [row for row in rows if is_solved(row)]
            total = sum(row.outcome.cpu_seconds for row in solved)
            penalties = [_penalty(row) for row in rows if not is_solved(row)]
            known = [penalty for penalty in penalties if penalty is not None]
            par2 = (total + sum(known)) / len(rows) if rows and len(known) == len(penalties) else None
            scores.append(
                Score(
                    method,
                    len(rows),
                    len(solved),
                    sum(row.outcome.certified for row in solved),
                    sum(row.is_wrong for row in rows),
                    wins[method],
                    total,
                    par2,
                )
            )
        return scores

    def disagreements(self) -> list[tuple[Problem, Mapping[Method, str]]]:
        """The problems with different answers of different methods."""
        contradictions: list[tuple[Problem, Mapping[Method, str]]] = []
        for problem in self.problems:
            answers = {
                method: row.outcome.answer()
                for method in self.methods
                if (row := self.cells.get((problem, method))) is not None and row.outcome.verdict != "unknown"
            }
            if len(set(answers.values())) > 1:
                contradictions.append((problem, answers))
        return contradictions

    def pairs(self, left: Method, right: Method) -> list[tuple[Row, Row]]:
        """The rows of the problems that both methods have."""
        return [
            (self.cells[problem, left], self.cells[problem, right])
            for problem in self.problems
            if (problem, left) in self.cells and (problem, right) in self.cells
        ]

    def _wins(self) -> dict[Method, int]:
        """How many problems each method solved as fast as the fastest, of those that two or more methods have."""
        wins = dict.fromkeys(self.methods, 0)
        for problem in self.problems:
            times = {
                method: row.outcome.cpu_seconds
                for method in self.methods
                if (row := self.cells.get((problem, method))) is not None and is_solved(row)
            }
            count = sum((problem, method) in self.cells for method in self.methods)
            if count < 2 or not times:
                continue
            best = min(times.values())
            for method, seconds in times.items():
                wins[method] += seconds <= max(best * _TIE_FACTOR, best + _TIE_SECONDS)
        return wins


class Score(Struct, frozen=True):
    """The score of a method: numbers of problems, ``seconds`` of the solved ones, and ``par2``.

    ``par2`` is None if an unsolved problem had no limit of time.
    """

    method: Method
    answers: int
    solved: int
    certified: int
    wrong: int
    wins: int
    seconds: float
    par2: float | None

    @property
    def unsolved(self) -> int:
        """The number of problems that are undecided or wrong."""
        return self.answers - self.solved


class ProblemChange(Struct, frozen=True):
    """A problem that two files of results answer differently, or with times that differ by a factor of two."""

    problem: Problem
    method: Method
    before: Row
    after: Row
    what: str


def in_common(before: Sequence[Row], after: Sequence[Row]) -> int:
    """The number of problems that both files have with the same method, so that they can be compared."""
    return len(MethodComparison.of(before).cells.keys() & MethodComparison.of(after).cells.keys())


def no_change_text(before: Sequence[Row], after: Sequence[Row]) -> str:
    """The text for no ``changes``: nothing changed, or nothing can be compared."""
    count = in_common(before, after)
    if count:
        return f"nothing changed in {count} {'problem' if count == 1 else 'problems'} that both files have"
    old, new = MethodComparison.of(before), MethodComparison.of(after)
    earlier, later = {row.job.model for row in before}, {row.job.model for row in after}
    if set(old.methods).isdisjoint(new.methods):
        methods = [", ".join(methods) or "none" for methods in (old.methods, new.methods)]
        reason = f"the methods of the earlier file are {methods[0]}, of this one {methods[1]}"
    elif earlier.isdisjoint(later):
        reason = f"the earlier file has other models, such as {min(earlier)}, and this one {min(later)}"
    else:
        reason = "their models have other properties, or were asked about them with other methods"
    return f"nothing can be compared: no problem was asked with the same method in both files ({reason})"


def changes(before: Sequence[Row], after: Sequence[Row]) -> list[ProblemChange]:
    """The changes between two files for the same problem and method; problems in only one file are left out."""
    old, new = MethodComparison.of(before), MethodComparison.of(after)
    changed = []
    for (problem, method), row in new.cells.items():
        earlier = old.cells.get((problem, method))
        if earlier is not None and (what := _change(earlier, row)) is not None:
            changed.append(ProblemChange(problem, method, earlier, row, what))
    return sorted(changed, key=lambda change: (change.what, _order(change.problem), change.method))


def _change(before: Row, after: Row) -> str | None:
    if is_solved(before) != is_solved(after):
        return "no longer solved" if is_solved(before) else "newly solved"
    if before.outcome.answer() != after.outcome.answer():
        return "another answer"
    if not is_solved(after):
        return None
    slow, fast = after.outcome.cpu_seconds, before.outcome.cpu_seconds
    if slow > 2 * fast and slow > fast + 0.5:
        return "slower"
    return "faster" if fast > 2 * slow and fast > slow + 0.5 else None


def _penalty(row: Row) -> float | None:
    limit = row.limits.cpu or row.limits.wall
    return None if limit is None else 2 * limit


def _order(problem: Problem) -> tuple[str, str, str, str, int, str]:
    model, target, kind, text, key = problem
    return model, target or "", kind, text, len(key), key

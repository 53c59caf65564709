"""The tables of a report, as rows of texts, for HTML, CSV and LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence

from msgspec import Struct

from symag.suites.report.latex import latex
from symag.suites.report.scores import MethodComparison, ProblemChange, is_solved, method_of, model_of
from symag.suites.store import Row

#: The statistics in a results table, with their headings, which are those of the papers' tables.
STATISTICS: Mapping[str, str] = {
    "variables": "vars",
    "parts": "parts",
    "mx": "mx",
    "io": "I/O",
    "bdd_nodes_peak": "peak BDD",
    "membership_queries": "queries",
    "equivalence_queries": "eq. queries",
    "assumption_states_max": "|A| max",
    "assumption_states": "|A|",
    "assumption_alphabet": "alphabet",
    "iterations": "iterations",
    "refinements": "refinements",
    "largest_lts_states": "largest LTS",
    "states": "states",
    "choices": "choices",
    "transitions": "transitions",
}


class PaperTable(Struct, frozen=True):
    """The columns of a paper's tables: statistics of its methods for properties of these kinds (empty: any)."""

    title: str
    methods: tuple[str, ...]
    kinds: tuple[str, ...]
    columns: Mapping[str, str]


#: The papers whose tables a file of results may fill.
PAPER_TABLES = (
    PaperTable(
        "symbolic-learning-2008",
        ("rule-s", "rule-g"),
        (),
        {
            "variables": "vars",
            "parts": "np",
            "mx": "mx",
            "io": "I/O",
            "bdd_nodes_peak": "peak BDD",
            "membership_queries": "queries",
            "equivalence_queries": "eq. queries",
        },
    ),
    PaperTable(
        "agar-lts-2008",
        ("agar", "lstar"),
        ("safety",),
        {
            "first_part_states": "|M1|",
            "second_part_states": "|M2|",
            "assumption_states_max": "|A| max",
            "assumption_states": "|A|",
            "refinements": "refinements",
            "iterations": "iterations",
            "membership_queries": "queries",
            "interface_alphabet": "|interface|",
            "assumption_alphabet": "|alphabet of A|",
            "largest_lts_states": "largest LTS",
        },
    ),
    PaperTable(
        "circular-nway-2016",
        ("circular",),
        ("safety",),
        {
            "parts": "n",
            "assumption_states_max": "|A| max",
            "assumption_states": "|A| total",
            "assumption_alphabet": "|alphabet|",
            "iterations": "iterations",
            "counterexamples": "counterexamples",
            "sat_calls": "SAT calls",
            "sat_seconds": "SAT s",
            "largest_lts_states": "largest LTS",
        },
    ),
    PaperTable(
        "assumption-quotient-2006",
        ("quotient",),
        ("safety",),
        {
            "assumption_states": "classes",
            "steps": "steps",
            "must_edges": "must edges",
            "may_edges": "may edges",
            "largest_lts_states": "largest LTS",
        },
    ),
    PaperTable(
        "agar-lpts-2012",
        ("monolithic", "cegar", "agar", "agar-n"),
        ("simulation",),
        {
            "first_states": "|L1|",
            "second_states": "|L2|",
            "specification_states": "|P|",
            "largest_component_states": "|Lc|",
            "largest_composition_states": "|LM|",
            "assumption_states_max": "|AM|",
            "refinements": "refinements",
            "pairs": "pairs",
            "flow_calls": "flow calls",
        },
    ),
)


class TextTable(Struct, frozen=True):
    """A title, a heading for each column, and rows of texts; ``numbers`` says which columns are aligned right."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[bool, ...]

    def compact(self) -> TextTable:
        """The table without the columns that are empty in every row."""
        columns = [index for index in range(len(self.header)) if not self.rows or any(row[index] for row in self.rows)]
        return TextTable(
            self.title,
            tuple(self.header[column] for column in columns),
            tuple(tuple(row[column] for column in columns) for row in self.rows),
            tuple(self.numbers[column] for column in columns),
        )

    def csv(self) -> str:
        """Comma-separated values with a line of headings."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.header)
        writer.writerows(self.rows)
        return text.getvalue()

    def latex(self) -> str:
        """The table as LaTeX (see ``latex.latex``)."""
        return latex(self.title, self.header, self.rows, self.numbers)


def scores_table(comparison: MethodComparison) -> TextTable:
    """A row for each method."""
    rows = [
        (
            score.method,
            str(score.answers),
            str(score.solved),
            str(score.unsolved),
            str(score.wrong),
            str(score.certified),
            str(score.wins),
            f"{score.seconds:.1f}",
            "-" if score.par2 is None else f"{score.par2:.2f}",
        )
        for score in comparison.scores()
    ]
    header = ("method", "asked", "solved", "unsolved", "wrong", "certified", "wins", "CPU s (solved)", "PAR-2")
    return TextTable("Methods", header, tuple(rows), (False, *[True] * 8))


def result_rows(rows: Sequence[Row]) -> list[Row]:
    """The rows in the order of ``results_table``: wrong ones first."""
    return sorted(rows, key=lambda row: not row.is_wrong)


def results_table(rows: Sequence[Row]) -> TextTable:
    """A row for each job, wrong ones first; statistics that no job has are left out."""
    shown = [name for name in STATISTICS if any(name in row.outcome.statistics for row in rows)]
    texts = ("model", "target", "kind", "property", "method", "expected", "answer", "certified")
    figures = ("CPU s", "wall s", "MiB", *(STATISTICS[name] for name in shown))
    cells = [(*_cells(row), *(_number(row, name) for name in shown)) for row in result_rows(rows)]
    return TextTable("Results", (*texts, *figures), tuple(cells), (*[False] * len(texts), *[True] * len(figures)))


def paper_tables(rows: Sequence[Row]) -> list[TextTable]:
    """For each paper whose methods were run, a table with a row for each job; CPU seconds and MiB are added."""
    tables = []
    for paper in PAPER_TABLES:
        mine = [
            row for row in rows if row.job.method in paper.methods and (not paper.kinds or row.job.kind in paper.kinds)
        ]
        if not mine:
            continue
        header = ("model", "target", "property", "method", "answer", *paper.columns.values(), "CPU s", "MiB")
        cells = [
            (
                model_of(row),
                row.job.target or "",
                row.job.name or row.job.text,
                method_of(row),
                answer_text(row),
                *(_number(row, name) for name in paper.columns),
                f"{row.outcome.cpu_seconds:.2f}",
                f"{row.outcome.memory_mib:.0f}",
            )
            for row in mine
        ]
        numbers = (*[False] * 5, *[True] * (len(paper.columns) + 2))
        tables.append(TextTable(paper.title, header, tuple(cells), numbers))
    return tables


def disagreements_table(comparison: MethodComparison) -> TextTable:
    """A row for each problem with different answers of different methods."""
    rows = [
        (model, target or "", text, "; ".join(f"{method}: {answer}" for method, answer in answers.items()))
        for (model, target, _, text, _), answers in comparison.disagreements()
    ]
    return TextTable("Disagreements", ("model", "target", "property", "answers"), tuple(rows), (False,) * 4)


def changes_table(problem_changes: Sequence[ProblemChange]) -> TextTable:
    """A row for each change."""
    rows = [
        (
            change.what,
            change.problem[0],
            change.problem[1] or "",
            change.problem[3],
            change.method,
            answer_text(change.before),
            answer_text(change.after),
            f"{change.before.outcome.cpu_seconds:.2f}",
            f"{change.after.outcome.cpu_seconds:.2f}",
        )
        for change in problem_changes
    ]
    header = ("change", "model", "target", "property", "method", "before", "after", "CPU s before", "CPU s after")
    return TextTable("Changes", header, tuple(rows), (*[False] * 7, True, True))


def answer_text(row: Row) -> str:
    """The answer, marked if it is wrong; for an unknown one with the reason."""
    if row.outcome.verdict == "unknown":
        return f"unknown ({row.outcome.reason})"
    return f"WRONG: {row.outcome.answer()}" if row.is_wrong else row.outcome.answer()


def _cells(row: Row) -> tuple[str, ...]:
    job, outcome = row.job, row.outcome
    certified = "" if not is_solved(row) or job.kind == "count" else "yes" if outcome.certified else "no"
    return (
        model_of(row),
        job.target or "",
        job.kind,
        job.title(),
        method_of(row),
        job.expected or "",
        answer_text(row),
        certified,
        f"{outcome.cpu_seconds:.2f}",
        f"{outcome.wall_seconds:.2f}",
        f"{outcome.memory_mib:.0f}",
    )


def _number(row: Row, name: str) -> str:
    value = row.outcome.statistics.get(name)
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)

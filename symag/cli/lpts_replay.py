"""``symag replay`` for probabilistic systems: a tree from a file is run again in the system."""

from __future__ import annotations

from symag.cli.status import UNDECIDED, VIOLATED
from symag.cli.streams import Output, print_json
from symag.core.errors import InputError
from symag.core.limits import Limits
from symag.core.simulation_evidence import TreeCounterexample
from symag.lpts.certify.files import read_simulation_evidence
from symag.lpts.checking.check import SimulationFiles, read_problem, recheck, trace_of
from symag.lpts.checking.tree_text import tree_lines


def replay_tree(files: SimulationFiles, tree: str, limits: Limits, output: Output) -> int:
    """Re-check a tree and show it; the exit status. Raises InputError, and CertificationError for a wrong tree."""
    line = output.progress()
    read = read_problem(files, limits, line)
    reason, shown = read.reason, None
    if read.problem is not None:
        components = read.problem.components
        evidence = read_simulation_evidence(tree, components, read.problem.specification)
        if not isinstance(evidence, TreeCounterexample):
            raise InputError("there is no tree in it; symag certify re-checks what proves that a property holds", tree)
        reason = recheck(read.problem, evidence, limits, line)
        shown = trace_of(evidence, components, read.values)
    line.clear()
    question = files.question
    if output.as_json:
        print_json(
            {
                "schema": 1,
                "model": files.path,
                "trace": tree,
                "index": question.index,
                "name": question.name,
                "text": question.text,
                "refuted": [] if reason else [question.index],
                "certified": reason is None,
                "reason": reason,
            }
        )
    else:
        for text in () if shown is None else tree_lines(shown):
            print(text)
        verdict = f"undecided ({reason})" if reason else "accepted: the property is violated"
        print(f"tree against {question.text}  {verdict}")
    return UNDECIDED if reason else VIOLATED

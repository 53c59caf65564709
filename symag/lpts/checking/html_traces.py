"""Trees and walks as pages; the page of a tree carries the JSON."""

from __future__ import annotations

from symag.core.errors import UsageError
from symag.lpts.certificates.distinguishing import DistinguishingTree
from symag.lpts.checking.check import running
from symag.lpts.checking.trace_page import lanes_of, lanes_of_model, tree_content, walk_content
from symag.lpts.checking.written_traces import WrittenTree, WrittenWalk
from symag.lpts.problems import EquivalenceProblem, SimulationProblem
from symag.traces.page.writing import page_text


def tree_text(tree: WrittenTree) -> str:
    """The page of a tree. Raises UsageError for a formula whose violation has none."""
    files, read, result = tree.model.files, tree.model.problem, tree.result
    if result.trace is None or read is None or not isinstance(read.problem, SimulationProblem | EquivalenceProblem):
        raise UsageError("there is no tree")
    lanes = () if files.further else lanes_of_model(files.path, files.constants)
    components, values = read.problem.components, read.values
    if isinstance(read.problem, EquivalenceProblem) and isinstance(result.certificate, DistinguishingTree):
        lanes = lanes if result.certificate.side == "left" else ()
        components, values = running(result.certificate, read.problem, read)
    lanes = lanes or lanes_of(components, values)
    runs, command = result.assumption_runs, files.command(tree.file)
    return page_text(tree_content(tree.question.text, files.path, result.trace, lanes, tree.document, runs, command))


def walk_text(walk: WrittenWalk) -> str:
    """The page of a walk, which has a trace."""
    files, trace = walk.files, walk.walk.trace
    assert trace is not None
    lanes = () if files.further else lanes_of_model(files.path, files.constants)
    return page_text(walk_content(files.path, trace, walk.walk.probabilities, lanes))

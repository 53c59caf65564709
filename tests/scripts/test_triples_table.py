"""scripts/lpts/triples_table.py: the triples of every family prove the bound, and no smaller one."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.lpts.triples_table import Row, clients, handshake, relays, workers
from symag.core.values import replace
from symag.lpts.language.reading import read_system
from symag.lpts.language.triples.reading import read_triples
from symag.lpts.methods.triples.deciding import decide_by_rule, decide_triple
from symag.lpts.problems import TripleProblem


@pytest.mark.parametrize("row", [clients(2), relays(2, 1), handshake(1), workers(2, 3)], ids=lambda row: str(row.name))
def test_the_bounds_are_the_best_ones(tmp_path: Path, row: Row) -> None:
    model, triples = tmp_path / "model.nm", tmp_path / "file.triples"
    model.write_text(row.model())
    triples.write_text(row.triples_text(str(row.bound)))
    read = read_triples(str(triples), {}, read_system(str(model)).components)
    problems = [problem for problem in read if isinstance(problem, TripleProblem)]
    assert len(problems) == len(read)
    for problem in problems[:-1]:
        evidence = decide_triple(problem).evidence
        assert evidence is not None
        assert evidence.verdict == "holds"
    by_rule, whole = decide_by_rule(problems[-1]).evidence, decide_triple(problems[-1]).evidence
    assert by_rule is not None
    assert whole is not None
    assert (by_rule.verdict, whole.verdict) == ("holds", "holds")
    below = decide_triple(replace(problems[-1], most=row.bound * 999 / 1000)).evidence
    assert below is not None
    assert below.verdict == "violated"

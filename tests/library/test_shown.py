"""What models, answers, runs and partitions show in a notebook: short, well-formed, and of every family."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import symag
from symag.core.errors import CertificationError
from symag.core.results import Verdict
from symag.lts import Model
from tests.conftest import ROOT
from tests.traces.test_pages import Page

MODELS = ROOT / "models"
CLIENTS = MODELS / "lpts" / "client_server3.nm"
#: No more characters are shown of anything small.
MOST = 20_000


def test_a_list_of_answers_is_a_table() -> None:
    found = symag.check(MODELS / "counter.smv")
    shown = Page(found._repr_html_())
    assert shown.faults == []
    assert [row[1:4] for row in shown.rows[1:]] == [
        ["parity_right", "holds", "monolithic (forward)"],
        ["below_five", "violated", "monolithic (forward)"],
    ]
    assert "2 properties: 1 holds, 1 violated" in found._repr_html_()
    assert str(found).splitlines() == [str(answer) for answer in found]


def test_answers_of_every_family_are_alike() -> None:
    (violated,) = symag.check(MODELS / "lts" / "mer.lts", "safety", targets="MER", constants={"Rescinding": 0})
    (tree,) = symag.check(CLIENTS, specification=str(CLIENTS).replace(".nm", "_wrong.nm"))
    (run,) = symag.check(MODELS / "junction.smv")
    for answer, size in ((violated, 9), (tree, 4), (run, 2)):
        assert answer.verdict is Verdict.VIOLATED
        assert answer.certified
        assert answer.trace is not None
        assert len(answer.trace.steps) == size
        assert answer.statistics["seconds"] > 0
        assert Page(answer._repr_html_()).faults == []
        assert len(answer._repr_html_()) < MOST
    assert "<li><code>user.2.use.1</code></li>" in violated._repr_html_()
    assert "start1  9/10" in tree._repr_html_()


def test_assumptions_about_labelled_systems_are_drawn() -> None:
    (answer,) = symag.check(MODELS / "lts" / "mer.lts", "safety", "agar", targets="MER")
    assert answer.certificate is not None
    drawn = answer._repr_svg_()
    assert drawn is not None
    texts = [
        "".join(item.itertext()) for item in ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")
    ]
    assert any(text.startswith("assumption 0 over user.1.cancel.1") for text in texts)
    assert "user.1.grant.1" in texts


def test_small_labelled_systems_are_drawn_and_large_ones_summed_up() -> None:
    model = symag.read(MODELS / "lts" / "gas_station.lts")
    assert isinstance(model, Model)
    small = model.process("CUSTOMER")
    drawn = ElementTree.fromstring(small._repr_html_())
    heads = [item for item in drawn.iter("{http://www.w3.org/2000/svg}path") if "head" in item.get("class", "")]
    assert len(heads) == len({(source, target) for source, _, target in small.triples()})
    large = model.composite("STATION").compiled()
    assert large._repr_html_() == f"<p>{large!r}</p>"
    assert repr(large).startswith("STATION: 2704 states, 8424 transitions")
    assert len(repr(model)) < 300


def test_modules_of_prism_models_are_drawn(tmp_path: Path) -> None:
    model = symag.read(MODELS / "lpts" / "client_server3.nm", formula="P<=0.1 [X use1]")
    assert len(repr(model)) < 300
    shown = model._repr_html_()  # type: ignore[union-attr]
    assert Page(shown).faults == []
    assert shown.count("<svg") >= 4
    assert "use3" in shown
    assert len(shown) < MOST
    large = tmp_path / "large.nm"
    large.write_text("mdp module m x : [0..999]; [up] x<999 -> 1/3 : (x'=x+1) + 2/3 : (x'=0); endmodule")
    text = symag.read(large, formula="P<=1 [F up]")._repr_html_()  # type: ignore[union-attr]
    assert "<svg" not in text
    assert "large: 1000 states, 999 transitions, 1 actions" in text


def test_models_and_partitions_print_shortly() -> None:
    model = symag.read(MODELS / "parity12.smv")
    assert repr(model).endswith("parity12.smv: 25 variables, 1 properties")
    assert Page(model._repr_html_()).faults == []  # type: ignore[union-attr]
    cut = symag.partition(MODELS / "junction.smv", "one_green")
    assert cut is not None
    shown = Page(cut._repr_html_())
    assert shown.faults == []
    assert shown.rows[0] == ["part", "variables", "reads", "is read", "with I/O"]
    assert len(shown.rows) == 3
    assert str(cut).startswith("2 parts, ")


def test_evidence_from_files(tmp_path: Path) -> None:
    run = symag.simulate(MODELS / "junction.smv", 3, seed=1, trace=tmp_path / "run.json")
    assert str(run).startswith("Trace Description: Simulation Trace")
    assert not symag.replay(MODELS / "junction.smv", tmp_path / "run.json").violated
    (tmp_path / "run.json").write_text((tmp_path / "run.json").read_text().replace("red", "green", 1))
    with pytest.raises(CertificationError):
        symag.replay(MODELS / "junction.smv", tmp_path / "run.json")
    written = symag.convert(MODELS / "counter.smv", tmp_path / "counter.aig")
    assert (tmp_path / "counter.aig").read_bytes() == written.content
    assert symag.info(tmp_path / "counter.aig")["bits"] == 4


@pytest.mark.long
def test_a_batch_from_python(tmp_path: Path) -> None:
    rows = symag.batch(MODELS / "counter.smv", tmp_path / "results.sqlite", timeout=60, jobs=1)
    assert sorted(row.outcome.verdict for row in rows) == ["holds", "violated"]
    assert symag.batch(MODELS / "counter.smv", tmp_path / "results.sqlite", timeout=60, resume=True) == rows

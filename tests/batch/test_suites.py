"""Suites: which jobs a folder, a pattern, a verdict file or a TOML file means."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from symag.core.errors import InputError, UsageError
from symag.core.limits import JobLimits
from symag.core.reports import ListedQuestion
from symag.core.values import replace
from symag.engine.families import family_of
from symag.suites.jobs import Job
from symag.suites.suites import Suite, jobs, suite

ROOT = Path(__file__).resolve().parent.parent.parent
NO_LIMITS = JobLimits()
TWO = (ListedQuestion("0", "INVARSPEC", "p", "first"), ListedQuestion("1", "INVARSPEC", "q"))


def all_jobs(found: Suite, properties: tuple[ListedQuestion, ...]) -> list[Job]:
    return [job for entry in found.entries for job in found.jobs(entry, properties)]


def test_a_pattern_with_methods(tmp_path: Path) -> None:
    for name in ("b.smv", "a.smv", "c.txt"):
        (tmp_path / name).write_text("")
    found = all_jobs(suite(f"{tmp_path}/*", ["auto", "rule-g"], []), TWO)
    assert [(Path(job.model).name, job.property, job.method) for job in found] == [
        (name, number, method) for name in ("a.smv", "b.smv") for number in "01" for method in ("auto", "rule-g")
    ]


def test_a_toml_file(tmp_path: Path) -> None:
    for name in ("a.smv", "b.smv", "l.nm", "p.nm"):
        (tmp_path / name).write_text("")
    (tmp_path / "suite.toml").write_text(
        """
[[models]]
files = ["*.smv"]
properties = ["first"]
methods = ["rule-g"]
options = ["--parts 3", "--parts 4 --seed 1"]
[[models]]
files = ["l.nm"]
specification = "p.nm"
methods = ["agar", "cegar"]
options = ["--const N=3"]
expected = "violated"
"""
    )
    found = suite(str(tmp_path / "suite.toml"), ["auto"], [])
    first, second, third = found.entries
    assert [(job.property, job.method, job.options) for job in found.jobs(first, TWO)] == [
        ("0", "rule-g", ("--parts", "3")),
        ("0", "rule-g", ("--parts", "4", "--seed", "1")),
    ]
    assert second.model.name == "b.smv"
    # A kind names all its properties.
    assert [job.property for job in found.jobs(replace(first, properties=("CTL", "0")), TWO)].count("0") == 2
    kinds = {job.kind for job in found.jobs(replace(first, properties=(TWO[0].kind,)), TWO)}
    assert kinds == {TWO[0].kind}
    simulations = list(found.jobs(third, list(family_of("l.nm").listed("l.nm"))))
    specification = str(tmp_path / "p.nm")
    options = ("--specification", specification, "--const", "N=3")
    assert [(job.kind, job.method, job.options, job.expected) for job in simulations] == [
        ("simulation", "agar", options, "violated"),
        ("simulation", "cegar", options, "violated"),
    ]
    assert simulations[0].files() == (specification,)
    assert simulations[0].arguments(JobLimits(wall=60)) == [
        *("check", str(tmp_path / "l.nm"), "--method", "agar", *options, "--timeout", "60", "--json")
    ]


def test_a_specification_of_a_model_with_properties(tmp_path):
    model = tmp_path / "a.smv"
    model.write_text("MODULE main")
    models = suite(str(model), ["auto"], [])
    entry = replace(models.entries[0], specification=tmp_path / "p.nm")
    with pytest.raises(UsageError, match="'specification' is for a model without properties of its own"):
        list(models.jobs(entry, TWO))


def test_the_verdict_files_of_a_folder_are_used(suites: Path) -> None:
    found = suite(str(suites / "prism"), ["auto"], [])
    coin = next(entry for entry in found.entries if entry.model.name == "coin2.nm")
    counts = list(found.jobs(coin, list(family_of("coin2.nm").listed("coin2.nm"))))
    assert len(counts) > 2
    assert all(job.kind == "count" and job.expected and job.expected.startswith("states=") for job in counts)
    assert counts[0].arguments(NO_LIMITS) == ["info", str(coin.model), "--const", "K=2", "--json"]


def test_a_verdict_file_names_its_models(suites: Path) -> None:
    found = suite(str(suites / "smv" / "coupled-times.json"), ["auto"], [])
    assert {entry.model.parent.name for entry in found.entries} == {"coupled"}
    assert all(job.expected == "holds" for job in all_jobs(found, TWO))


def test_properties_of_every_language_are_listed() -> None:
    models = [ROOT / "models" / name for name in ("counter.smv", "lts/input_output.lts", "lpts/arbiter2.nm")]
    for model in models:
        assert model.is_file()
    found = [job for each in models for job in jobs(suite(str(each), ["auto"], []), NO_LIMITS, 2, lambda _: None)]
    kinds = {(Path(job.model).suffix, job.kind) for job in found}
    assert kinds == {(".smv", "INVARSPEC"), (".lts", "deadlock"), (".lts", "safety"), (".nm", "count")}
    assert {job.target for job in found if job.kind == "deadlock"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("models = 3", r"expected \[\[models\]\]"),
        ("x = 1", r"expected \[\[models\]\]"),
        ("[[models]]\nfile = ['a']", "models 1: unknown key 'file'; there are files, properties"),
        ("[[models]]\nfiles = 'a'", "models 1: 'files' should be a list of strings"),
        ("[[models]]\nfiles = ['*.none']", "models 1: 'files' names no file"),
        ("[[models]", "not TOML"),
        ("models = [3]", "models 1: expected a table"),
        ("[[models]]\nfiles = ['/a.smv']", "models 1: '/a.smv' is no pattern relative to this file"),
        ("[[models]]\nfiles = ['']", "models 1: '' is no pattern"),
        ("[[models]]\nfiles = ['*.toml']\noptions = [\"--parts '3\"]", "models 1: options .*: No closing quotation"),
        ("[[models]]\nfiles = ['*.toml']\noptions = []", "models 1: 'options' is empty"),
        ("[[models]]\nfiles = ['*.toml']\nmethods = []", "models 1: 'methods' is empty"),
        ("[[models]]\nfiles = ['*.toml']\nexpected = 'true'", "'expected' is 'true', expected 'holds'"),
    ],
)
def test_a_wrong_toml_file_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "suite.toml"
    file.write_text(text)
    with pytest.raises(InputError, match=message) as raised:
        suite(str(file), ["auto"], [])
    assert "\n" not in str(raised.value)


def test_files_that_a_pattern_would_miss(tmp_path: Path) -> None:
    for name in ("m[1].smv", "m.aut.gz", "m.tra"):
        (tmp_path / name).write_text("")
        (entry,) = suite(f"{tmp_path}/{name}", ["auto"], []).entries
        assert entry.model == tmp_path / name
    for given in (f"{tmp_path}", f"{tmp_path}/*"):
        found = [entry.model.name for entry in suite(given, ["auto"], []).entries]
        assert found == ["m.aut.gz", "m[1].smv"]


def test_a_folder_has_models_with_suffixes_in_capitals(tmp_path: Path) -> None:
    for name in ("A.SMV", "b.Lts", "C.AUT.GZ", "d.txt"):
        (tmp_path / name).write_text("")
    for given in (f"{tmp_path}", f"{tmp_path}/*"):
        found = [entry.model.name for entry in suite(given, ["auto"], []).entries]
        assert found == ["A.SMV", "C.AUT.GZ", "b.Lts"]


def test_what_a_folder_leaves_out(tmp_path: Path) -> None:
    (tmp_path / "folder.smv").mkdir()
    (tmp_path / "gone.txt").symlink_to("nowhere")
    (tmp_path / "gone.smv").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe.smv")
    message = f"no models there (but {tmp_path}/gone.smv is a link to nothing, {tmp_path}/pipe.smv is no file); a suite"
    with pytest.raises(UsageError, match=re.escape(message)):
        suite(str(tmp_path), ["auto"], [])
    (tmp_path / "there.smv").write_text("")
    (tmp_path / "link.smv").symlink_to("there.smv")
    read = suite(str(tmp_path), ["auto"], [])
    assert [entry.model.name for entry in read.entries] == ["link.smv", "there.smv"]
    assert len(read.left_out) == 2


def test_nothing_to_run(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no models there"):
        suite(str(tmp_path), ["auto"], [])
    with pytest.raises(UsageError, match="no models there"):
        suite(str(tmp_path / "none.smv"), ["auto"], [])

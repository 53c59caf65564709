"""Every command on a BTOR2 model, and the public designs."""

from __future__ import annotations

import json

import pytest

from tests.running import symag

MODEL = """1 sort bitvec 1
2 sort bitvec 3
3 input 1 go
4 zero 2
5 state 2 top.n
6 init 2 5 4
7 sort array 1 2
8 state 7 seen
9 init 7 8 4
10 slice 1 5 0 0
11 write 7 8 10 5
12 next 7 8 11
13 inc 2 5
14 ite 2 3 13 5
15 next 2 5 14
16 read 2 8 10
17 constd 2 6
18 ugte 1 16 17
19 bad 18 large
20 sort bitvec 4
21 uext 20 5 1
22 constd 20 8
23 eq 1 21 22
24 bad 23 never
"""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.btor2"
    path.write_text(MODEL)
    return path


def test_check_decides_each_bad_by_its_name(model):
    done = symag("check", model, "--json")
    assert done.returncode == 10, done.stderr
    results = json.loads(done.stdout)["results"]
    shown = [(each["name"], each["verdict"], each["certified"], each["line"]) for each in results]
    assert shown == [("large", "violated", True, 19), ("never", "holds", True, 24)]
    assert len(results[0]["trace"]["steps"]) == 8
    assert results[0]["trace"]["steps"][-1]["state"]["seen[0]"] == 6


@pytest.mark.long
@pytest.mark.parametrize("suffix", ["txt", "xml", "json", "vcd", "html"])
def test_a_trace_is_replayed(model, tmp_path, suffix):
    trace = tmp_path / f"trace.{suffix}"
    assert symag("check", model, "--property", "large", "--trace", trace).returncode == 10
    done = symag("replay", model, trace, "--property", "large")
    assert (done.returncode, done.stderr) == (10, "")


def test_a_certificate_is_accepted(model, tmp_path):
    certificate = tmp_path / "certificate.json"
    assert symag("check", model, "--property", "never", "--certificate", certificate).returncode == 0
    assert symag("certify", model, certificate).returncode == 0


def test_info_and_partition_name_the_words(model):
    assert symag("info", model, "--reachable").stdout.startswith("4 variables, 10 bits: 9 state, 1 input")
    assert "top.n" in symag("partition", model).stdout


def test_simulate_shows_words(model):
    done = symag("simulate", model, "--steps", "3")
    assert done.returncode == 0
    assert "top.n = 0ud3_0" in done.stdout


@pytest.mark.parametrize("suffix", ["wit", "cex"])
def test_a_simulated_run_is_no_witness(model, tmp_path, suffix):
    path = tmp_path / f"run.{suffix}"
    done = symag("simulate", model, "--trace", path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("a witness claims a violation, and this run claims none: write .xml or .json\n")
    assert not path.exists()


@pytest.mark.long
def test_convert_gives_models_with_the_same_verdicts(model, tmp_path):
    for suffix in ("smv", "aig", "aag"):
        other = tmp_path / f"other.{suffix}"
        assert symag("convert", model, other).returncode == 0
        results = json.loads(symag("check", other, "--json").stdout)["results"]
        assert [each["verdict"] for each in results] == ["violated", "holds"]


def test_batch_takes_the_suffix(model, tmp_path):
    done = symag("batch", tmp_path, "--output", tmp_path / "results.sqlite")
    assert "2 jobs: 1 holds, 1 violated" in done.stdout


#: Public designs and what ABC says of them.
PUBLIC = {"avr_counter": "holds", "avr_counter_v": "violated", "avr_v_DAIO": "violated", "hwc_viseisenberg": "holds"}


@pytest.mark.long
@pytest.mark.parametrize("name", PUBLIC)
def test_public_designs(suites, name):
    done = symag("check", suites / "btor2" / f"{name}.btor2", "--json", "--timeout", "60")
    assert [each["verdict"] for each in json.loads(done.stdout)["results"]] == [PUBLIC[name]]

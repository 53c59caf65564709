"""The scripts that print tables: limits hold, CPU time is counted, verdicts are compared by the property's text."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scripts.lts import lts_sizes
from scripts.measuring import lts_tables, measure, measurements, peers
from scripts.smv import paper_tables
from scripts.smv.printed_tables import EXAMPLES, TABLE_1, TABLE_2, TABLE_3, TABLE_4

ROOT = Path(__file__).resolve().parents[2]


def script(name: str, *arguments: str, suites: Path) -> subprocess.CompletedProcess[str]:
    # without NuSMV, so that the outcome is the same on every machine
    environment = {**os.environ, "SYMAG_SUITES": str(suites), "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-m", f"scripts.{name}", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, env=environment, cwd=ROOT, check=False)


def test_a_command_at_its_limit_is_stopped_with_its_children(tmp_path: Path) -> None:
    start = time.monotonic()
    mark = tmp_path / "pid"
    done = measure.run(["sh", "-c", f"sleep 50 & echo $! > {mark}; sleep 50"], 1)
    assert done.stopped
    assert time.monotonic() - start < 10
    for _ in range(50):  # the group is gone as soon as the system has reaped it
        state = Path(f"/proc/{mark.read_text().strip()}/stat")
        if not state.exists() or " Z " in state.read_text():
            return
        time.sleep(0.1)
    pytest.fail("a grandchild outlived the limit")


def test_seconds_are_cpu_time_of_the_command_and_its_children() -> None:
    busy = "import time\nwhile time.process_time() < 0.4: pass"
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {busy!r}])"
    assert measure.run(["sleep", "0.5"], 20).seconds < 0.3
    assert measure.run([sys.executable, "-c", child], 60).seconds >= 0.4


def test_check_gives_every_property_with_its_verdict() -> None:
    answers = measure.check(ROOT / "models" / "counter.smv", ["--method", "monolithic"], 60)
    assert {entry["name"]: decision.verdict for entry, decision in answers} == {
        "parity_right": "holds",
        "below_five": "violated",
    }
    assert all(decision.certified and decision.seconds > 0 for _, decision in answers)


def test_a_model_that_cannot_be_read_is_unknown_with_the_message(tmp_path: Path) -> None:
    file = tmp_path / "broken.smv"
    file.write_text("MODULE main VAR x : ;")
    ((_, decision),) = measure.check(file, [], 20)
    assert decision.verdict == "unknown"
    assert "broken.smv:1:21" in (decision.reason or "")


def test_the_printed_tables_are_about_known_examples() -> None:
    assert set(TABLE_1) | set(TABLE_2) | set(TABLE_3) | set(TABLE_4) <= set(EXAMPLES)
    assert set(paper_tables.OWN) <= set(EXAMPLES)
    # the text says that ASCV_G is better than ASCV_S in 10 of the 14 examples of Table 1
    better = [
        name
        for name, (rule_s, rule_g) in TABLE_1.items()
        if rule_g.time != "-" and float(rule_g.time) < float(rule_s.time)
    ]
    assert (len(better), len(TABLE_1)) == (10, 14)


def test_one_property_of_a_model_is_kept_for_nusmv() -> None:
    text = (ROOT / "models" / "guidance.smv").read_text()
    assert re.findall(r"^INVARSPEC.*", measurements.only(text, "chosen_region"), re.MULTILINE) == [
        "INVARSPEC  sequencer.step = separate -> selector.region in {middle, lower, ground};"
    ]


@pytest.mark.long
def test_the_paper_tables_go_on_with_a_record_and_print_it_again(suites: Path, tmp_path: Path) -> None:
    record, page = tmp_path / "r", tmp_path / "page.md"
    page.write_text("before\n<!-- paper_tables.py: begin -->\nold\n<!-- paper_tables.py: end -->\nafter\n")
    arguments = ("smv.paper_tables", "--tables", "4", "--models", "syncarb7_sp1", "--record", str(record))
    done = script(*arguments, "--timeout", "9", "--repeat", "1", suites=suites)
    assert done.returncode == 0, done.stderr
    settings, *cells = record.read_text().splitlines(keepends=True)
    assert [json.loads(cell)["decision"]["verdict"] for cell in cells] == ["violated"] * 7
    # Killed while it wrote its third cell: that one and those after it are measured again.
    record.write_text(settings + "".join(cells[:2]) + cells[2][:20])
    printed = script(*arguments, "--print-only", suites=suites)
    assert printed.stdout.split("351 ")[1].split()[3:8] == list("?????")
    done = script(*arguments, "--into", str(page), suites=suites)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count(" violated ") == 5
    assert record.read_text().splitlines(keepends=True)[:3] == [settings, *cells[:2]]
    assert len(record.read_text().splitlines()) == 8
    assert page.read_text().startswith("before\n<!-- paper_tables.py: begin -->\n\nMeasured ")
    assert page.read_text().endswith("<!-- paper_tables.py: end -->\nafter\n")
    assert "old" not in page.read_text()
    assert done.stdout.splitlines()[-2] in page.read_text()
    refused = script(*arguments, "--timeout", "7", suites=suites)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "was begun with timeout 9.0, not 7.0" in refused.stderr


def test_recorded_seconds_of_the_suite(suites: Path) -> None:
    recorded = peers.recorded(suites / "smv")
    assert recorded["simple8"]["verdict"] == "holds"
    assert recorded["simple8"]["plain"] == "8.79"
    assert recorded["barrel_sp1"]["verdict"] == "violated"
    assert recorded["par24"]["-coi -dynamic"] == ">30"


def test_paper_suite_compares_with_the_known_verdicts(suites: Path) -> None:
    done = script("smv.paper_suite", "--models", "simple8,syncarb6_sp1", "--methods", "monolithic", suites=suites)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"simple8 +holds +h \d", done.stdout)
    assert re.search(r"syncarb6_sp1 +violated +v \d", done.stdout)


@pytest.mark.long
def test_nusmv_suite_tells_a_wrong_verdict(suites: Path, tmp_path: Path) -> None:
    name = "smv-dist/syncarb5.smv"
    record = json.loads((suites / "smv" / "nusmv-verdicts.json").read_text())
    (tmp_path / "smv").mkdir()
    (tmp_path / "smv" / "nusmv").symlink_to(suites / "smv" / "nusmv")
    arguments = ("verdicts", "--method", "monolithic")
    for falsified, status, word in ((False, 0, "0 wrong"), (True, 20, "0 agree")):
        entry = record[name]
        if falsified:
            entry["verdicts"] = [
                [kind, text, {"true": "false"}.get(value, value)] for kind, text, value in entry["verdicts"]
            ]
        (tmp_path / "smv" / "nusmv-verdicts.json").write_text(json.dumps({name: entry}))
        done = script("nusmv.nusmv_suite", *arguments, suites=tmp_path)
        assert (done.returncode, word in done.stdout) == (status, True), done.stdout + done.stderr


def test_methods_for_lts_are_compared_with_brute_force(suites: Path) -> None:
    ran = script("lts.compare_lts_methods", "--systems", "5", "--first", "40", suites=suites)
    assert (ran.returncode, ran.stderr) == (0, "")
    first, whole, *others = ran.stdout.splitlines()
    assert " 5 answers: " in whole
    assert first.startswith("5 systems (")
    assert first.endswith("every answer agrees with brute force")
    assert all(" 15 answers: " in line and "0 unsupported" in line for line in others)


@pytest.mark.long
def test_the_quotient_table_has_a_limit_per_cell(suites: Path) -> None:
    done = script("lts.quotient_table", "--targets", "B", "--repeat", "1", "--no-curve", suites=suites)
    assert done.returncode == 0, done.stderr
    (row,) = (line.split() for line in done.stdout.splitlines() if line.startswith("B "))
    assert row[:6] == ["B", "holds", "18", "13", "1", "1"]
    assert "|A| (paper) 3, |A| 3 of 9 states" in done.stdout
    assert "Printed |A| met for B of B." in done.stdout
    limited = ("--targets", "B", "--repeat", "1", "--no-curve", "--timeout", "0.01")
    done = script("lts.quotient_table", *limited, suites=suites)
    (row,) = (line.split() for line in done.stdout.splitlines() if line.startswith("B "))
    assert row[:6] == ["B", "unknown", "18", "-", "1", "-"]


@pytest.mark.long
def test_the_agar_tables_show_the_printed_figures_above_ours(suites: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- agar_tables.py: begin -->\nold\n<!-- agar_tables.py: end -->\nafter\n")
    done = script("lts.agar_tables", "--tables", "1,n", "--cases", "rover", "--into", str(page), suites=suites)
    assert done.returncode == 0, done.stderr
    marked = f"<!-- agar_tables.py: begin -->\n\n```\n{done.stdout.strip()}\n```\n\n<!-- agar_tables.py: end -->"
    assert page.read_text() == f"before\n{marked}\nafter\n"
    printed = [line.split() for line in done.stdout.splitlines() if line.startswith("rover")]
    ours = [line.split() for line in done.stdout.splitlines() if line.strip().startswith("ours ")]
    assert [line[3:6] for line in printed] == [["10", "4.07", "1.80"]] * 2
    assert [line[-2:] for line in ours] == [["44", "93"], ["44", "8"]]
    assert (
        "without alphabet refinement: printed: AGAR better than L* in 0 of 1 cells, worse in 0; ours: " in done.stdout
    )
    assert done.stdout.count("Least seconds") == 4


@pytest.mark.long
def test_larger_systems_have_rows_without_printed_figures(suites: Path) -> None:
    limits = ("--timeout", "0.0005", "--long", "0.001")  # no machine is so fast
    done = script("lts.agar_tables", "--tables", "1", "--larger", "--cases", "mer", "--k", "5", *limits, suites=suites)
    assert done.returncode == 0, done.stderr
    (row,) = (line.split() for line in done.stdout.splitlines() if line.startswith("mer "))
    assert row[:3] == ["mer", "5", "ours"]
    assert row.count(">0.001") == 6
    assert "Least seconds, none: mer 5." in done.stdout


@pytest.mark.long
def test_the_smallest_assumptions_stand_beside_those_of_learning(suites: Path) -> None:
    done = script("lts.separating_table", "--cases", "chiron3", "--k", "2", suites=suites)
    assert done.returncode == 0, done.stderr
    (row,) = (line.split() for line in done.stdout.splitlines() if line.startswith("chiron3"))
    assert [row[2], row[4], row[8], row[10], row[-1]] == ["5", "3", "3", "3", "6/3"]
    assert "|A|: separating better than L* in 1 of 1 cells, worse in 0." in done.stdout


@pytest.mark.long
def test_the_agar_tables_have_a_limit_per_cell(suites: Path, tmp_path: Path) -> None:
    arguments = (
        "--tables",
        "2",
        "--cases",
        "mer",
        "--timeout",
        "0.001",
        "--long",
        "0.002",
        "--record",
        str(tmp_path / "r"),
    )
    done = script("lts.agar_tables", *arguments, suites=suites)
    assert done.returncode == 0, done.stderr
    (ours,) = (line.split() for line in done.stdout.splitlines() if line.strip().startswith("ours "))
    assert ours[-2:] == ["-", "-"]
    assert (ours.count(">0.001"), ours.count(">0.002")) == (3, 3)
    assert "Of the 3 cells that the paper could not finish 0 are decided here; of the others 1 are not." in done.stdout
    # What is on record is not run again.
    again = script("lts.agar_tables", *arguments, suites=suites)
    assert again.stdout == done.stdout
    assert len((tmp_path / "r").read_text().splitlines()) == 7


@pytest.mark.long
def test_the_circular_table_says_what_its_figures_mean(suites: Path) -> None:
    done = script("lts.circular_table", "--cases", "client_server", "--k", "3", suites=suites)
    assert done.returncode == 0, done.stderr
    (row,) = (line.split() for line in done.stdout.splitlines() if line.startswith("client_server "))
    assert row[1] == "3"
    assert all(float(row[column]) > 0 for column in (2, 3, 5, 6))
    assert "  NW better than 2W in " in done.stdout


def test_columns_are_compared_with_what_has_no_answer() -> None:
    pairs = ((1.0, 2.0), (1.0, None), (None, 1.0), (None, None), (1.0, 1.05))
    assert lts_tables.compared("a", "b", pairs) == "a better than b in 2 of 4 cells, worse in 1"
    assert lts_tables.answered(pairs) == [(1.0, 2.0), (1.0, 1.05)]


def test_sizes_of_prism_models_are_compared_with_the_record(tmp_path: Path) -> None:
    folder = tmp_path / "prism"
    folder.mkdir()
    (folder / "coin.nm").write_text("const int N; module m x:[0..N]; [] x<N -> 0.5:(x'=x+1)+0.5:true; endmodule")
    sizes = {"states": 4, "choices": 4, "transitions": 7, "deadlock_states": 1, "modules": 1}
    record = {"model": "coin.nm", "constants": "N=3", **sizes}
    (folder / "storm-counts.json").write_text(json.dumps({"results": [record, {**record, "transitions": 6}]}))
    done = script("lpts.prism_counts", suites=tmp_path)
    assert done.returncode == 1
    assert [line.split()[-1] == "DIFFERS" for line in done.stdout.splitlines()[1:3]] == [False, True]
    assert "1 of 2 settings have Storm's counts" in done.stdout


def test_a_folder_without_properties_is_an_error(tmp_path: Path) -> None:
    """A table of nothing looked like a success."""
    counts = tmp_path / "prism" / "storm-counts.json"
    counts.parent.mkdir()
    counts.write_text('{"results": []}')
    done = script("lpts.prism_properties", str(tmp_path / "empty"), suites=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no property of a setting of that size" in done.stderr


def test_where_methods_win_and_auto_does_not() -> None:
    def row(name: str, **seconds: float | None) -> lts_sizes.Row:
        cells = {
            method: measure.Decision(
                "unknown" if value is None else "holds", value or 9.0, statistics={"memory_mib": value or 9.0}
            )
            for method, value in seconds.items()
        }
        return lts_sizes.Row(name, cells)

    rows = [
        row("small", monolithic=0.4, reduce=0.8, auto=1.1),
        row("large", monolithic=None, reduce=2.0, auto=3.6),
        row("open", monolithic=None, reduce=2.0, auto=None),
        row("hard", monolithic=None, reduce=None, auto=5.0),
    ]
    assert list(lts_sizes.summary(rows)) == [
        "Least seconds, monolithic: small.",
        "Least seconds, reduce: large, open.",
        "Least memory, monolithic: small.",
        "Least memory, reduce: large, open.",
        "auto is within 1.5 x + 0.5 s of the fastest method in 2 of 4 rows.",
        "Not so: large, open.",
    ]

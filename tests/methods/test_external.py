"""Programs that others wrote, played by small scripts: honest ones are believed after our re-check, no other is."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from symag.core.errors import UsageError
from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.smv import read_text
from symag.smv.aiger import ascii_text
from symag.smv.btor2.system import read as read_btor2
from symag.smv.certificates.invariants import Induction
from symag.smv.certify import accept
from symag.smv.convert.aiger import to_aiger
from symag.smv.convert.witness_circuit import witness_circuit
from symag.smv.methods.external.decision import decide
from symag.smv.methods.options import SmvOptions

#: x counts 0, 2, .. up to where ``go`` stops it; property 0 holds, property 1 does not.
MODEL = """MODULE main
VAR x : 0..15; IVAR go : boolean;
ASSIGN init(x) := 0; next(x) := go ? (x + 2) mod 16 : {x, 0};
INVARSPEC x != 5
INVARSPEC x != 4
"""
#: A latch that becomes its input; property 0 holds at no step that has seen a 1.
LATCH = """1 sort bitvec 1
2 input 1 in
3 state 1 seen
4 zero 1
5 init 1 3 4
6 or 1 3 2
7 next 1 3 6
8 bad 3
9 and 1 3 -3
10 bad 9
"""


def script(folder: Path, text: str) -> str:
    """The command of a program of ours: ``places`` are its arguments."""
    path = folder / "engine.py"
    path.write_text(f"import sys, os, time, subprocess\nplaces = sys.argv[1:]\n{text}\n")
    return f"{sys.executable} {path}"


def answer(folder: Path, text: str, number: int = 1, places: str = "{aiger} {witness} {certificate} {pla}"):
    system = read_text(MODEL)
    checked = system.properties[number]
    options = SmvOptions(command=f"{script(folder, text)} {places}")
    result = decide(system, checked, options, no_progress)
    if result.verdict is not Verdict.UNKNOWN:
        assert accept(system, checked, result, None).certified
    return result


def graph(number: int):
    system = read_text(MODEL)
    return to_aiger(system, [system.properties[number]]).graph


def witness(steps: str, dot: str = ".") -> str:
    """The witness that a run is which goes on by 2 at these steps."""
    of = graph(1)
    names = [of.symbols["i", k] for k in range(len(of.inputs))]
    lines = ["1", "b0", "x" * len(of.latches)]
    values = {"0": {"go": "0"}, "1": {"go": "1"}}
    lines += ["".join(values[step].get(name, "0") for name in names) for step in steps]
    return "\n".join([*lines, dot, ""])


@pytest.mark.parametrize("where", ["printed", "file"])
def test_a_run_is_replayed(tmp_path: Path, where: str) -> None:
    # The choice of x after a step by 2 is what the assignment says: the graph leaves it to inputs, so all are tried.
    of = graph(1)
    names = [of.symbols["i", k] for k in range(len(of.inputs))]
    rows = []
    for step in range(3):
        after = 2 * (step + 1)
        bits = {f"x[{k}]'": str(after >> k & 1) for k in range(4)} | {"go": "1"}
        rows.append("".join(bits[name] for name in names))
    text = "\n".join(["1", "b0", "x" * len(of.latches), *rows, ".", ""])
    act = f"print({text!r})" if where == "printed" else f"open(places[1], 'w').write({text!r})"
    result = answer(tmp_path, act)
    assert result.verdict is Verdict.VIOLATED, result.reason
    assert [step.state["x"] for step in result.trace.steps] == [0, 2, 4]


def proof_of(steps: int = 1):
    """A witness circuit that proves property 0: x is even."""
    system = read_text(MODEL)
    clauses = ((("x", 0, False),),) if steps == 1 else ()
    return witness_circuit(system, system.properties[0], Induction(steps, clauses))


def test_a_certificate_is_rechecked(tmp_path: Path) -> None:
    text = ascii_text(proof_of())
    result = answer(tmp_path, f"open(places[2], 'w').write({text!r}); print('unsat'); sys.exit(20)", 0)
    assert result.verdict is Verdict.HOLDS, result.reason


def test_a_table_of_an_invariant_is_rechecked(tmp_path: Path) -> None:
    of = graph(0)
    names = " ".join(of.symbols["l", k] for k in range(len(of.latches)))
    row = "".join("1" if of.symbols["l", k] == "x[0]" else "-" for k in range(len(of.latches)))
    table = f".i {len(row)}\n.o 1\n.p 1\n.ilb {names}\n.ob inv\n{row} 1\n.e\n"
    assert answer(tmp_path, f"open(places[3], 'w').write({table!r})", 0).verdict is Verdict.HOLDS
    wrong = table.replace(f"\n{row} 1", f"\n{row.replace('1', '0')} 1")
    assert "not accepted" in (answer(tmp_path, f"open(places[3], 'w').write({wrong!r})", 0).reason or "")


@pytest.mark.parametrize(("rows", "verdict"), [("01 10", "holds"), ("00 11", "holds"), ("00 10", "unknown")])
def test_an_invariant_may_negate_latches_that_start_with_1(tmp_path: Path, rows: str, verdict: str) -> None:
    """ABC's table is over its own latches, which all start with 0."""
    system = read_text("""MODULE main
VAR up : boolean; down : boolean; next_up : boolean;
ASSIGN init(up) := TRUE; init(down) := FALSE; next(up) := next_up ? down : up; next(down) := next_up ? up : down;
INVARSPEC up != down""")
    (checked,) = system.properties
    of = to_aiger(system, [checked]).graph
    names = {of.symbols["l", number]: latch.reset for number, latch in enumerate(of.latches)}
    assert sorted(reset for reset in names.values() if reset is not None) == [0, 1], names
    lines = [".ilb " + " ".join(name for name in names if name in ("up", "down"))]
    assert lines[0].split()[1:] == ["up", "down"]
    table = "\n".join([*lines, *(f"{row} 1" for row in rows.split()), ".e", ""])
    options = SmvOptions(command=f"{script(tmp_path, f'open(places[1], chr(119)).write({table!r})')} {{aiger}} {{pla}}")
    result = decide(system, checked, options, no_progress)
    assert result.verdict.value == verdict
    if verdict == "holds":
        assert accept(system, checked, result, None).certified


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("print('unsat'); sys.exit(20)", "says that the property holds, and gives no certificate"),
        ("print('0')", "says that the property holds, and gives no certificate"),
        ("sys.exit(10)", "says that the property is violated, and gives no run"),
        ("print('sat')", "says that the property is violated, and gives no run"),
        (f"print({witness('111')!r})", "the run that it gives"),
        ("print('1\\nb0\\nxx\\n01\\n.')", "the run that it gives is none: the witness:3: expected the values of"),
        ("sys.stdout.buffer.write(bytes(range(256)) * 9)", "no answer (exit status 0)"),
        ("print('1\\nb0\\n' + chr(0) * 50 + '\\n.')", "the run that it gives is none"),
        ("open(places[2], 'wb').write(bytes(range(256)))", "its certificate is none: the certificate:1: expected"),
        ("open(places[2], 'w').write('aag 1 1 0 0 0 1\\n2\\n0\\n')", "not accepted: "),
        ("open(places[2], 'w').write('aag 0 0 0 0 0\\n')", "the witness circuit has no property"),
        ("open(places[3], 'w').write('.ilb a b\\n0 1\\n')", "its certificate is none: the PLA:2: expected a row"),
        ("os.kill(os.getpid(), 9)", "no answer (exit status -9)"),
        ("sys.exit('cannot open file')", "no answer (exit status 1): cannot open file"),
        ("os.mkdir(places[1]); os.mkdir(places[2])", "no answer (exit status 0)"),
    ],
)
def test_what_is_no_evidence_is_no_verdict(tmp_path: Path, text: str, reason: str) -> None:
    result = answer(tmp_path, text)
    assert result.verdict is Verdict.UNKNOWN
    assert result.reason.startswith("external: ")
    assert reason in result.reason
    assert "\n" not in result.reason


def test_an_invariant_that_is_not_inductive_is_refused(tmp_path: Path) -> None:
    weaker = ascii_text(proof_of(2))
    result = answer(tmp_path, f"open(places[2], 'w').write({weaker!r}); sys.exit(20)", 0)
    assert result.verdict is Verdict.UNKNOWN
    assert "not accepted" in result.reason


def test_btor2_files_have_one_property(tmp_path: Path) -> None:
    path = tmp_path / "latch.btor2"
    path.write_text(LATCH)
    system = read_btor2(path)
    text = (
        "model = open(places[0]).read(); assert model.count('bad') == 1, model\n"
        "print('sat\\nb0\\n#0\\n@0\\n0 1 in@0\\n@1\\n0 0 in@1\\n.') if '8 bad' in model else print('unsat')"
    )
    options = SmvOptions(command=f"{script(tmp_path, text)} {{btor2}}")
    violated, unproved = (decide(system, checked, options, no_progress) for checked in system.properties)
    assert violated.verdict is Verdict.VIOLATED, violated.reason
    assert accept(system, system.properties[0], violated, None).certified
    assert unproved.verdict is Verdict.UNKNOWN
    assert "gives no certificate" in unproved.reason


@pytest.mark.parametrize(
    ("command", "message"),
    [(None, "needs --command"), ("", "is empty"), ("abc model.aig", "names no model"), ("abc '{aiger}", "quotation")],
)
def test_commands_without_sense(command: str | None, message: str) -> None:
    system = read_text(MODEL)
    with pytest.raises(UsageError, match=message):
        decide(system, system.properties[0], SmvOptions(command=command), no_progress)


def test_a_command_without_sense_is_refused_whatever_decides(tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    model.write_text(MODEL)
    run = [sys.executable, "-m", "symag", "check", str(model), "--command", "abc model.aig"]
    done = subprocess.run(run, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "symag: --command names no model: {aiger}, {aag}, {btor2} stands for its file\n"


def test_a_missing_program_is_a_reason() -> None:
    system = read_text(MODEL)
    result = decide(system, system.properties[0], SmvOptions(command="no-such-program {aiger}"), no_progress)
    assert result.reason == "external: no-such-program: there is no such program"


def test_a_program_that_hangs_ends_with_all_that_it_started(tmp_path: Path) -> None:
    model, note = tmp_path / "m.smv", tmp_path / "note"
    model.write_text(MODEL)
    child = f"subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\nopen({str(note)!r}, 'w').write("
    command = f"{script(tmp_path, f'p = {child}str(p.pid) + chr(10) + places[0]); time.sleep(600)')} {{aiger}}"
    arguments = ["check", str(model), "--method", "external", "--command", command, "--timeout", "2"]
    run = [sys.executable, "-m", "symag", *arguments]
    done = subprocess.run(run, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 30
    assert done.stdout.count("is unknown (timeout)") == 2
    process, file = note.read_text().split("\n")
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and (Path(f"/proc/{process}").exists() or Path(file).parent.exists()):
        time.sleep(0.05)
    assert not Path(f"/proc/{process}").exists()
    assert not Path(file).parent.exists()


def test_auto_runs_the_program_beside_its_own_methods(tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    model.write_text(MODEL)
    command = f"{script(tmp_path, 'print(0)')} {{aiger}}"
    run = [sys.executable, "-m", "symag", "check", str(model), "-q", "--command", command]
    done = subprocess.run(run, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 10, done.stderr
    refused = subprocess.run([*run, "--method", "pdr"], capture_output=True, text=True, timeout=60, check=False)
    assert refused.returncode == 2
    assert "--command means nothing to method pdr" in refused.stderr


@pytest.mark.skipif(shutil.which("abc") is None, reason="ABC is not on PATH")
@pytest.mark.parametrize(("number", "verdict"), [(0, Verdict.HOLDS), (1, Verdict.VIOLATED)])
def test_abc(number: int, verdict: Verdict) -> None:
    system = read_text(MODEL.replace("go ? (x + 2) mod 16 : {x, 0}", "(x + (y ? 2 : 0)) mod 16").replace(
        "VAR x", "VAR y : boolean; x").replace("IVAR go : boolean;", ""))  # fmt: skip
    checked = system.properties[number]
    command = 'abc -c "read {aiger}; pdr -d -I {pla}; write_aiger_cex {witness}"'
    result = decide(system, checked, SmvOptions(command=command), no_progress)
    assert result.verdict is verdict, result.reason
    assert accept(system, checked, result, None).certified

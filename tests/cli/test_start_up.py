"""What is imported before the first answer: most of the time of a small check is the import of libraries."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import Struct

pytestmark = pytest.mark.smoke

ROOT = Path(__file__).resolve().parent.parent.parent

#: Runs one command line as the console script does. Each process that it forks writes a line for each module that it
#: imports: its number and the module's name. At the end come the dataclasses that symag has defined.
_RUN = """
import atexit, os, sys
lines = os.dup(1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
class Recorder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        os.write(lines, f"{os.getpid()} {name}\\n".encode())
sys.meta_path.insert(0, Recorder)
def defined():
    for name, module in list(sys.modules.items()):
        for kind in list(vars(module).values()) if name.startswith("symag.") else []:
            if "__dataclass_fields__" in getattr(kind, "__dict__", {}) and kind.__module__ == name:
                os.write(lines, f"dataclass {name}.{kind.__name__}\\n".encode())
atexit.register(defined)
from symag.__main__ import main
main()
"""

#: What only tables, plots, large explicit systems, drawings, other families, help and XML need.
_HEAVY = ("numpy", "scipy", "matplotlib", "rich", "rich_click", "oxidd", "networkx", "xml", "sqlite3", "asyncio")


class Imports(Struct, frozen=True):
    """The modules that a command imports, in its own process and in all, and the dataclasses that symag defines."""

    command: frozenset[str]
    everywhere: tuple[str, ...]
    dataclasses: tuple[str, ...]


def _imports(*arguments: str) -> Imports:
    done = subprocess.run([sys.executable, "-c", _RUN, *arguments], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode in (0, 10, 30), done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    command = lines[0][0]
    return Imports(
        frozenset(name for pid, name in lines if pid == command),
        tuple(name for pid, name in lines if pid != "dataclass"),
        tuple(name for pid, name in lines if pid == "dataclass"),
    )


def _imported(*arguments: str) -> frozenset[str]:
    return _imports(*arguments).command


def test_version_imports_no_command_and_no_library() -> None:
    imported = _imported("--version")
    assert "symag" in imported
    assert not {"click", "symag.cli.main", "symag.engine.families", *_HEAVY} & imported


def test_the_list_of_commands_imports_none() -> None:
    imported = _imported("--help")
    assert "symag.cli.main" in imported
    assert not {"symag.cli.check", "symag.engine.families", "dd", "pyparsing", *_HEAVY} & imported


@pytest.mark.parametrize("arguments", [("--parts", "2"), ("--help",)])
def test_a_partition_without_wires_needs_no_scipy(arguments: tuple[str, ...]) -> None:
    imported = _imported("partition", "models/counter.smv", *arguments)
    assert "symag.smv.partition.cut_wires" in imported
    assert "scipy" not in imported


def test_nothing_else_is_imported_before_an_interrupt_is_caught() -> None:
    program = (
        "import sys, os; before = set(sys.modules); import symag.__main__; print(*sorted({*sys.modules} - before))"
    )
    # -I and -S: else the environment's own start has imported the library's modules already.
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {program}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    others = {name for name in ran.stdout.split() if not name.startswith("symag")}
    assert others <= {"__future__"}


@pytest.mark.parametrize("arguments", [("--no-certify",), ()])
def test_check_of_a_small_model_imports_no_library_in_vain(arguments: tuple[str, ...]) -> None:
    imports = _imports("check", "models/counter.smv", *arguments)
    assert "symag.smv.language.grammar" in imports.command
    assert {"pymetis", *_HEAVY} & imports.command == set()
    assert ("pysat" in imports.command) == ("--no-certify" not in arguments)
    # The processes that search and those that re-check have the package of BDDs from the command.
    assert imports.everywhere.count("dd") == 1


@pytest.mark.parametrize("method", ["k-induction", "bmc"])
def test_bounded_searches_without_a_violation_need_no_numpy(method: str) -> None:
    """Its import takes longer than most of these searches."""
    arguments = ("--method", method, "--bound", "5", "--property", "parity_right")
    imports = _imports("check", "models/counter.smv", *arguments)
    assert f"symag.smv.methods.{method.replace('-', '_')}" in imports.everywhere
    assert "numpy" not in imports.everywhere


def test_check_imports_the_re_check_of_its_evidence_alone() -> None:
    imported = _imported("check", "models/counter.smv")
    assert "symag.smv.certify.inductive_set" in imported
    others = ("assume_guarantee", "fair_emptiness", "labelling", "induction", "inductive_facts")
    assert not {f"symag.smv.certify.{name}" for name in others} & imported


@pytest.mark.parametrize("command", [("check", "--no-certify"), ("info",)])
@pytest.mark.parametrize(
    ("arguments", "family"),
    [
        (("models/counter.smv",), "smv"),
        (("models/lts/client_server.lts",), "lts"),
        (("models/lpts/sensors1.nm", "--specification", "models/lpts/sensors1_specification.nm"), "lpts"),
    ],
)
def test_the_family_of_a_model_is_imported_alone(
    arguments: tuple[str, ...], family: str, command: tuple[str, ...]
) -> None:
    imported = _imported(*command, *(arguments if command[0] == "check" else arguments[:1]))
    assert {name.split(".")[1] for name in imported if re.match("symag[.](smv|lts|lpts)([.]|$)", name)} == {family}


#: A latch that stays 0.
_AIGER = "aag 1 0 1 0 0 1\n2 2\n2\n"
_BTOR2 = "1 sort bitvec 1\n2 state 1\n3 zero 1\n4 init 1 2 3\n5 next 1 2 2\n6 bad 2\n"


@pytest.mark.parametrize(
    ("arguments", "most"),
    [
        (("models/counter.smv",), 187),
        (("latch.aag",), 179),
        (("latch.btor2",), 181),
        (("models/lts/client_server.lts",), 106),
        (("models/lpts/sensors1.nm", "--specification", "models/lpts/sensors1_specification.nm"), 129),
    ],
)
def test_a_small_check_imports_few_modules_and_defines_few_dataclasses(
    arguments: tuple[str, ...], most: int, tmp_path: Path
) -> None:
    """To import a module takes 0.2 ms, to define a dataclass 0.5 ms: bounds of seconds would say less."""
    for name, text in (("latch.aag", _AIGER), ("latch.btor2", _BTOR2)):
        (tmp_path / name).write_text(text)
    model = arguments[0] if "/" in arguments[0] else str(tmp_path / arguments[0])
    imports = _imports("check", model, *arguments[1:])
    own = [name for name in imports.everywhere if name.startswith("symag")]
    assert 80 < len(own) <= most
    assert not {"numpy.random", "scipy", "hashlib", "rich", "asyncio"} & set(imports.everywhere)
    assert len(imports.dataclasses) <= 11, imports.dataclasses


@pytest.mark.parametrize("method", ["agar", "lstar", "circular", "reduce"])
def test_small_labelled_systems_are_proved_by_parts_without_scipy(method: str) -> None:
    """Its import takes as long as the proof."""
    imports = _imports("check", "models/lts/gas_station.lts", "--property", "safety", "--method", method)
    assert "symag.lts.checking.by_parts" in imports.everywhere
    assert "scipy" not in imports.everywhere


@pytest.mark.parametrize(
    "given",
    [
        "import atexit; atexit.register(lambda: os.write(2, b'done'))",
        "import threading, time; threading.Thread(target=lambda: (time.sleep(0.5), os.write(2, b'done'))).start()",
        "sys.stderr.write('do'); sys.stderr.flush(); sys.stderr.write('ne')",
    ],
)
def test_the_end_of_a_command_leaves_nothing_undone(given: str) -> None:
    program = f"import os, sys; sys.argv[1:] = ['schema', 'info']; {given}; from symag.__main__ import main; main()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "done")
    assert len(done.stdout.splitlines()) > 2

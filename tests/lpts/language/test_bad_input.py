"""Probabilistic systems that are wrong, odd, too large or unreadable: one line each, and nothing half written."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import pytest

from symag import check, read
from symag.core import input_files, state_table
from symag.core.errors import InputError, UsageError
from symag.core.results import Verdict
from symag.lpts.language.explicit import read_explicit
from symag.lpts.language.reading import read_system
from symag.lpts.lpts import fraction_of
from tests.small_files import with_small_files

PRISM = """mdp
module m
  s : [0..1];
  [a] s=0 -> 0.5:(s'=1) + 0.5:(s'=0);
endmodule
"""
EXPLICIT = "2 1 2\n0 0 0 0.5 a\n0 0 1 0.5 a\n"
LABELS = '0="init" 1="deadlock"\n0: 0\n1: 1\n'
VALUES = "(s)\n0:(0)\n1:(1)\n"
PROPERTIES = "P>=1 [F s=1]\n"


def _answer(folder: Path, system: str, specification: str, **limits: Any) -> Any:
    (folder / "system.nm").write_text(system)
    (folder / "specification.nm").write_text(specification)
    model = read(folder / "system.nm", specification=str(folder / "specification.nm"))
    (answer,) = check(model, **limits)
    return answer


# ------------------------------------------------------------------------------------------------- alphabets


def test_an_alphabet_that_shares_nothing_is_mentioned(tmp_path: Path) -> None:
    name = tmp_path / "specification.nm"
    assert _answer(tmp_path, PRISM, PRISM).result.warnings == ()
    beside = PRISM + "module n\n  t : [0..1];\n  [z] t=0 -> (t'=1);\nendmodule\n"
    answer = _answer(tmp_path, beside, PRISM)
    warning = f"n shares no action with another component or {name}: it moves independently of them"
    assert (answer.verdict, answer.result.warnings) == (Verdict.HOLDS, (warning,))
    answer = _answer(tmp_path, PRISM, PRISM.replace("[a]", "[b]"))
    assert answer.result.warnings == (f"{name} shares no action with the system; is a name wrong?",)


# --------------------------------------------------------------------------------------- wrong and huge numbers


def test_a_header_with_more_states_than_the_transitions_have(tmp_path: Path) -> None:
    """No table of all states is made: it would take 16 GB and more."""
    path = tmp_path / "m.tra"
    path.write_text("2000000000 1 1\n0 0 0 1.0\n")
    with pytest.raises(InputError, match="promises 2000000000 states, but its transitions have at most 2") as error:
        read_explicit(str(path))
    assert (error.value.line, error.value.column) == (1, 1)
    path.write_text("3 1 1\n0 0 0 1.0\n")
    assert read_explicit(str(path))[0].states == 3


_PRISM = (
    (
        PRISM.replace("0.5:(s'=0)", "0.499:(s'=0)"),
        ":4:3: the probabilities of the updates sum to 999/1000, expected",
    ),
    (PRISM.replace("0..1]", "1..0]"), ":3:3: the range of s is [1..0], expected at least one value"),
    (PRISM + "init false endinit", ":6:12: no state satisfies the condition of the initial states"),
    (
        PRISM.replace("0..1]", "0..99999999999999999999]"),
        ":3:3: the range of s is [0..99999999999999999999], expected",
    ),
    (PRISM.replace("s=0 ->", "s<pow(9,pow(9,9)) ->"), ":4:9: a power that is too large"),
    (PRISM.replace("0.5", "1e-999999999"), ":4:14: the exponent is too large, expected at most 10000"),
    (PRISM.replace("0.5", f"0.{'3' * 5000}"), ":4:14: a number of 5,002 characters is too long"),
    (PRISM.replace("s=0", f"s<{'9' * 5000}"), ":4:9: a number of 5,000 digits is too large"),
    ("", ":1:1: expected a module, found the end of the file"),
    (PRISM[:52], ":4:26: expected an expression, found the end of the file"),
    ("mdp\0", ": this is a binary file, expected the text of a model"),
)


@pytest.mark.parametrize(("text", "message"), _PRISM, ids=[message for _, message in _PRISM])
def test_wrong_models_in_prisms_language(tmp_path: Path, text: str, message: str) -> None:
    model = tmp_path / "m.nm"
    model.write_text(text)
    with pytest.raises(InputError) as error:
        read_system(str(model))
    assert f"{model}{message}" in str(error.value)
    assert "\n" not in str(error.value)


_EXPLICIT = (
    (
        EXPLICIT.replace("1 0.5", "1 0.499"),
        ":2:1: the probabilities of this choice sum to 999/1000, expected exactly 1",
    ),
    ("0 0 0\n", ":1:1: there is no state, expected at least one"),
    (EXPLICIT.replace("2 1 2", "2 7 2"), ":1:1: the first line promises 7 choices, found 1"),
    (EXPLICIT.replace("2 1 2", f"{'9' * 30} 1 2"), ":1:1: a number of 30 digits is too large"),
    (EXPLICIT.replace("0.5", "1e-999999999"), ":2:1: expected a probability, found '1e-999999999'"),
    (EXPLICIT.replace("0.5", f"0.{'3' * 5000}"), f":2:1: expected a probability, found '0.{'3' * 38}'"),
    (EXPLICIT.replace("0.5", "nan"), ":2:1: expected a probability, found 'nan'"),
    ("", ":1:1: expected the numbers of states, perhaps choices, and transitions"),
    (EXPLICIT[:18], ":1:1: the first line promises 2 transitions, found 1"),
    (EXPLICIT[:24], ":3:1: expected source, choice, target, probability and perhaps an action"),
    ("2 1\0 2", ": this is a binary file, expected the text of a model"),
)


@pytest.mark.parametrize(("text", "message"), _EXPLICIT, ids=[message for _, message in _EXPLICIT])
def test_wrong_explicit_files(tmp_path: Path, text: str, message: str) -> None:
    model = tmp_path / "m.tra"
    model.write_text(text)
    with pytest.raises(InputError) as error:
        read_explicit(str(model))
    assert f"{model}{message}" in str(error.value)
    assert "\n" not in str(error.value)


def test_numbers_of_users_and_of_evidence() -> None:
    assert fraction_of("1e-10000") > 0
    for text in ("1e-10001", "1E+99999999999", "1" * 5000, "1e", "x"):
        with pytest.raises(ValueError, match=r"exponent|long|literal"):
            fraction_of(text)


def test_a_constant_with_a_huge_exponent_is_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "m.nm").write_text(PRISM.replace("mdp", "mdp const double p;").replace("0.5", "p"))
    with pytest.raises(UsageError, match="expected a value of type double"):
        read_system(str(tmp_path / "m.nm"), constants={"p": "1e-999999999"})


# ------------------------------------------------------------------------------------- files that are no files


def _files(folder: Path) -> dict[str, Path]:
    """Every kind of file that belongs to a probabilistic system, with contents that are right."""
    contents = {
        "m.nm": PRISM,
        "p.nm": PRISM,
        "e.tra": EXPLICIT,
        "e.lab": LABELS,
        "e.sta": VALUES,
        "q.props": PROPERTIES,
    }
    for name, content in contents.items():
        (folder / name).write_text(content)
    return {name: folder / name for name in contents}


def _all_read(files: dict[str, Path]) -> None:
    """Reads all of them."""
    for model in ("m.nm", "e.tra"):
        list(check(read(files[model], specification=str(files["p.nm"]))))
    list(check(read(files["m.nm"], properties=str(files["q.props"]))))


@pytest.mark.parametrize("name", ["m.nm", "p.nm", "e.tra", "e.lab", "e.sta", "q.props"])
def test_pipes_and_devices_are_refused(tmp_path: Path, name: str) -> None:
    files = _files(tmp_path)
    for kind in ("a named pipe", "a device or a socket"):
        files[name].unlink()
        if kind == "a named pipe":
            os.mkfifo(files[name])
        else:
            files[name].symlink_to("/dev/zero")
        with pytest.raises(InputError) as error:
            _all_read(files)
        assert str(error.value) == f"{files[name]}: this is {kind}, expected a file"


class _Growing(io.FileIO):
    """A file to which another program writes while it is read."""

    def read(self, *sizes: Any) -> Any:
        content = super().read(*sizes)
        with Path(str(self.name)).open("ab") as file:
            file.write(b"\n")
        return content


@pytest.mark.parametrize("name", ["m.nm", "p.nm", "e.tra", "e.lab", "e.sta", "q.props"])
def test_a_file_that_grows_while_it_is_read_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    files = _files(tmp_path)
    _all_read(files)

    def opened(path: str, mode: str) -> Any:
        return _Growing(path) if os.fspath(path) == str(files[name]) else open(path, mode)

    monkeypatch.setattr(input_files, "open", opened, raising=False)
    with pytest.raises(InputError) as error:
        _all_read(files)
    assert str(error.value) == f"{files[name]}: the file changed while it was read"


# ---------------------------------------------------------------------------------------- memory and disk used up


@pytest.mark.parametrize("method", ["monolithic", "cegar"])
def test_more_states_than_fit_are_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    monkeypatch.setattr(state_table, "MOST_STATES", 10_000)
    cells = "".join(f"module c{k}\n  c{k} : [0..1];\n  [set{k}] c{k}=0 -> (c{k}'=1);\nendmodule\n" for k in range(20))
    answer = _answer(tmp_path, PRISM + cells, PRISM, method=method)
    assert (answer.verdict, answer.result.reason) == (Verdict.UNKNOWN, "memory")


@pytest.mark.parametrize("what", ["--certificate", "--trace", "convert"])
def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path, what: str) -> None:
    target = tmp_path / ("o.tra" if what == "convert" else "o.json")
    model = "models/lpts/client_server3"
    specification = f"{model}_{'wrong' if what == '--trace' else 'specification'}.nm"
    asked = ["check", f"{model}.nm", "--specification", specification, what, target]
    ran = with_small_files(256, *(["convert", f"{model}.nm", target] if what == "convert" else asked))
    assert (ran.returncode, ran.stderr) == (2, f"symag: cannot write {target}: File too large\n")
    assert list(tmp_path.iterdir()) == []

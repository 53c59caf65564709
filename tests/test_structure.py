"""What keeps the code readable: short files, short functions, few parameters, folders of one idea."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.conftest import ROOT, statements

pytestmark = pytest.mark.smoke

SYMAG = ROOT / "symag"
LONGEST_FILE, LONGEST_FUNCTION, MOST_PARAMETERS, LARGEST_FOLDER, DEEPEST = 400, 60, 10, 20, 5


#: What starts, bounds or ends processes.
_CALLS_OF = {
    "os": "fork forkpty posix_spawn popen kill killpg wait wait3 wait4 waitpid execv system",
    "resource": "setrlimit prlimit",
}
PROCESS_CALLS = frozenset(f"{module}.{name}" for module, names in _CALLS_OF.items() for name in names.split())
PROCESS_NAMES = frozenset(call.rpartition(".")[2] for call in PROCESS_CALLS)
PROCESS_MODULES = frozenset({"subprocess", "multiprocessing", "psutil", "pty"})
#: Outside of ``symag/process``: short commands without limits; why stands at the call.
SHORT_COMMANDS = {"symag/cli/nusmv/model.py", "symag/cli/nusmv/shell.py", "symag/suites/alone.py"}


def _files() -> list[Path]:
    return sorted(SYMAG.rglob("*.py"))


def _functions(trees: Mapping[Path, ast.Module]) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path, tree in trees.items():
        for node in statements(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", node


def _parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """All parameters but ``self`` and ``cls``."""
    arguments = node.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    own = sum(parameter.arg not in ("self", "cls") for parameter in named)
    return own + (arguments.vararg is not None) + (arguments.kwarg is not None)


def test_files_are_short() -> None:
    lengths = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in _files()}
    assert len(lengths) > 400
    assert {path: length for path, length in lengths.items() if length > LONGEST_FILE} == {}


def test_functions_are_short_and_take_few_parameters(trees: Mapping[Path, ast.Module]) -> None:
    functions = dict(_functions(trees))
    assert len(functions) > 3000
    lengths = {name: (node.end_lineno or node.lineno) - node.lineno + 1 for name, node in functions.items()}
    assert {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION} == {}
    counts = {name: _parameters(node) for name, node in functions.items()}
    assert {name: count for name, count in counts.items() if count > MOST_PARAMETERS} == {}


def depth(node: ast.AST) -> int:
    """How many statements with bodies stand in each other below a node; all branches of one chain are one."""
    deepest = 0
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.ClassDef | ast.expr):
            continue
        is_chained = isinstance(node, ast.If) and node.orelse == [child]
        nests = isinstance(child, ast.If | ast.For | ast.While | ast.With | ast.Try | ast.Match) and not is_chained
        deepest = max(deepest, nests + depth(child))
    return deepest


def test_functions_are_not_deeply_nested(trees: Mapping[Path, ast.Module]) -> None:
    depths = {name: depth(node) for name, node in _functions(trees)}
    assert {name: deep for name, deep in depths.items() if deep > DEEPEST} == {}


def test_nesting_is_noticed() -> None:
    source = "def f():\n if a:\n  pass\n elif b:\n  for c in d:\n   while e:\n    pass\n"
    assert depth(ast.parse(source).body[0]) == 3


def test_folders_hold_one_idea() -> None:
    further = (path for folder in ("tests", "scripts") for path in (ROOT / folder).rglob("*.py"))
    sizes = Counter(str(path.parent.relative_to(ROOT)) for path in (*_files(), *further))
    assert {folder: size for folder, size in sizes.items() if size > LARGEST_FOLDER} == {}


def process_calls(tree: ast.Module) -> list[str]:
    """Calls that start, bound or end processes, and imports of modules that do."""
    calls = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            calls += [f"{node.lineno}: imports {name}" for name in names if name in PROCESS_MODULES]
        elif isinstance(node, ast.Attribute) and node.attr in PROCESS_NAMES and ast.unparse(node) in PROCESS_CALLS:
            calls.append(f"{node.lineno}: {ast.unparse(node)}")
    return calls


@pytest.mark.long
def test_processes_are_supervised_in_one_place(trees: Mapping[Path, ast.Module]) -> None:
    supervising = SYMAG / "process"
    outside = {path: tree for path, tree in trees.items() if path.parent != supervising}
    calls = {str(path.relative_to(ROOT)): process_calls(tree) for path, tree in outside.items()}
    assert {path for path, lines in calls.items() if lines} == SHORT_COMMANDS
    assert all(len(calls[path]) == 1 for path in SHORT_COMMANDS)
    assert sum(bool(process_calls(trees[path])) for path in supervising.glob("*.py")) >= 3


@pytest.mark.parametrize(
    "source",
    ["import os\nos.fork()", "import multiprocessing", "from subprocess import run", "import os\nos.kill(1, 9)"],
)
def test_a_process_elsewhere_is_noticed(source: str) -> None:
    assert process_calls(ast.parse(source))


#: Names that libraries call, of methods that they ask for.
CALLED_BY_LIBRARIES = {
    "click": {"format_commands", "format_help", "invoke", "make_context", "resolve_command"},
    "pyparsing": {"parseImpl", "_generateDefaultName"},
    "html.parser": {"handle_starttag", "handle_data", "handle_endtag"},
    "IPython": {"_repr_html_", "_repr_svg_"},
    "benchexec": {"Tool", "cmdline", "determine_result"},
}


def unused(sources: Mapping[str, ast.Module], others: Iterable[ast.Module]) -> list[str]:
    """Functions and classes that nothing but themselves uses, by name; ``others`` is code that may use them too."""
    uses: Counter[str] = Counter()
    by_themselves: Counter[ast.AST] = Counter()
    definitions: list[tuple[str, ast.FunctionDef | ast.ClassDef]] = []

    def count(node: ast.AST, path: str, around: tuple[ast.FunctionDef | ast.ClassDef, ...]) -> None:
        if path and isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("__"):
            definitions.append((path, node))
            around = (*around, node)
        for name in _used(node):
            uses[name] += 1
            by_themselves.update(definition for definition in around if definition.name == name)
        for child in ast.iter_child_nodes(node):
            count(child, path, around)

    for path, tree in [*sources.items(), *(("", tree) for tree in others)]:
        count(tree, path, ())
    return [f"{path}:{node.lineno} {node.name}" for path, node in definitions if uses[node.name] <= by_themselves[node]]


def _used(node: ast.AST) -> Iterator[str]:
    """The names that a node mentions; short texts are tables that name modules and functions."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 80:
        yield from re.findall(r"\w+", node.value)


@pytest.mark.long
def test_nothing_is_kept_alive_by_tests_alone(trees: Mapping[Path, ast.Module]) -> None:
    sources = {str(path.relative_to(ROOT)): tree for path, tree in trees.items()}
    files = [path for folder in ("scripts", "models") for path in (ROOT / folder).rglob("*.py")]
    others = [ast.parse(path.read_text()) for path in files]
    called = set().union(*CALLED_BY_LIBRARIES.values())
    assert [line for line in unused(sources, others) if line.split()[-1] not in called] == []


def test_an_unused_function_is_noticed() -> None:
    source = "def used(): pass\ndef lonely(): lonely()\nclass Lonely:\n    def method(self): used(), self.method\n"
    assert unused({"a.py": ast.parse(source)}, []) == ["a.py:2 lonely", "a.py:3 Lonely", "a.py:4 method"]


def test_values_are_changed_by_the_function_that_takes_structs_too() -> None:
    """``dataclasses.replace`` refuses a Struct only when it runs; mypy does not notice."""
    pattern = re.compile(r"from dataclasses [i]mport .*\breplace\b|dataclasses[.]replace\(")
    files = [path for folder in ("symag", "tests", "scripts") for path in (ROOT / folder).rglob("*.py")]
    changing = [str(path.relative_to(ROOT)) for path in files if pattern.search(path.read_text())]
    assert changing == ["symag/core/values.py"]


#: Context variables, whose values end with the command that sets them.
_CONTEXTS = ["symag/core/input_files.py"]


def test_no_module_keeps_state() -> None:
    pattern = re.compile(r"^ *global |@\S*\bcache\b|lru_cache|\bContextVar\(", re.MULTILINE)
    assert pattern.search("@functools.cache\ndef f(x): ...")
    assert pattern.search("def f():\n    global x\n")
    assert pattern.search('x = ContextVar("x")')
    assert [str(path.relative_to(ROOT)) for path in _files() if pattern.search(path.read_text())] == _CONTEXTS

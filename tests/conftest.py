"""What every part's tests share: where the public suites are, and how many tests went without them."""

from __future__ import annotations

import ast
import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

ROOT = Path(__file__).resolve().parent.parent


def pytest_configure() -> None:
    """A shell starts jobs in the background with SIGINT ignored, and every command of a test would inherit that.

    Collections of garbage would take a third of the time in which tests are collected.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.disable()


def pytest_collection_finish() -> None:
    """Modules and tests are there to the end: no collection of garbage looks at them again, here or in a fork."""
    gc.freeze()
    gc.enable()


# Profiles of hypothesis: ``dev``, the default, runs a tenth of the examples that each test asks for, ``ci`` 15%,
# and ``thorough`` all. The first two draw the same examples in every run, so that a change fails by its own
# fault only; ``thorough`` draws others each time.
_ANY_SPEED = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
for _name in ("thorough", "ci", "dev"):
    hypothesis.settings.register_profile(_name, derandomize=_name != "thorough", **_ANY_SPEED)
hypothesis.settings.load_profile("dev")

#: The share of a test's examples that each profile runs, and the fewest of them.
_EXAMPLES = {"thorough": (1.0, 0), "ci": (0.15, 12), "dev": (0.1, 5)}


def _profile() -> str:
    return hypothesis.settings.get_current_profile_name()


def examples(most: int) -> int:
    """How many of its examples a random test runs, for those that ask while they run."""
    share, fewest = _EXAMPLES.get(_profile(), _EXAMPLES["thorough"])
    return min(most, max(fewest, round(share * most)))


@pytest.hookimpl(tryfirst=True)  # before pytest chooses by markers
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Each random test is marked as one, and runs the share of its examples that the profile has."""
    for item in items:
        test = getattr(item, "obj", None)
        own = getattr(test, "_hypothesis_internal_use_settings", None)
        if own is not None:
            item.add_marker("random")
            share = hypothesis.settings(own, max_examples=examples(own.max_examples))
            test._hypothesis_internal_use_settings = share
    if _profile() in ("ci", "dev"):
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("thorough")])
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]


def suites_folder() -> Path:
    """SYMAG_SUITES, or ../shared/suites beside the project."""
    return Path(os.environ.get("SYMAG_SUITES", ROOT.parent / "shared" / "suites"))


@pytest.fixture(scope="session")
def suites() -> Path:
    """The folder of public models with known verdicts; the test is skipped on a machine without it."""
    folder = suites_folder()
    if not (folder / "smv").is_dir():
        pytest.skip(f"no suites at {folder}")
    return folder


@pytest.fixture(scope="session")
def trees() -> dict[Path, ast.Module]:
    """The syntax trees of symag's modules. Collections of garbage would take three quarters of the time."""
    gc.disable()
    parsed = {path: ast.parse(path.read_text()) for path in sorted((ROOT / "symag").rglob("*.py"))}
    gc.freeze()
    gc.enable()
    return parsed


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """What stands below a node, without expressions."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr):
            yield child
            yield from statements(child)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    skipped = _skipped_for_suites(terminalreporter)
    if skipped:
        terminalreporter.write_line(f"{skipped} tests were skipped because {suites_folder()} is missing (SYMAG_SUITES)")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """With SYMAG_REQUIRE_SUITES=1, a skipped suite test is a failure wherever the suites are there."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    required = os.environ.get("SYMAG_REQUIRE_SUITES") == "1"
    if required and reporter and _skipped_for_suites(reporter) and (ROOT.parent / "shared" / "suites").is_dir():
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _skipped_for_suites(reporter: pytest.TerminalReporter) -> int:
    return sum("no suites at" in str(report.longrepr) for report in reporter.stats.get("skipped", []))

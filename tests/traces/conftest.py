"""A real browser for the tests of pages."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of a file; without one on PATH they are skipped."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("there is no Chromium on PATH")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


class Shown:
    """Opens pages, and fails afterwards if one has said something or asked for something to be loaded."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self.faults: list[str] = []

    def __call__(
        self, file: Path, width: int = 1400, height: int = 800, fragment: str = "", dark: bool = False
    ) -> Page:
        page = self._browser.new_page(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
        )
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda message: self.faults.append(message.text))
        page.on("request", lambda asked: self.faults.append(asked.url) if asked.url != file.as_uri() else None)
        page.goto(file.as_uri() + fragment)
        return page


@pytest.fixture
def shown(browser: Browser) -> Iterator[Shown]:
    """Opens a page in a window of some size."""
    opener = Shown(browser)
    yield opener
    for context in browser.contexts:
        context.close()
    assert opener.faults == []

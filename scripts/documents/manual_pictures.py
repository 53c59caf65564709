"""The pictures of the manual, made by the commands before them in its text.

    python -m scripts.documents.manual_pictures [NAME ...]

A picture ``pictures/x.png`` is a screenshot by Chromium of the page ``x.html`` that a command of the same text writes;
``pictures/x.svg`` is written by such a command, or drawn by Graphviz from its ``x.dot``. Without NAME all are made.
Needs Playwright with a Chromium on PATH and Pillow (both are in the extra "test"), and Graphviz. The picture of a proof
shows its parts.
"""

from __future__ import annotations

import argparse
import io
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from scripts.measuring.measure import ROOT, SYMAG

MANUAL = ROOT / "symag" / "manual"
#: A picture in a text: its name and suffix.
PICTURE = re.compile(r"!\[[^]]*\]\(pictures/([\w-]+)\.(png|svg)\)")
#: Of a page, in points on the screen; colours of a picture, which make it small.
_WIDTH, _HEIGHT, _COLOURS = 860, 400, 32


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="the pictures, without folder and suffix")
    names: list[str] = parser.parse_args().names
    for file in sorted(MANUAL.glob("*.md")):
        chosen = [picture for picture in PICTURE.findall(file.read_text()) if not names or picture[0] in names]
        if chosen:
            with tempfile.TemporaryDirectory() as folder:
                make(file.read_text(), chosen, Path(folder))
    return 0


def commands(text: str) -> list[str]:
    """The commands of symag in a text: after $ at the beginning of a line, or between backquotes."""
    return [block or inline for block, inline in re.findall(r"^ *\$ (symag .*)$|`(symag [^`\n]+)`", text, re.MULTILINE)]


def make(text: str, chosen: list[tuple[str, str]], folder: Path) -> None:
    """Run the commands of a text that write files for these pictures, and make them."""
    (folder / "models").symlink_to(ROOT / "models")
    for command in commands(text):
        if any(f"{name}." in command for name, _ in chosen):
            subprocess.run([*SYMAG, *shlex.split(command)[1:]], cwd=folder, check=False, capture_output=True)
    for name, suffix in chosen:
        picture = MANUAL / "pictures" / f"{name}.{suffix}"
        if suffix == "png":
            picture.write_bytes(shown(folder / f"{name}.html"))
        elif (folder / f"{name}.dot").exists():
            drawn = subprocess.run(["dot", "-Tsvg", folder / f"{name}.dot"], check=True, capture_output=True, text=True)
            picture.write_text(re.sub(r"<!--.*?-->\n?", "", drawn.stdout, flags=re.DOTALL))
        else:
            shutil.copy(folder / f"{name}.svg", picture)
        print(f"{picture}: {picture.stat().st_size} bytes")


def shown(page: Path) -> bytes:
    """A page of a trace or a proof in Chromium, in few colours."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        tab = started.new_page(viewport={"width": _WIDTH, "height": _HEIGHT}, color_scheme="light")
        tab.goto(page.as_uri())
        parts = tab.locator("section", has=tab.get_by_role("heading", name="Parts", exact=True))
        image = parts.screenshot() if parts.count() else tab.screenshot()
        started.close()
    written = io.BytesIO()
    Image.open(io.BytesIO(image)).convert("RGB").quantize(_COLOURS).save(written, "png", optimize=True)
    return written.getvalue()


if __name__ == "__main__":
    sys.exit(main())

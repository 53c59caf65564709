"""The manual as HTML that needs no network, and the page for man(1), by MkDocs with the theme Material.

    python -m scripts.documents.build_manual FOLDER

The pages of ``symag/manual``, the page of options, and a first page with the list of all.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from symag.cli.main import group
from symag.cli.manual.command import PAGES, man_page, page, title

_SOURCE = Path(__file__).resolve().parents[2] / "symag" / "manual"
_INDEX = "# The manual of symag\n\nsymag is a model checker that proves by parts. Begin with [Start](start.md).\n\n"


def main() -> int:
    """Build into the folder; 1 where MkDocs is missing or finds something wrong, such as a link that leads nowhere."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path, metavar="FOLDER")
    output: Path = parser.parse_args().output.resolve()
    if importlib.util.find_spec("material") is None:
        print("MkDocs is not installed: pip install 'symag[manual]'", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as folder:
        sources = Path(folder) / "docs"
        write_pages(sources)
        settings = Path(folder) / "mkdocs.yml"
        settings.write_text(json.dumps(configuration(sources)))  # JSON is YAML
        command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--clean"]
        command += ["--config-file", str(settings), "--site-dir", str(output)]
        # The theme advertises its successor.
        ran = subprocess.run(command, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, check=False)
    if ran.returncode:
        return 1
    (output / "symag.1").write_text(man_page(group), encoding="utf-8")
    print(f"{output / 'index.html'}: {len(PAGES)} pages")
    return 0


def write_pages(folder: Path) -> None:
    """All pages as Markdown files, with the pictures."""
    shutil.copytree(_SOURCE / "pictures", folder / "pictures")
    texts = {name: page(name, group) for name in PAGES}
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    contents = "\n".join(f"- [{title(text)}]({name}.md)" for name, text in texts.items())
    (folder / "index.md").write_text(f"{_INDEX}{contents}\n", encoding="utf-8")


def configuration(sources: Path) -> dict[str, Any]:
    """MkDocs' settings: nothing is loaded from elsewhere. (The search needs a server: python -m http.server.)"""
    colours = [
        {"media": "(prefers-color-scheme: light)", "scheme": "default"},
        {"media": "(prefers-color-scheme: dark)", "scheme": "slate"},
    ]
    return {
        "site_name": "symag",
        "docs_dir": str(sources),
        "use_directory_urls": False,
        "theme": {"name": "material", "font": False, "palette": colours},
        "plugins": ["search"],
        "markdown_extensions": ["tables", "pymdownx.highlight", "pymdownx.superfences"],
        "nav": [{title(page(name, group)): f"{name}.md"} for name in PAGES],
        "extra": {"generator": False},
    }


if __name__ == "__main__":
    sys.exit(main())

"""Trees and walks as JSON."""

from __future__ import annotations

import json

from symag.lpts.checking.written_traces import WrittenTree, WrittenWalk


def tree_text(tree: WrittenTree) -> str:
    """A tree as its certificate."""
    return tree.document


def walk_text(walk: WrittenWalk) -> str:
    """A walk as the object that ``symag simulate --json`` prints."""
    return json.dumps(walk.document, indent=2) + "\n"

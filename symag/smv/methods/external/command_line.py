"""The command line of a program that is asked too, with words in braces that stand for files."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from symag.core.errors import UsageError

#: The file for each placeholder of a command: the models that it reads, and the outputs that it writes.
MODELS: Mapping[str, str] = {"{aiger}": "model.aig", "{aag}": "model.aag", "{btor2}": "model.btor2"}
OUTPUTS: Mapping[str, str] = {"{witness}": "witness.cex", "{certificate}": "certificate.aig", "{pla}": "invariant.pla"}


def words_of(command: str) -> list[str]:
    """The words of a command line, split as a shell does.

    Raises UsageError for a quotation without end, an empty line, and a line without a placeholder for the model.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"--command: {error}".lower().replace("--command: no ", "--command: there is no ")) from None
    if not words:
        raise UsageError("--command is empty")
    if not any(placeholder in word for word in words for placeholder in MODELS):
        raise UsageError(f"--command names no model: {', '.join(MODELS)} stands for its file")
    return words


def filled(word: str, paths: Mapping[str, str]) -> str:
    """The word with the path of each placeholder."""
    for placeholder, path in paths.items():
        word = word.replace(placeholder, path)
    return word

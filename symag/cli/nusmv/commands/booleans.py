"""The model over boolean variables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from symag.cli.nusmv.streams import CommandError

if TYPE_CHECKING:
    from symag.cli.nusmv.shell import Shell


def build_boolean_model(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``build_boolean_model``: prepare the model for the boolean commands. Raises CommandError for its errors."""
    model = shell.known_model
    if model.boolean and "f" not in options:
        raise CommandError(f"A model appears to be already built from file: {model.path}.")
    model.state_sets(shell.environment)  # so that no evaluation of the model can fail
    model.boolean = True


def write_boolean_model(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``write_boolean_model``: the boolean model as SMV, to a file or to standard output. Raises CommandError."""
    from symag.smv.convert.boolean_model import boolean_text  # with certify's circuits, slow to import

    model = shell.known_model
    if not model.boolean:
        what = 'The boolean model must be built before.\n(Use the command "build_boolean_model")'
        raise CommandError(what)
    text = boolean_text(model.system)
    path = options.get("o") or shell.environment.text("output_boolean_model_file")
    with shell.streams.into(path, announced=False):
        shell.streams.write(text)

"""The header of every model of these families, and the command line of the generators.

A generator is one Python file for each family, with a function from its parameters to the text of an SMV
model. It is run as ``python models/families/FAMILY.py PARAMETERS > model.smv``.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Callable, Mapping

WIDTH = 100


def document(title: str, about: str, command: str, bits: int, verdicts: Mapping[str, str], body: str) -> str:
    """The text of a model: a header in SMV comments, then ``body``.

    ``command`` is the generator with the parameters that make this very text; ``bits`` is the number of
    boolean variables that the model needs in all (state and input); ``verdicts`` maps the name of every
    INVARSPEC in ``body`` to ``holds`` or ``violated``.
    """
    lines = [
        *textwrap.wrap(f"{title}: {about}", WIDTH - 3),
        f"Made by: python models/families/{command}",
        f"Size: {bits} bits",
    ]
    lines += [f"Verdict of {name}: {verdict}" for name, verdict in verdicts.items()]
    return "".join(f"-- {line}\n" for line in lines) + "\n" + body.strip() + "\n"


def run(description: str, model: Callable[..., str], parameters: Mapping[str, tuple[type, object, str]]) -> None:
    """The command line of a generator: reads its parameters and prints the model on standard output.

    ``parameters`` maps the name of each of ``model``'s arguments to (type, default, help); an argument
    whose default is None must be given and is positional, one of type bool is a flag. Exits with
    status 2 on wrong usage and when ``model`` raises ValueError.
    """
    parser = argparse.ArgumentParser(description=description)
    for name, (kind, default, text) in parameters.items():
        if kind is bool:
            parser.add_argument(f"--{name}", action="store_true", help=text)
        elif default is None:
            parser.add_argument(name, type=kind, help=text)
        else:
            parser.add_argument(f"--{name}", type=kind, default=default, help=f"{text} (default: {default})")
    try:
        sys.stdout.write(model(**vars(parser.parse_args())))
    except ValueError as error:
        parser.error(str(error))


def bits_of(size: int) -> int:
    """Boolean variables that encode a type of ``size`` values."""
    return (size - 1).bit_length()

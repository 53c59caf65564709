"""The header of the models in this folder, and the command line of the generators.

A generator is one Python file for each family. It prints the system, with ``--specification`` its specification,
and with ``--wrong`` a specification with one probability changed, which is violated.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Callable, Sequence

#: The text of a system, and of its specification (right or wrong), for N users.
System = Callable[[int], str]
Specification = Callable[[int, bool], str]


def document(about: str, command: str, sizes: Sequence[str], body: str) -> str:
    """The text of a PRISM model: a header that says what it is, what makes it and how large it is, then ``body``."""
    lines = textwrap.wrap(about, 97)
    lines.append(f"Made by: python models/lpts/{command}")
    lines += [part for size in sizes for part in textwrap.wrap(f"Size: {size}", 97, subsequent_indent="  ")]
    return "".join(f"// {line}\n" for line in lines) + "\nmdp\n\n" + body.strip() + "\n"


def flags(specification: bool, wrong: bool) -> str:
    """The flags of the command line that print this specification."""
    return f"{' --specification' if specification else ''}{' --wrong' if wrong else ''}"


def run(description: str, system: System, specification: Specification) -> None:
    """The command line of a generator. Exits with status 2 on wrong usage and when a parameter is refused."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("users", type=int, help="how many of them, at least 1")
    parser.add_argument("--specification", action="store_true", help="print the specification")
    parser.add_argument("--wrong", action="store_true", help="print a specification that is violated")
    arguments = parser.parse_args()
    if arguments.users < 1:
        parser.error("at least 1 is needed")
    if arguments.specification or arguments.wrong:
        sys.stdout.write(specification(arguments.users, arguments.wrong))
    else:
        sys.stdout.write(system(arguments.users))

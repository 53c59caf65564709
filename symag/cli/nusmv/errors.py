"""symag's input errors as NuSMV words them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from symag.cli.nusmv.streams import CommandError
from symag.core.errors import InputError
from symag.core.source import SourceText
from symag.smv.language import syntax
from symag.smv.language.lexer import tokens
from symag.smv.language.text import text_of

Modules = tuple[syntax.Module, ...]

#: symag's message, NuSMV's message, and whether NuSMV prints an empty line after it.
_RULES: tuple[tuple[str, str, bool], ...] = (
    (r"there is no module 'main'.*", '"main" undefined', False),
    (r"circular definition: (.+?) -> .*", r"recursively defined: \1", False),
    (r"circular assignment: (?:next\()?([^) ]+)\)? -> .*", r"recursively defined: \1", True),
    (r"'(.+)' is declared twice", r"multiple declaration of identifier: \1", False),
    (r"two properties are named '(.+)'", r"multiple declaration of identifier: \1", False),
    (r"(?:init\(|next\()?([^()]+)\)? is assigned twice", r"variable is assigned more than once: \1", False),
    (r"'(real|integer|continuous|clock)' variables are not supported.*", r'"\1" undefined', False),
    (r"module '(.+)' is not declared", r'"\1" undefined', False),
    (r"'(.+)' is not declared.*", r'"\1" undefined', True),
    (r"case conditions are not exhaustive", "case conditions are not exhaustive", True),
    (r"division by zero", "Division by zero", True),
    (r"array index out of bounds", "Array index out of bounds", True),
    (r"input variable '(.+)' is not allowed in (INIT|INVAR)", r"\2 expression contains input variables:\n\1", False),
    (r"input variable '(.+)' is not allowed in a .+ property", r"Property contains input variables:\n\1", False),
    (r"input variable '(.+)' cannot be assigned", r'illegal assignment of value to input variable "\1"', False),
    (
        r"frozen variable '(.+)' can only be assigned by init",
        r'illegal assignment to frozen variable "\1". Assignment of an initial value only is allowed.',
        False,
    ),
)
_SYNTAX = re.compile(r"unexpected ('(?P<token>.*?)'|end of file)(, expected.*)?", re.DOTALL)
_TYPES = re.compile(r"illegal operand types? of '(?P<operator>.+)': (?P<types>.+)")
_NOT_BOOLEAN = re.compile(r"an operand of '(?P<operator>.+)' must be boolean, not (?P<types>.+)")
_SECTION_NOT_BOOLEAN = re.compile(r"the expression of (?P<section>INIT|INVAR|TRANS) must be boolean, not (?P<types>.+)")
_CONDITION_NOT_BOOLEAN = re.compile(r"a condition of 'case' must be boolean, not (?P<types>.+)")
_UNDECLARED = re.compile(r"'(?P<name>.+)' is not declared.*")
_TEMPORAL = re.compile(r"temporal operator '(?P<operator>.+)' is not allowed here")
_CTL = frozenset(("AG", "AF", "AX", "EG", "EF", "EX", "A", "E", "AU", "EU", "ABF", "ABG", "EBF", "EBG"))


def command_error(error: InputError, source: SourceText | None, modules: Modules | None) -> CommandError:
    """The error that NuSMV prints for an error in the model; parse errors jump (see CommandError)."""
    where = _where(error)
    message = error.message
    match = _SYNTAX.fullmatch(message)
    if match is not None:
        token = match["token"] or ""
        begins = error.line == 1 and "expected 'MODULE'" in message
        what = "unexpected expression encountered during parsing" if begins else "syntax error"
        return _parse_error(error, f'{where}at token "{token}": {what}\n')
    if message.startswith("illegal character"):
        return _parse_error(error, f'{where}illegal character : "{message.split(chr(39))[1]}"')
    if "needs a preprocessor" in message:
        return _parse_error(error, f"{where}Unexpected preprocessor directive: {message}\n")
    match = _TEMPORAL.fullmatch(message)
    if match is not None:
        kind = "CTL" if match["operator"] in _CTL else "LTL"
        return _parse_error(error, f"{where}: unexpected {kind} operator\n")
    if re.fullmatch(r"'next' is not allowed in .*|'next' inside 'next'", message):
        return _parse_error(error, f"{where}: unexpected 'next' operator\n")
    if source is not None:
        error = _at_esac(error, source)
    property_text = None if source is None or modules is None else _property_around(error, source, modules)
    return _semantic(error, property_text)


def _semantic(error: InputError, property_text: str | None) -> CommandError:
    """An error of names or types; its ending shows the property."""
    violation = _type_error(error.message)
    undeclared = _UNDECLARED.fullmatch(error.message)
    if violation or (undeclared is not None and property_text is not None):
        typed = f"\nTYPE ERROR file {error.file}: line {error.line} : {violation}"
        if undeclared is not None:
            typed += f"undefined identifier '{undeclared['name']}'"
        if property_text is not None:
            ending = f'\nERROR: Property "{property_text} \b" is not correct or not well typed.'
            return CommandError(typed, ending=ending)
        return CommandError(f"{typed}\n\nfile {error.file}: Type System Violation detected\n")
    for pattern, replacement, twice in _RULES:
        match = re.fullmatch(pattern, error.message)
        if match is not None:
            return CommandError(f"\n{_where(error)}{match.expand(replacement)}" + ("\n" if twice else ""))
    return CommandError(f"\n{_where(error)}{error.message}")


def _type_error(message: str) -> str:
    """NuSMV's words for operands of wrong types; empty for other errors."""
    match = _SECTION_NOT_BOOLEAN.fullmatch(message)
    if match is not None:
        return f"illegal type of {match['section']} expression : {_types_worded(match['types'])}"
    match = _CONDITION_NOT_BOOLEAN.fullmatch(message)
    if match is not None:
        return f'illegal left operand type of ":". It should be boolean, but is {_types_worded(match["types"])}'
    match = _TYPES.fullmatch(message) or _NOT_BOOLEAN.fullmatch(message)
    if match is None:
        return ""
    types, operator = _types_worded(match["types"]), match["operator"]
    if operator == "case":
        return f'illegal types of "case" list elements : {types}'
    if operator == "-" and " and " not in types:
        return f'illegal operand types of "unary -" : {types}'
    plural = "types" if " and " in types else "type"
    return f'illegal operand {plural} of "{operator}" : {types}'


def _types_worded(types: str) -> str:
    """NuSMV's names of types for symag's."""
    types = re.sub(r"set of (integer-and-symbolic|\w+)", r"\1-set", types).replace("-and-symbolic-set", "-symbolic-set")
    return re.sub(r"(?<![-\w])(integer-and-symbolic|symbolic)(?!-)", r"\1-enum", types)


_COMMAND_LINE = "file <command-line>: line 1: "


def name_error(error: InputError | ValueError) -> CommandError:
    """An error in the name of a property."""
    match = _SYNTAX.fullmatch(error.message) if isinstance(error, InputError) else None
    token = ";" if match is None else match["token"] or ";"
    return CommandError(f'\n{_COMMAND_LINE}at token "{token}": syntax error\nParsing error: expected a property name.')


def formula_error(error: InputError, kind_word: str, text: str) -> CommandError:
    """An error in a formula of the command line; ``kind_word`` is NuSMV's, such as ``Invar``."""
    where = _COMMAND_LINE
    expected = f'Parsing error: expected an "{kind_word}" expression.'
    match = _SYNTAX.fullmatch(error.message)
    if match is not None:
        token = match["token"] or ";"
        return CommandError(f'\n{where}at token "{token}": syntax error\n{expected}')
    match = _TEMPORAL.fullmatch(error.message)
    if match is not None:
        kind = "CTL" if match["operator"] in _CTL else "LTL"
        return CommandError(f"\n{where}: unexpected {kind} operator\n{expected}")
    if error.message.startswith("'next' is not allowed in"):
        return CommandError(f"\n{where}: unexpected 'next' operator\n{expected}")
    located = InputError(error.message, "<command-line>", 1)
    return _semantic(located, text)


def _where(error: InputError) -> str:
    return f"file {error.file}: " + ("" if error.line is None else f"line {error.line}: ")


def _parse_error(error: InputError, first: str) -> CommandError:
    ending = f"\n\nfile {error.file}: line {error.line}: Parser error"
    return CommandError(f"\n{first}", jumped=True, ending=ending)


def _at_esac(error: InputError, source: SourceText) -> InputError:
    """The error with the place of ``esac``, as in NuSMV, if it is about all of a case."""
    own = error.message == "case conditions are not exhaustive"
    around = error.message.startswith("illegal operand types of 'case'")
    if error.line is None or error.column is None or not (own or around):
        return error
    read = tokens(source)
    depth = 0
    for index in range(read.at(source.offset(error.line, error.column)), len(read.texts)):
        depth += {"case": 1, "esac": -1}.get(read.texts[index], 0)
        if depth == (0 if own else -1):
            return read.error(error.message, index)
    return error


def _property_around(error: InputError, source: SourceText, modules: Modules) -> str | None:
    """The text of the property that contains the error; None if none does."""
    if error.line is None or error.column is None:
        return None
    offset = source.offset(error.line, error.column)
    last: syntax.Item | syntax.Module | None = None
    start = -1
    for item in chain.from_iterable((module, *module.items) for module in modules):
        for position in _positions(item):
            if start < position <= offset:
                last, start = item, position
    return text_of(last.expression).strip() if isinstance(last, syntax.Specification) else None


def _positions(item: syntax.Item | syntax.Module) -> Iterator[int]:
    match item:
        case syntax.Declaration(name=name) | syntax.Definition(name=name):
            yield name.position
        case syntax.Constants(names):
            yield from (name.position for name in names)
        case _:
            yield item.position

"""Reading, building and describing the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from symag.cli.nusmv.batch import write_flat
from symag.cli.nusmv.batch import write_order as write_order_file
from symag.cli.nusmv.environment import CHOICES
from symag.cli.nusmv.model import SessionModel, compassion_warning, flatten_model, read_model, typed_property
from symag.cli.nusmv.properties import PropertyDatabase
from symag.cli.nusmv.streams import CommandError
from symag.smv.checking.reports.trace_report import nusmv_order
from symag.smv.model.flat import FlatSystem, Variable, VariableKind
from symag.smv.model.supports import references
from symag.smv.model.typed import Expression
from symag.smv.model.types import (
    BooleanType,
    EnumerationType,
    RangeType,
    SymbolType,
    Type,
    VariableType,
    WordType,
    bit_count,
)

if TYPE_CHECKING:
    from symag.cli.nusmv.shell import Shell

_NOUNS = {VariableKind.INPUT: "Input", VariableKind.STATE: "State", VariableKind.FROZEN: "Frozen"}
_LETTERS = {VariableKind.INPUT: "i", VariableKind.STATE: "s", VariableKind.FROZEN: "f"}


def read(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``read_model``: read the text of a model. Raises CommandError, also if there is a model already."""
    if shell.model is not None:
        raise CommandError(f"A model appears to be already read from file: {shell.model.path}.")
    if "i" in options:
        shell.environment.set("input_file", options["i"])
    try:
        shell.model = read_model(shell.environment)
    except CommandError as error:
        # NuSMV says the rest in batch mode only.
        raise CommandError(error.beginning) from None


def flatten(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``flatten_hierarchy``: make the flat system and its properties. Raises CommandError, also if they exist.

    A model with an error is forgotten, so that its file can be read again.
    """
    model = shell.known_model
    if model.flat is not None:
        raise CommandError("The hierarchy has already been flattened.")
    try:
        flatten_model(model, shell.streams)
    except CommandError:
        shell.forget_model()
        raise
    shell.database = PropertyDatabase(model.system.properties)


def encode(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``encode_variables``: fix the order of the variables. Raises CommandError."""
    model = shell.known_model
    if model.encoded:
        raise CommandError("The variables appear to be already built.")
    if "i" in options:
        shell.environment.set("input_order_file", options["i"])
    path = shell.environment.text("input_order_file")
    if path is not None and not Path(path).exists():
        raise CommandError(f"Error: file '{path}' not found.")
    model.encoded = True


def build_flat(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``build_flat_model``: nothing after ``flatten_hierarchy``. Raises CommandError if it was called before, also by
    ``go_bmc``.
    """
    model = shell.known_model
    if model.flat_built:
        raise CommandError(f"A model appears to be already built from file: {model.path}.")
    model.flat_built = True


def build(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``build_model``: make the diagrams. Raises CommandError, also if they exist already, unless ``-f`` is given."""
    model = shell.known_model
    if "m" in options:
        shell.environment.set("partition_method", options["m"])
    if model.built and "f" not in options:
        raise CommandError(f"A model appears to be already built from file: {model.path}.")
    compassion_warning(model, shell.streams)
    model.states = model.states if "f" not in options else None
    states = model.state_sets(shell.environment)
    model.built = model.flat_built = True
    if states.initial_is_empty():
        shell.known_checker().warn_of_empty_initial_states()


def encoded(shell: Shell) -> SessionModel:
    """The model after all missing steps up to ``encode_variables``."""
    if shell.model is None:
        read(shell, {}, [])
    model = shell.known_model
    if model.flat is None:
        flatten(shell, {}, [])
    if not model.encoded:
        encode(shell, {}, [])
    return model


def condition(shell: Shell, text: str, may_read_next: bool = True) -> Expression:
    """A condition of the command line. Raises CommandError."""
    try:
        expression = typed_property(shell.known_model, "INVARSPEC", text, 0, "a condition").expression
    except CommandError as error:
        raise CommandError(error.beginning) from None
    assert expression is not None  # an invariant has one
    if not may_read_next and references(shell.known_model.system, expression).next:
        raise CommandError('Parsing error: constraints must be "simple expressions".')
    return expression


def go(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``go``: all missing steps up to a built model."""
    model = encoded(shell)
    if model.built and "f" not in options:
        return
    build(shell, {letter: "" for letter in options if letter == "f"}, [])


def process(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``process_model``: ``go``, then every check."""
    # For start-up: commands that check are imported on use.
    from symag.cli.nusmv.commands.checks import KINDS, check_property
    from symag.cli.nusmv.commands.sets import compute_reachable

    if "i" in options:
        shell.environment.set("input_file", options["i"])
    go(shell, {}, [])
    compute_reachable(shell, {}, [])
    for letter in KINDS:
        check_property(shell, {letter: ""}, [])
    if "r" in options:
        shell.streams.line("\n========= starting reordering ============")
        _reorder(shell)
        shell.streams.line("\n========= after reordering ============")


def reset(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``reset``: forget the model."""
    shell.forget_model()


def get_internal_status(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``get_internal_status``: how far the model is built; NuSMV says nothing once it is."""
    model = shell.model
    stages = () if model is None else (model.flat is not None, model.encoded, model.built)
    status = -1 if model is None else next((number for number, is_done in enumerate(stages) if not is_done), None)
    if status is not None:
        shell.streams.error(f"The internal status is: {status}")


def write_order(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``write_order``: the order of the variables as a file. Raises CommandError."""
    path = options.get("o") or options.get("f") or shell.environment.text("output_order_file") or "temp.ord"
    write_order_file(shell.known_model, shell.environment, path)


def write_flat_model(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``write_flat_model``: the flat system as SMV, to a file or to standard output. Raises CommandError."""
    path = options.get("o") or shell.environment.text("output_flatten_model_file")
    if path is not None:
        write_flat(shell.known_model, path)
        return
    # For start-up: only for a file.
    from symag.smv.model.printer import flat_text

    shell.streams.write(flat_text(shell.known_model.system))


def _reorder(shell: Shell) -> None:
    """Reorder the diagrams of the model now, if there are any."""
    if shell.model is not None and shell.model.states is not None:
        symbolic = shell.model.states.symbolic
        symbolic.context.reorder(symbolic.diagrams())


def dynamic_var_ordering(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``dynamic_var_ordering``: reordering on, off, or now; symag sifts for every method."""
    for letter in ("e", "f"):
        if letter in options and options[letter] not in CHOICES["reorder_method"]:
            raise CommandError(f"unknown method: {options[letter]}")
    streams = shell.streams
    method = options.get("e") or options.get("f") or shell.environment.text("reorder_method")
    if "d" in options:
        shell.environment.set("dynamic_reorder", "0")
    if "e" in options:
        shell.environment.set("dynamic_reorder", "1")
        shell.environment.set("reorder_method", options["e"])
    if "f" in options:
        streams.line(f"Dynamic variable ordering forced with method {method}....")
        _reorder(shell)
        return
    if shell.environment.enabled("dynamic_reorder"):
        method_word = "method" if "e" in options else "method:"
        streams.line(f'Dynamic variable ordering is enabled with {method_word} "{method}".')
    else:
        streams.line("Dynamic variable ordering is disabled.")


def show_vars(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``show_vars``: the variables of the model with their types. Raises CommandError."""
    if sum(letter in options for letter in "tVD") > 1:
        raise CommandError("-t, -V and -D are incompatible with each other.")
    system = shell.known_model.system
    kinds = [kind for kind in _NOUNS if _LETTERS[kind] in options] or list(_NOUNS)
    chosen = [variable for variable in system.variables if variable.kind in kinds]
    streams = shell.streams
    if "D" in options:
        for name in nusmv_order(system):
            streams.line(f"  {name} : {_type_text(system.defines[name].type)}")
        return
    if "t" in options:
        streams.line(f"Number of all selected variables: {len(chosen)}")
        streams.lines(_grouped(chosen))
        return
    if "V" not in options:
        for kind in _NOUNS:
            group = [variable for variable in system.variables if variable.kind is kind]
            streams.line(f"Number of {_NOUNS[kind]} Variables: {len(group)}")
            streams.lines(_grouped(group))
    # NuSMV lists the selector after the model's own variables.
    for variable in sorted(chosen, key=lambda variable: variable.name == system.selector):
        streams.line(f"  {variable.name} : {_type_text(variable.type)}")
        streams.line("  ")
    if "V" not in options:
        streams.line(_bits_line(system))


def _grouped(variables: list[Variable]) -> Iterator[str]:
    counts = Counter(_type_text(variable.type) for variable in variables)
    for text in sorted(counts):
        yield f"    {counts[text]}: {text}"


def _bits_line(system: FlatSystem) -> str:
    bits = dict.fromkeys(_NOUNS, 0)
    for variable in system.variables:
        bits[variable.kind] += bit_count(variable.type)
    frozen, inputs, state = bits[VariableKind.FROZEN], bits[VariableKind.INPUT], bits[VariableKind.STATE]
    return f"Number of bits: {sum(bits.values())} ({frozen} frozen, {inputs} input, {state} state)"


def _type_text(of: Type | VariableType) -> str:
    match of:
        case BooleanType():
            return "boolean"
        case WordType(width, signed):
            return f"{'signed' if signed else 'unsigned'} word[{width}]"
        case RangeType(low, high) if low == high:
            return "integer"
        case RangeType(low, high):
            return f"{{{', '.join(str(value) for value in range(low, high + 1))}}}"
        case EnumerationType(constants):
            return f"{{{', '.join(str(constant) for constant in constants)}}}"
        case SymbolType():
            return "symbolic enum"
        case _:
            return "integer"


def build_boolean_model(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``build_boolean_model``: prepare the model for the boolean commands. Raises CommandError for its errors."""
    model = shell.known_model
    if model.boolean and "f" not in options:
        raise CommandError(f"A model appears to be already built from file: {model.path}.")
    model.refuse_failures()
    model.boolean = True


def write_boolean_model(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``write_boolean_model``: the boolean model as SMV, to a file or to standard output. Raises CommandError."""
    from symag.smv.convert.boolean_model import boolean_text  # with certify's circuits, slow to import

    model = shell.known_model
    model.require_boolean()
    text = boolean_text(model.system)
    path = options.get("o") or shell.environment.text("output_boolean_model_file")
    with shell.streams.into(path, announced=False):
        shell.streams.write(text)

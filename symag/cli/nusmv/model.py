"""The model, stage by stage as NuSMV builds it: read, flattened, encoded, built."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from symag.cli.nusmv.environment import Environment
from symag.cli.nusmv.errors import command_error, formula_error, name_error
from symag.cli.nusmv.streams import CommandError, Streams, memory_worded
from symag.core.errors import InputError
from symag.core.source import SourceText
from symag.core.values import replace
from symag.smv.elaboration.flatten import flatten
from symag.smv.elaboration.formulas import PROPERTY
from symag.smv.elaboration.rules import NotBooleanError
from symag.smv.language import syntax
from symag.smv.language.recursion import collector_paused
from symag.smv.model.flat import FlatSystem, Property, PropertyKind
from symag.smv.model.typed import Constant
from symag.smv.model.types import EnumerationType, RangeType
from symag.smv.reader import parse_source, source_of

if TYPE_CHECKING:
    from symag.cli.nusmv.states import States

#: NuSMV's names of the kinds of properties.
KIND_WORDS: dict[PropertyKind, str] = {
    "CTL": "CTL",
    "COMPUTE": "Quantitative",
    "LTL": "LTL",
    "PSL": "PSL",
    "INVARSPEC": "Invar",
}
_KEYWORDS: dict[PropertyKind, str] = {
    "CTL": "SPEC",
    "COMPUTE": "COMPUTE",
    "LTL": "LTLSPEC",
    "PSL": "PSLSPEC",
    "INVARSPEC": "INVARSPEC",
}


@dataclass(slots=True)
class SessionModel:
    """The current model and its stages; each stage requires the previous one."""

    source: SourceText
    modules: tuple[syntax.Module, ...]
    flat: FlatSystem | None = None
    encoded: bool = False
    flat_built: bool = False
    built: bool = False
    boolean: bool = False
    bounded: bool = False
    states: States | None = None
    order_file: str | None = None

    def require_boolean(self) -> None:
        """Raises CommandError before ``build_boolean_model``, with NuSMV's text."""
        if not self.boolean:
            raise CommandError('The boolean model must be built before.\n(Use the command "build_boolean_model")')

    def require_bmc_setup(self) -> None:
        """Raises CommandError before ``bmc_setup``, with NuSMV's text."""
        if not self.bounded:
            self.require_boolean()
            raise CommandError('Bmc must be setup before. Use the command "bmc_setup".')

    def state_sets(self, environment: Environment) -> States:
        """The encoded model and its sets of states, made on first use. Raises CommandError for errors in the model."""
        # For start-up: BDDs take time to import.
        from symag.cli.nusmv.states import States

        if self.states is None:
            path = self._input_order(environment)
            with self.errors_worded(), memory_worded():
                self.states = States.of(self.system, path)
        return self.states

    def order(self, environment: Environment) -> Sequence[tuple[str, int]]:
        """The present order of the bits, of which a model without sets of states needs no BDDs. Raises CommandError."""
        # For start-up: as in ``state_sets``.
        from symag.smv.symbolic.order import static_order
        from symag.smv.symbolic.orderfile import chosen_order, present_order

        if self.states is not None:
            return present_order(self.states.symbolic.encoding)
        path = self._input_order(environment)
        with self.errors_worded():
            return chosen_order(self.system, path) or static_order(self.system)

    def _input_order(self, environment: Environment) -> str | None:
        path = self.order_file or environment.text("input_order_file")
        if path is not None and not os.path.exists(path):
            raise CommandError(f"Error: file '{path}' not found.", jumped=True)
        return path

    @property
    def path(self) -> str:
        """The path of the model's file."""
        return self.source.path

    @property
    def system(self) -> FlatSystem:
        """The flat system; only after ``flatten_model``."""
        assert self.flat is not None
        return self.flat

    def refuse_failures(self) -> None:
        """Raises CommandError if an evaluation of the model can fail; by a SAT solver, for BDDs may be too large."""
        # For start-up: the solver takes time to import.
        from symag.smv.reduction.evaluation_errors import refuse_errors_of_evaluation

        with self.errors_worded():
            refuse_errors_of_evaluation(self.system)

    @contextlib.contextmanager
    def errors_worded(self) -> Iterator[None]:
        """Raises CommandError, as NuSMV words it, for an InputError about this model."""
        try:
            yield
        except InputError as error:
            raise command_error(error, self.source, self.modules) from None


def read_model(environment: Environment) -> SessionModel:
    """Reads ``input_file`` through the preprocessors. Raises CommandError."""
    path = environment.text("input_file")
    if path is None:
        raise CommandError("Input file is (null). You must set the input file before.")
    if not os.path.exists(path):
        raise CommandError(f"\nfile {path}: line 1: cannot open input file {path}", jumped=True)
    try:
        source = source_of(path)
        for name in (environment.text("pp_list") or "").split():
            source = SourceText.of(path, _preprocessed(name, source))
        return SessionModel(source, parse_source(source))
    except InputError as error:
        raise command_error(error, None, None) from None


def _preprocessed(name: str, source: SourceText) -> str:
    """The text after ``cpp`` or ``m4``; the line markers of cpp keep lines at their numbers."""
    program = os.environ.get("CPP", "cpp") if name == "cpp" else name
    command = [*shlex.split(program), *(["-w", "-"] if name == "cpp" else ["-"])]
    try:
        # As a filter in a pipe of a shell, it has no limits and ends with its input.
        done = subprocess.run(command, input=source.text, capture_output=True, text=True, check=False)
    except OSError:
        raise CommandError(f"symag: there is no preprocessor '{command[0]}' on this machine", jumped=True) from None
    if done.returncode != 0:
        raise CommandError(f"symag: {command[0]} failed: {done.stderr.strip()}", jumped=True)
    lines: list[str] = []
    for line in done.stdout.splitlines():
        marker = re.match(r'#\s+(\d+) "(.*)"', line) if name == "cpp" else None
        if marker is None:
            lines.append(line)
        elif marker[2] in ("<stdin>", "-"):
            lines.extend([""] * (int(marker[1]) - 1 - len(lines)))
    return "\n".join(lines) + "\n"


def flatten_model(model: SessionModel, streams: Streams) -> None:
    """Flattens and type-checks the model, with NuSMV's warnings. Raises CommandError."""
    with model.errors_worded(), collector_paused():
        system = flatten(model.source, model.modules)
    model.flat = system
    if system.selector is not None:
        streams.error(
            "WARNING *** Processes are still supported, but deprecated.      ***\n"
            "WARNING *** In the future processes may be no longer supported. ***\n"
        )
    for name in _single_values(system):
        streams.error(f"WARNING: single-value variable '{name}' has been stored as a constant")
    if system.selector is not None or any(
        isinstance(item, syntax.Isa) for module in model.modules for item in module.items
    ):
        streams.line("WARNING *** The model contains PROCESSes or ISAs. ***")
        streams.line("WARNING *** The HRC hierarchy will not be usable. ***")


def _single_values(system: FlatSystem) -> list[str]:
    """Variables that became defines because their type has one value."""
    return [
        name
        for name, value in system.defines.items()
        if isinstance(value, Constant) and isinstance(value.type, EnumerationType | RangeType)
    ]


def compassion_warning(model: SessionModel, streams: Streams) -> None:
    """A warning about COMPASSION: symag honours it in CTL too, and NuSMV does not."""
    if not model.system.compassion:
        return
    streams.line("WARNING *** The model contains COMPASSION declarations.        ***")
    streams.line("WARNING *** symag honours them for every kind of property;     ***")
    streams.line("WARNING *** NuSMV ignores them where a property is not LTL.    ***")


def typed_property(model: SessionModel, kind: PropertyKind, text: str, index: int, subject: str = PROPERTY) -> Property:
    """A property from its text in a command; errors call it the ``subject``. Raises CommandError."""
    word = KIND_WORDS[kind]
    written = text.rstrip().removesuffix(";") if kind == "PSL" else text  # NuSMV takes both
    source = SourceText.of("<command-line>", f"MODULE main\n{_KEYWORDS[kind]}\n{written}\n;")
    try:
        (module,) = parse_source(source)
        (specification,) = module.items
    except (InputError, ValueError) as error:
        shown = error if isinstance(error, InputError) else InputError("unexpected ';', expected one formula")
        raise formula_error(shown, word, text) from None
    modules = tuple(
        _with_only(declared, specification if declared.name == "main" else None) for declared in model.modules
    )
    try:
        (property_,) = flatten(model.source, modules).properties
    except NotBooleanError as error:
        raise formula_error(error.of(subject) if error.subject == PROPERTY else error, word, text) from None
    except InputError as error:
        raise formula_error(error, word, text) from None
    return replace(property_, index=index, line=1)


def property_name(text: str) -> str:
    """The name of a property of a command. Raises CommandError where it is none."""
    try:
        (module,) = parse_source(SourceText.of("<command-line>", f"MODULE main\nINVARSPEC NAME {text} := TRUE;"))
        (specification,) = module.items
    except (InputError, ValueError) as error:
        raise name_error(error) from None
    assert isinstance(specification, syntax.Specification)
    return text


def _with_only(module: syntax.Module, specification: syntax.Item | None) -> syntax.Module:
    """The module with this property in place of its own properties."""
    items: list[syntax.Item] = [item for item in module.items if not isinstance(item, syntax.Specification)]
    if specification is not None:
        items.append(specification)
    return replace(module, items=tuple(items))

"""The variables that an expression depends on, and the model reduced to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from symag.cli.nusmv.commands.checks import KINDS, selected
from symag.cli.nusmv.commands.models import condition
from symag.cli.nusmv.commands.registry import COMMANDS
from symag.cli.nusmv.properties import PropertyEntry
from symag.cli.nusmv.streams import CommandError
from symag.core.values import replace
from symag.smv.model.dependencies import cone_of_influence, relations, restricted
from symag.smv.model.flat import FlatSystem, Property, VariableKind
from symag.smv.model.printer import flat_text
from symag.smv.model.supports import Supports
from symag.smv.model.typed import Expression, Operation, VariableReference, references

if TYPE_CHECKING:
    from symag.cli.nusmv.shell import Shell


def show_dependencies(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``show_dependencies``: the variables that an expression reads, and all that these depend on.

    Raises CommandError for a malformed expression.
    """
    usage = COMMANDS["show_dependencies"].usage("show_dependencies")
    if "e" not in options:
        raise CommandError(usage)
    bound = options.get("k", "-1")
    if not bound.lstrip("-").isdecimal():
        raise CommandError(usage)
    system = shell.known_model.system
    # The expression may have any type: an invariant that compares it with itself is well typed exactly if it is.
    compared = condition(shell, f"({options['e']}) = ({options['e']})")
    assert isinstance(compared, Operation)
    shell.streams.error("{" + ", ".join(dependencies(system, compared.operands[0], int(bound))) + "}")


def dependencies(system: FlatSystem, expression: Expression, bound: int = -1) -> list[str]:
    """The variables read, in the order of their use, then those that they depend on; ``bound`` rounds (-1: all)."""
    supports = Supports(system)
    reads = _reads(system)
    names = dict.fromkeys(_in_order(system, expression))
    names.update(dict.fromkeys(sorted(supports.of(expression).variables - names.keys())))
    frontier = list(names)
    while frontier and bound != 0:
        bound -= 1
        more = dict.fromkeys(name for reader in frontier for name in reads.get(reader, ()) if name not in names)
        names.update(more)
        frontier = list(more)
    return list(names)


def _in_order(system: FlatSystem, expression: Expression) -> Iterator[str]:
    """The variables in the order of their first use, through defines."""
    pending = [references(expression)]
    seen: set[str] = set()
    while pending:
        reference = next(pending[-1], None)
        if reference is None:
            pending.pop()
        elif isinstance(reference, VariableReference):
            yield reference.name
        elif reference.name not in seen:
            seen.add(reference.name)
            pending.append(references(system.defines[reference.name]))


def _reads(system: FlatSystem) -> dict[str, list[str]]:
    """For each variable those that its assignments read, and those in the same constraint."""
    order = {variable.name: number for number, variable in enumerate(system.variables)}
    reads: dict[str, dict[str, None]] = {}
    for relation in relations(system):
        together = sorted(relation.variables, key=lambda name: order[name])
        for name in [relation.assigned] if relation.assigned is not None else together:
            reads.setdefault(name, {}).update(dict.fromkeys(together))
    return {name: list(names) for name, names in reads.items()}


def write_coi_model(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``write_coi_model``: the part of the model that properties depend on, or only its variables (``-C``).

    Without a property, one model for each cone. Raises CommandError for contradictory options.
    """
    usage = COMMANDS["write_coi_model"].usage("write_coi_model")
    letters = [letter for letter in KINDS if letter in options]
    single = [letter for letter in "npP" if letter in options]
    if len(letters) > 1 or len(single) > 1 or ("g" in options and "C" in options):
        raise CommandError(usage)
    if "p" in options and not letters:
        raise CommandError(f"No property type specified. Use one of the -l, -i, -s, -c or -q options\n{usage}")
    entries = selected(shell, options, letters)
    system = shell.known_model.system
    if "g" in options:
        _write(shell, options.get("o"), _reduced(system, entries))
        return
    groups: dict[tuple[str, ...], list[PropertyEntry]] = {}
    for entry in entries:
        groups.setdefault(_cone_names(system, [entry]), []).append(entry)
    for number, (names, group) in enumerate(groups.items()):
        if "C" in options:
            shell.streams.lines(_cone_lines(names, group))
            continue
        path = options.get("o")
        several = path is not None and not single
        _write(shell, f"{path}.{number}" if several else path, _reduced(system, group))


def _cone_of(system: FlatSystem, item: Property) -> FlatSystem:
    expression = item.expression if item.expression is not None else item.sequences
    return system if expression is None else cone_of_influence(system, expression, fairness=True)


def _cone_names(system: FlatSystem, entries: Sequence[PropertyEntry]) -> tuple[str, ...]:
    """The variables in the cones, state and frozen variables before inputs."""
    cone = {variable.name for entry in entries for variable in _cone_of(system, entry.subject).variables}
    ordered = sorted(system.variables, key=lambda variable: variable.kind is VariableKind.INPUT)
    return tuple(variable.name for variable in ordered if variable.name in cone)


def _cone_lines(names: Sequence[str], group: Sequence[PropertyEntry]) -> Iterator[str]:
    if len(group) == 1:
        yield f"Property {group[0].shown} has COI:"
    else:
        yield "Properties"
        for number, entry in enumerate(group, 1):
            yield f"\t{number}) {entry.shown} "
        yield "share COI:"
    yield "   {"
    yield ",\n".join(f"   {name}" for name in names)
    yield "   }\n"


def _reduced(system: FlatSystem, entries: Sequence[PropertyEntry]) -> FlatSystem:
    """The part of the system that some properties depend on, with these properties."""
    subjects = tuple(entry.subject for entry in entries)
    read = [subject.expression for subject in subjects if subject.expression is not None]
    if len(read) < len(subjects):
        return replace(system, properties=subjects)
    # The union of the cones.
    cones = [cone_of_influence(system, expression, fairness=True) for expression in read]
    names = {variable.name for cone in cones for variable in cone.variables}
    defines = {name for cone in cones for name in cone.defines}
    in_cones = {id(item) for cone in cones for item in (*cone.assignments, *cone.init, *cone.invar, *cone.trans)}
    return replace(
        restricted(system, names, in_cones),
        defines={name: body for name, body in system.defines.items() if name in defines},
        properties=subjects,
    )


def _write(shell: Shell, path: str | None, system: FlatSystem) -> None:
    text = flat_text(system)
    with shell.streams.into(path, announced=False):
        shell.streams.write(text)

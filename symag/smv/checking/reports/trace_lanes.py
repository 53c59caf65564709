"""How the page of a trace groups the variables: by instances of modules, and by the parts of a partition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from symag.core.grouping import group_of, some
from symag.smv.model.dependencies import Dependency, cone_of_influence, relations
from symag.smv.model.flat import FlatSystem, Property
from symag.smv.model.properties import invariant_of
from symag.smv.partition import partitions
from symag.smv.partition.metis import libraries_silent
from symag.traces.page.content import Cut

#: METIS tries many starts: with more variables a cut takes seconds.
_MOST_VARIABLES = 400
_PARTS = 2
_LISTED = 3


def cuts(system: FlatSystem, checked: Property | None) -> tuple[Cut, ...]:
    """The groups by parts (of an invariant: of its cone of influence), and by instances if there are several.

    Costs a partition, at most some tenths of a second.
    """
    dependencies = relations(system)
    return (*_parts(system, checked, dependencies), *_instances(system, dependencies))


def _parts(system: FlatSystem, checked: Property | None, all_relations: Sequence[Dependency]) -> Iterator[Cut]:
    expression = None if checked is None else invariant_of(system, checked)
    reduced = system if expression is None else cone_of_influence(system, expression)
    if not _PARTS <= len(reduced.variables) <= _MOST_VARIABLES:
        return
    with libraries_silent():
        best = next(iter(partitions(reduced, _PARTS)), None)
    if best is not None:
        owner = group_of(best.parts)
        titles = tuple(f"part {number}: {some(names, _LISTED)}" for number, names in enumerate(best.parts))
        yield Cut("parts", titles, owner, readers(all_relations, owner))


def _instances(system: FlatSystem, all_relations: Sequence[Dependency]) -> Iterator[Cut]:
    """By the outermost instances; if there is only one, by the instances in it."""
    paths = {variable.name: variable.name.split(".")[:-1] for variable in system.variables}
    depth = 1
    deepest = max((len(path) for path in paths.values()), default=0)
    while depth <= deepest:
        owners = {name: ".".join(path[:depth]) for name, path in paths.items()}
        titles = list(dict.fromkeys(owners.values()))
        if len(titles) > 1 and (len(titles) > 2 or "" not in titles or depth == deepest):
            owner = {name: titles.index(title) for name, title in owners.items()}
            shown = tuple(title or "main" for title in titles)
            yield Cut("module instances", shown, owner, readers(all_relations, owner))
            return
        depth += 1


def readers(all_relations: Sequence[Dependency], owner: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    """The other parts that read each variable, by its name; INIT sections do not count.

    An assignment belongs to the part of its variable; a constraint to the parts of the variables whose next values it
    reads, or of all that it reads if there are none.
    """
    readers_of: dict[str, set[int]] = {}
    for relation in all_relations:
        if relation.kind == "init":
            continue
        assigned = relation.next_variables if relation.assigned is None else {relation.assigned}
        parts = {owner[name] for name in assigned or relation.variables if name in owner}
        for name in relation.variables:
            others = parts - {owner.get(name, -1)}
            if name in owner and others:
                readers_of.setdefault(name, set()).update(others)
    return {name: tuple(sorted(readers_of[name])) for name in owner if name in readers_of}

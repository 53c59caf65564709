"""A file of triples as problems about the components of a system; its modules, labels and rewards are monitors.

If there is a lower bound in a file, all its triples are about fair schedulers (``symag.lpts.problems``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from symag.core.errors import InputError, UnsupportedError
from symag.core.source import SourceText, text_of_file
from symag.core.values import replace
from symag.lpts.language.prism.flat import FlatModel
from symag.lpts.language.prism.flatten import flattened
from symag.lpts.language.prism.parser import parse
from symag.lpts.language.prism.scope import Scope
from symag.lpts.language.prism.syntax import ConnectiveText, FormulaText, LabelText, MeasureText
from symag.lpts.language.prism.values import Irrational
from symag.lpts.language.properties.names import Names
from symag.lpts.language.triples.monitors import label_monitor, reward_monitor
from symag.lpts.language.triples.parser import TripleText, sections
from symag.lpts.lpts import Lpts
from symag.lpts.problems import Limit, Monitor, Triple, TripleProblem
from symag.lpts.state_values import listed

_FORMS = 'P<=p [F "label"], P>=p [G !"label"] or R{"name"}<=r [C], each with <= or >='


def triple_texts(path: str) -> tuple[TripleText, ...]:
    """The triples of a file as they are written. Raises InputError."""
    return sections(SourceText.of(path, text_of_file(path)))[1]


def constants_of_triples(path: str) -> frozenset[str]:
    """The names of the constants of a file of triples. Raises InputError."""
    rest, _ = sections(SourceText.of(path, text_of_file(path)))
    return frozenset(constant.name for constant in parse(rest).constants)


def read_triples(
    path: str, constants: Mapping[str, str], components: Sequence[Lpts]
) -> list[TripleProblem | UnsupportedError]:
    """A problem for each triple of a file, in order, or why it is none. Constants that the file does not have are
    ignored.

    Raises InputError with the position of what is wrong, and UsageError for the value of a constant.
    """
    rest, texts = sections(SourceText.of(path, text_of_file(path)))
    model, scope = flattened(rest, parse(rest), constants)
    return _Reading(model, scope, components).problems(texts)


class _Bound(Struct, frozen=True):
    """What is said of a monitor: its greatest expected cost, None where that is asked for; negated for lower bounds."""

    monitor: int
    most: Fraction | None
    complement: bool


def _is_complement(text: MeasureText) -> bool:
    return text.letter == "P" and text.path.operator == "G"


def _is_lower(text: MeasureText) -> bool:
    """Whether it bounds a cost from below."""
    if text.bound is None and text.optimum is None:
        return False
    return (text.relation in (">=", ">") or text.optimum == "min") != _is_complement(text)


class _Reading:
    def __init__(self, model: FlatModel, scope: Scope, components: Sequence[Lpts]) -> None:
        self._model = model
        self._scope = scope
        self._components = tuple(components)
        self._monitors: dict[tuple[str, bool], Monitor] = {}  # by name, and whether for lower bounds

    def problems(self, texts: Sequence[TripleText]) -> list[TripleProblem | UnsupportedError]:
        """The problem of each triple, or why it is not decided; then it is in no plan."""
        read = [self._triple_or_error(text) for text in texts]
        monitors = tuple(self._monitors.values())
        fair = any(_is_lower(bound) for text in texts for bound in (*text.assumptions, text.guarantee))
        plan: list[Triple] = []
        problems: list[TripleProblem | UnsupportedError] = []
        for text, triple in zip(texts, read, strict=True):
            if isinstance(triple, UnsupportedError):
                problems.append(triple)
                continue
            assumed, members, guarantee = triple
            curve = any(bound.most is None for bound in assumed)
            used = [*(bound.monitor for bound in assumed), guarantee.monitor]
            if text.components or assumed:
                numbers = tuple(dict.fromkeys(used))
                place = {number: index for index, number in enumerate(numbers)}
                limits = tuple(Limit(place[b.monitor], Fraction(1) if b.most is None else b.most) for b in assumed)
                chosen = tuple(monitors[number] for number in numbers)
                parts = tuple(self._components[number] for number in members)
                problem = TripleProblem(
                    parts,
                    chosen,
                    limits,
                    place[guarantee.monitor],
                    guarantee.most,
                    guarantee.complement,
                    curve,
                    (),
                    fair,
                )
                plan.append(Triple(members, tuple(bound.monitor for bound in assumed), guarantee.monitor))
            else:
                problem = TripleProblem(
                    self._components,
                    monitors,
                    (),
                    guarantee.monitor,
                    guarantee.most,
                    guarantee.complement,
                    plan=tuple(plan),
                    fair=fair,
                )
            problems.append(problem)
        return problems

    def _triple_or_error(self, text: TripleText) -> tuple[list[_Bound], tuple[int, ...], _Bound] | UnsupportedError:
        try:
            return self._triple(text)
        except UnsupportedError as error:
            labels = [label for label, _ in self._model.labels]
            rewards = tuple(structure.name for structure in self._model.rewards)
            names = Names(self._scope, labels, self._model.alphabet, rewards)
            for bound in (*text.assumptions, text.guarantee):
                names.check(bound)
            return error

    def _triple(self, text: TripleText) -> tuple[list[_Bound], tuple[int, ...], _Bound]:
        names = [component.name for component in self._components]
        members: list[int] = []
        for component in text.components:
            if component.name not in names:
                message = f"there is no component {component.name}, expected {listed(names)} or system"
                raise self._error(message, component.position)
            if names.index(component.name) in members:
                raise self._error(f"the component {component.name} is there twice", component.position)
            members.append(names.index(component.name))
        assumed = [self._bound(bound) for bound in text.assumptions]
        guarantee = self._bound(text.guarantee)
        open_bounds = [k for k, bound in enumerate(assumed) if bound.most is None]
        if open_bounds:
            message = "=? in an assumption asks for a curve: one assumption, and =? in the guarantee"
            if len(assumed) > 1 or guarantee.most is not None:
                raise UnsupportedError(message)
        return assumed, tuple(members) or tuple(range(len(names))), guarantee

    def _bound(self, text: MeasureText) -> _Bound:
        complement = _is_complement(text)
        lower = _is_lower(text)
        most = self._limit(text, complement)
        if lower and most is not None:
            most = -most
        if text.letter == "R":
            if text.path.operator != "C" or text.path.steps is not None:
                raise UnsupportedError(f"a bound that is not {_FORMS}")
            return _Bound(self._rewards(text, lower), most, False)
        if text.path.steps is not None:
            raise UnsupportedError("a bound on steps, which are not those of the system: let a monitor count an action")
        operand: FormulaText | None = text.path.operands[0] if text.path.operator in ("F", "G") else None
        if complement and isinstance(operand, ConnectiveText) and operand.operator == "!":
            operand = operand.operands[0]
        elif complement:
            operand = None
        if not isinstance(operand, LabelText):
            raise UnsupportedError(f"a bound that is not {_FORMS}")
        return _Bound(self._label(operand, lower), most, complement)

    def _limit(self, text: MeasureText, complement: bool) -> Fraction | None:
        if text.bound is None:
            return None
        if text.relation not in ("<=", ">="):
            raise UnsupportedError(f"the strict bound {text.relation}")
        value = self._scope.value(text.bound, "double", "the bound")
        if isinstance(value, Irrational):
            raise UnsupportedError("the bound is irrational")
        bound = Fraction(value)
        if bound < 0 or (text.letter == "P" and bound > 1):
            kind = "a probability from 0 to 1" if text.letter == "P" else "0 or more"
            raise self._error(f"the bound is {bound}, expected {kind}", text.position)
        return 1 - bound if complement else bound

    def _label(self, label: LabelText, lower: bool) -> int:
        key = f'"{label.name}"'
        if (key, lower) not in self._monitors:
            known = [name for name, _ in self._model.labels]
            if label.name not in known:
                raise self._error(f"there is no label {key}, expected {listed(known)}", label.position)
            self._add(key, lower, label_monitor(self._model, label.name, label.position))
        return list(self._monitors).index((key, lower))

    def _add(self, key: str, lower: bool, monitor: Monitor) -> None:
        if lower:
            monitor = replace(monitor, costs=tuple(-cost for cost in monitor.costs), negated=True)
        self._monitors[key, lower] = monitor

    def _rewards(self, text: MeasureText, lower: bool) -> int:
        structures = {rewards.name: rewards for rewards in self._model.rewards}
        name = text.rewards if isinstance(text.rewards, str) else ""
        if text.rewards is None and len(structures) == 1:
            name = next(iter(structures))
        if (text.rewards is not None and not isinstance(text.rewards, str)) or name not in structures:
            known = listed(f'"{known_name}"' for known_name in structures)
            raise self._error(f'there is no reward structure "{name}", expected {known}', text.position)
        key = f'R{{"{name}"}}'
        if (key, lower) not in self._monitors:
            self._add(key, lower, reward_monitor(self._model, structures[name], text.position))
        return list(self._monitors).index((key, lower))

    def _error(self, message: str, position: int) -> InputError:
        return self._model.source.error(message, position)

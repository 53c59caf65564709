"""A trace with everything that is shown of it: values in NuSMV's spelling, DEFINEs, and formulas in every state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field

from symag.core.trace import Step, Trace, Value
from symag.core.values import replace

if TYPE_CHECKING:
    from symag.traces.page.content import Explanation  # for start-up: few traces become pages

#: The moment of a DEFINE's value: a state, or a transition because it reads inputs or the next state; an
#: ``input`` DEFINE reads only inputs.
Moment = Literal["state", "input", "transition"]
#: NuSMV's types of traces.
Purpose = Literal["Counterexample", "Simulation", "Execution"]


class Domain(Struct, frozen=True):
    """The type of a variable for the spelling of its values; ``width`` (in bits) and ``signed`` are for words."""

    kind: Literal["boolean", "integer", "symbol", "word"]
    width: int = 0
    signed: bool = False

    def text(self, value: Value) -> str:
        """A value in NuSMV's spelling: ``TRUE``, ``3``, ``idle``, ``0ud4_12``, ``-0sd4_3``."""
        if isinstance(value, bool):
            return "TRUE" if value else "FALSE"
        if self.kind == "word" and isinstance(value, int):
            sign = "-" if value < 0 else ""
            return f"{sign}0{'s' if self.signed else 'u'}d{self.width}_{abs(value)}"
        return str(value)


class Define(Struct, frozen=True):
    """A DEFINE with its value in every step, None if it has none there (the last step has no transition).

    A set of values has NuSMV's spelling (``1, 2``), and the domain of symbols.
    """

    name: str
    moment: Moment
    domain: Domain
    texts: tuple[str | None, ...]


class ShownFormula(Struct, frozen=True):
    """A sub-formula of the property, ``depth`` levels below it, with its truth in every step (None: not known)."""

    text: str
    depth: int
    truths: tuple[bool | None, ...]


class TraceReport(Struct, frozen=True):
    """A trace and the data that are shown with it.

    ``states`` and ``inputs`` map the variables to their domains, in the order in which they are shown.
    ``purpose`` is NuSMV's type of the trace, ``description`` its other line (``CTL Counterexample``),
    ``number`` counts the traces of a session from 1. ``property`` is the property that the trace refutes,
    with its ``word`` (``invariant``, ``specification``); both are empty for a simulation. ``frozen``
    names the state variables that never change. ``explanation`` is for the HTML page,
    ``properties`` (by name: text, and truth in every step) for dumps.
    """

    trace: Trace
    states: Mapping[str, Domain]
    inputs: Mapping[str, Domain]
    description: str = "Counterexample"
    purpose: Purpose = "Counterexample"
    number: int = 1
    model: str = ""
    word: str = ""
    property: str = ""
    defines: tuple[Define, ...] = ()
    formulas: tuple[ShownFormula, ...] = ()
    frozen: frozenset[str] = field(default_factory=frozenset)
    explanation: Explanation | None = None
    properties: Mapping[str, tuple[str, tuple[bool | None, ...]]] = field(default_factory=dict)

    def positions(self) -> Iterator[int]:
        """The steps in NuSMV's order: a lasso ends with the state that it returns to, shown again."""
        yield from range(len(self.trace.steps))
        if self.trace.kind == "lasso" and self.trace.loop is not None:
            yield self.trace.loop

    def loops(self, every: bool) -> tuple[int, ...]:
        """The steps that are marked as the start of a lasso's loop; with ``every`` all with the same state.

        NuSMV 2.6 marks every state that equals the last one that it shows.
        """
        loop = self.trace.loop
        if loop is None or self.trace.kind != "lasso":
            return ()
        again = dict(self.trace.steps[loop].state)
        return tuple(k for k, step in enumerate(self.trace.steps) if k == loop or (every and dict(step.state) == again))

    def state_texts(self, position: int) -> Iterator[tuple[str, str]]:
        """Variables and DEFINEs of a state with their values."""
        values = self.trace.steps[position].state
        yield from ((name, domain.text(values[name])) for name, domain in self.states.items() if name in values)
        yield from self._defined("state", position)

    def input_texts(self, position: int) -> Iterator[tuple[str, str]]:
        """Inputs, and DEFINEs of inputs only, on the transition that leaves a state."""
        values = self.trace.steps[position].inputs
        yield from ((name, domain.text(values[name])) for name, domain in self.inputs.items() if name in values)
        yield from self._defined("input", position)

    def transition_texts(self, position: int) -> Iterator[tuple[str, str]]:
        """The DEFINEs that need a state and its inputs, or the next state."""
        yield from self._defined("transition", position)

    def _defined(self, moment: Moment, position: int) -> Iterator[tuple[str, str]]:
        for define in self.defines:
            text = define.texts[position]
            if define.moment == moment and text is not None:
                yield define.name, text


#: The bits of words, the lowest first.
Words = Mapping[str, Sequence[str]]


def with_words(report: TraceReport, words: Words) -> TraceReport:
    """The report with words in place of their bits, for words whose bits are all state variables or all inputs."""
    if not words:
        return report
    steps = tuple(
        Step(_joined(step.state, words), _joined(step.inputs, words), step.action) for step in report.trace.steps
    )
    return replace(
        report,
        trace=Trace(report.trace.kind, steps, report.trace.loop),
        states=_domains(report.states, words),
        inputs=_domains(report.inputs, words),
        explanation=report.explanation and _explained(report.explanation, words),
    )


def without_words(trace: Trace, words: Words) -> Trace:
    """The trace with bits in place of its words; a number may be written with fewer bits."""
    if not words:
        return trace
    steps = tuple(Step(_split(step.state, words), _split(step.inputs, words), step.action) for step in trace.steps)
    return Trace(trace.kind, steps, trace.loop)


def _explained(explanation: Explanation, words: Words) -> Explanation:
    """A word belongs to the part of its first bit, and a part that reads a bit reads the word."""
    word_of = {bit: word for word, bits in words.items() for bit in bits}
    core = explanation.core
    return replace(
        explanation,
        cuts=tuple(
            replace(cut, owner=_first(cut.owner, word_of), readers=_all(cut.readers, word_of))
            for cut in explanation.cuts
        ),
        core=core and replace(core, steps=_all(core.steps, word_of), chosen=_all(core.chosen, word_of)),
    )


def _first(owner: Mapping[str, int], word_of: Mapping[str, str]) -> dict[str, int]:
    first: dict[str, int] = {}
    for name, part in owner.items():
        first.setdefault(word_of.get(name, name), part)
    return first


def _all(numbers: Mapping[str, tuple[int, ...]], word_of: Mapping[str, str]) -> dict[str, tuple[int, ...]]:
    members: dict[str, set[int]] = {}
    for name, of_bit in numbers.items():
        members.setdefault(word_of.get(name, name), set()).update(of_bit)
    return {name: tuple(sorted(of_word)) for name, of_word in members.items()}


def _domains(domains: Mapping[str, Domain], words: Words) -> dict[str, Domain]:
    first = {bits[0]: word for word, bits in words.items() if domains.keys() >= set(bits)}
    hidden = {bit for word in first.values() for bit in words[word]}
    result: dict[str, Domain] = {}
    for name, domain in domains.items():
        if name in first:
            result[first[name]] = Domain("word", len(words[first[name]]))
        elif name not in hidden:
            result[name] = domain
    return result


def _joined(values: Mapping[str, Value], words: Words) -> dict[str, Value]:
    joined = dict(values)
    for word, bits in words.items():
        if all(bit in joined for bit in bits):
            joined[word] = sum(int(joined.pop(bit)) << index for index, bit in enumerate(bits))
    return joined


def _split(values: Mapping[str, Value], words: Words) -> dict[str, Value]:
    bits: dict[str, Value] = {}
    for name, value in values.items():
        if name in words and isinstance(value, int):
            bits |= {bit: bool(value >> index & 1) for index, bit in enumerate(words[name])}
        else:
            bits[name] = value
    return bits

"""Words in place of the boolean variables that are their bits: in reports, and the reverse in traces that are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from symag.core.trace import Step, Trace, Value
from symag.traces.report import Domain, TraceReport

if TYPE_CHECKING:
    from symag.traces.page.content import Explanation  # for start-up: few traces become pages

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

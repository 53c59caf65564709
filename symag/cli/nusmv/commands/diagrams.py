"""Commands about decision diagrams: fair transitions, the diagrams themselves, statistics."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from symag.bdd.context import Bdd
from symag.cli.nusmv.commands.models import condition
from symag.cli.nusmv.commands.registry import COMMANDS
from symag.cli.nusmv.reports import input_texts, state_texts
from symag.cli.nusmv.states import RULE, number_text
from symag.cli.nusmv.streams import CommandError
from symag.core.errors import InputError
from symag.core.trace import Value
from symag.smv.model.supports import references
from symag.smv.model.typed import Expression
from symag.smv.symbolic.counting import count
from symag.smv.symbolic.system import SymbolicSystem
from symag.smv.traversal.trace import SingleTransitions
from symag.traces.graphviz import quoted

if TYPE_CHECKING:
    from symag.cli.nusmv.shell import Shell

#: NuSMV lists at most this many transitions.
_MOST = 1 << 16
_Row = tuple[Mapping[str, str], Mapping[str, str], Mapping[str, str], int, int]


def print_fair_transitions(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``print_fair_transitions``: the number of transitions; ``-v`` and ``-f`` list them.

    As in NuSMV they are those of a fair state and an input with which a fair state can follow, to whatever state.
    Raises CommandError for an unknown format.
    """
    form = options.get("f", "smv")
    if form not in _FORMATS:
        raise CommandError("Invalid format. Valid formats are: smv, csv, dot")
    states = shell.known_model.state_sets(shell.environment)
    symbolic = states.symbolic
    encoding, context = symbolic.encoding, symbolic.context
    fair = states.fair_states(shell.environment.enabled("forward_search"))
    transitions = SingleTransitions.of(symbolic)
    relation = context.conjunction(transitions.conjuncts)
    following = encoding.next_bits(encoding.state_names())
    diagram = relation & fair & context.and_exists(relation, encoding.to_next(fair), following)
    current = encoding.current_bits((*encoding.state_names(), *transitions.inputs))
    moving = tuple(name for name in transitions.state if name in _moving(symbolic))
    number = count(context, diagram, (*current, *encoding.next_bits(moving)))
    every = count(context, encoding.all_valid((*encoding.state_names(), *transitions.inputs)), current)
    streams = shell.streams
    streams.line(RULE)
    streams.line(f"Fair transitions: {number_text(number)} out of {number_text(every)}")
    if "v" in options or "f" in options:
        if number > _MOST:
            streams.error(f"symag: {number} transitions are not listed; the limit is {_MOST}")
        else:
            lines = _FORMATS[form](_rows(transitions, diagram, current, moving))
            _listed(shell, options.get("o"), lines)
    streams.line(RULE)


def _listed(shell: Shell, path: str | None, lines: Iterator[str]) -> None:
    with shell.streams.into(path, announced=False):
        shell.streams.lines(lines)


def _moving(symbolic: SymbolicSystem) -> frozenset[str]:
    """The variables with a next value of their own."""
    return frozenset(name for name in symbolic.encoding.state_names() if symbolic.encoding.next.get(name))


def _rows(
    transitions: SingleTransitions, diagram: Bdd, current: Sequence[str], moving: Sequence[str]
) -> Iterator[_Row]:
    """Every transition; its states are numbered in the order of their first occurrence."""
    symbolic = transitions.system
    encoding = symbolic.encoding
    system = symbolic.source
    numbers: dict[tuple[str, ...], int] = {}
    bits = {*current, *encoding.next_bits(moving)}
    for assignment in symbolic.context.valuations(diagram, bits):
        state = encoding.decode(assignment, encoding.state_names())
        following: dict[str, Value] = {**state, **encoding.decode(assignment, moving, primed=True)}
        before, after = state_texts(system, [state, following], defines=False)
        inputs = input_texts(system, encoding.decode(assignment, transitions.inputs))
        first = numbers.setdefault(tuple(before.values()), len(numbers) + 1)
        yield before, inputs, after, first, numbers.setdefault(tuple(after.values()), len(numbers) + 1)


def _smv(rows: Iterator[_Row]) -> Iterator[str]:
    for number, (before, inputs, after, first, last) in enumerate(rows, 1):
        yield f"  ------- Trans: {number:4} (Curr State ID: {first}, Next State ID: {last}) ------"
        yield from (f"  {name} = {text}" for name, text in before.items())
        yield from (f"    {name} = {text}" for name, text in inputs.items())
        yield from (f"  next({name}) = {text}" for name, text in after.items())


def _csv(rows: Iterator[_Row]) -> Iterator[str]:
    for number, (before, inputs, after, first, last) in enumerate(rows):
        if number == 0:
            names = (*before, *inputs, *(f"next({name})" for name in after))
            yield "\t".join(('"' + '"\t"'.join(names) + '"', "CurrID", "NextID"))
        texts = (*before.values(), *inputs.values(), *after.values())
        yield "\t".join(('"' + '"\t"'.join(texts) + '"', str(first), str(last)))


def _dot(rows: Iterator[_Row]) -> Iterator[str]:
    legend: dict[int, str] = {}
    yield "strict digraph {"
    for before, _, after, first, last in rows:
        yield f"{first} -> {last}"
        for number, texts in ((first, before), (last, after)):
            legend[number] = ", ".join(f"{name} = {text}" for name, text in texts.items())
    yield from (f'{number} [label="{number}: {text}"];' for number, text in sorted(legend.items()))
    yield "}"


_FORMATS = {"smv": _smv, "csv": _csv, "dot": _dot}


def dump_fsm(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``dump_fsm``: the diagrams of the given options as one graph for Graphviz. Raises CommandError."""
    if "o" not in options:
        raise CommandError("Output file must be specified")
    if not any(letter in options for letter in "iItFre"):
        raise CommandError("At least one option in 'eiItFr' must be specified.")
    states = shell.known_model.state_sets(shell.environment)
    symbolic = states.symbolic
    roots: list[tuple[str, Bdd]] = []
    if "i" in options:
        roots.append(("Init", symbolic.initial_states()))
    if "I" in options:
        roots.append(("Invar", symbolic.invariant()))
    if "t" in options:
        roots.append(("Trans", symbolic.context.conjunction(SingleTransitions.of(symbolic).conjuncts)))
    if "F" in options:
        roots.append(("Fair", states.fair_states(shell.environment.enabled("forward_search"))))
    if "r" in options:
        roots.append(("Reachable", states.reach().states))
    if "e" in options:
        roots.append((options["e"], _predicate(shell, symbolic, options["e"])))
    _listed(shell, options["o"], _graph(symbolic, roots))


def dump_expr(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``dump_expr``: the diagram of a condition as a graph for Graphviz. Raises CommandError."""
    for letter, noun in (("e", "No expression given."), ("f", "No format was specified.")):
        if letter not in options:
            raise CommandError(noun)
    if options["f"].lower() != "dot":
        raise CommandError("Invalid format. Valid formats are: 'dot' ")
    expression = condition(shell, options["e"], may_read_next=False)
    symbolic = shell.known_model.state_sets(shell.environment).symbolic
    root = (options["e"], _value(symbolic, expression))
    _listed(shell, options.get("o"), _graph(symbolic, [root]))


def print_formula(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``print_formula``: how many valuations of the variables satisfy a condition; ``-v`` and ``-f`` describe them."""
    try:
        if not words:
            usage = COMMANDS["print_formula"].usage("print_formula")
            raise CommandError(f"No expression given.\n\n{usage}")
        expression = condition(shell, words[0], may_read_next=False)
    except CommandError as error:
        shell.streams.error(error.text)  # NuSMV continues
        return
    symbolic = shell.known_model.state_sets(shell.environment).symbolic
    encoding, context, system = symbolic.encoding, symbolic.context, symbolic.source
    names = tuple(variable.name for variable in system.variables)
    models = _value(symbolic, expression) & encoding.all_valid(names)
    streams = shell.streams
    streams.line(RULE)
    streams.line(f"formula models: {number_text(count(context, models, encoding.current_bits(names)))}")
    rows = _models(symbolic, models, references(system, expression).current)
    if "v" in options:
        is_empty = models == context.false
        streams.lines(["-- The BDD is the constant 0"] if is_empty else ("\t".join((*row, "")) for row in rows))
    if "f" in options:
        streams.line("\nFORMULA = ")
        for text in _disjunction(rows):
            streams.write(text)
        streams.line("\n")
    streams.line(RULE)


def _disjunction(rows: Iterator[list[str]]) -> Iterator[str]:
    """The valuations as a formula, piece by piece: there may be more than fit in memory."""
    separator = ""
    for row in rows:
        yield f"{separator}({' & '.join(row)})" if row else "TRUE"
        separator = " | "
    if not separator:
        yield "FALSE"


def _models(symbolic: SymbolicSystem, models: Bdd, reads: Container[str]) -> Iterator[list[str]]:
    """The valuations of the variables that a condition reads, one after the other."""
    encoding, system = symbolic.encoding, symbolic.source
    names = tuple(variable.name for variable in system.variables if variable.name in reads)
    others = [variable.name for variable in system.variables if variable.name not in reads]
    projected = symbolic.context.exists(encoding.current_bits(others), models)
    for assignment in symbolic.context.valuations(projected, set(encoding.current_bits(names))):
        values = encoding.decode(assignment, names)
        (texts,) = state_texts(system, [values], defines=False)
        texts = {**texts, **input_texts(system, values)}
        yield [f"{name} = {texts[name]}" for name in names]


def _predicate(shell: Shell, symbolic: SymbolicSystem, text: str) -> Bdd:
    return _value(symbolic, condition(shell, text))


def _value(symbolic: SymbolicSystem, expression: Expression) -> Bdd:
    try:
        return symbolic.predicate(expression)
    except InputError as error:
        raise CommandError(f"\nfile <command-line>: line 1: {error.message}") from None


def _graph(symbolic: SymbolicSystem, roots: Sequence[tuple[str, Bdd]]) -> Iterator[str]:
    """The graph in the language of Graphviz, with nodes ranked by bit; dashed edges are FALSE branches."""
    context = symbolic.context
    numbers: dict[Bdd, int] = {}
    labels: dict[str, list[int]] = {}
    edges: list[str] = []

    def name(diagram: Bdd) -> str:
        if diagram in (context.true, context.false):
            return "TRUE" if diagram == context.true else "FALSE"
        return str(numbers.setdefault(diagram, len(numbers)))

    pending = [diagram for _, diagram in roots]
    seen: set[Bdd] = set()
    while pending:
        diagram = pending.pop()
        branches = context.decision(diagram)
        if branches is None or diagram in seen:
            continue
        seen.add(diagram)
        bit, low, high = branches
        labels.setdefault(bit, []).append(int(name(diagram)))
        edges.extend((f'"{name(diagram)}" -> "{name(high)}";', f'"{name(diagram)}" -> "{name(low)}" [style = dashed];'))
        pending.extend((low, high))
    yield 'digraph "DD" {'
    yield "edge [dir = none];"
    for bit in context.order():
        if bit in labels:
            nodes = " ".join(f'"{node}" [label = "{bit}"];' for node in labels[bit])
            yield f"{{ rank = same; {nodes} }}"
    yield '"TRUE" [shape = box]; "FALSE" [shape = box];'
    for number, (title, diagram) in enumerate(roots):
        yield f'"root{number}" [shape = box, label = {quoted(title)}];'
        yield f'"root{number}" -> "{name(diagram)}";'
    yield from edges
    yield "}"


def clean_sexp2bdd_cache(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``clean_sexp2bdd_cache``: nothing, for diagrams of expressions that are not in use are not kept."""


def print_bdd_stats(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``print_bdd_stats``: the figures of the session's diagrams that every library has."""
    context = shell.known_model.state_sets(shell.environment).symbolic.context
    for name, number in (
        ("Number of BDD variables", len(context.order())),
        ("Number of LIVE BDD and ADD nodes", context.nodes()),
        ("Peak number of live nodes", context.peak_nodes()),
    ):
        shell.streams.line(f"{name}: {number}")

"""The method ``rule-g``: n modules, one assumption each (paper, Sections 2.3 and 5.4).

Several partitions are tried. Each first gets the cheap attempt with one-state assumptions (``one_state``);
then they take turns in learning.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Sequence
from functools import partial

from symag.bdd.context import Bdd
from symag.core.limits import Progress
from symag.core.results import PropertyResult
from symag.core.values import replace
from symag.learning.symbolic_table import Conjecture
from symag.smv.certificates.assume_guarantee import AssumeGuarantee
from symag.smv.methods.by_parts.ascv.alphabets import RefinedAlphabets
from symag.smv.methods.by_parts.ascv.ascv_g import AscvG, PrintedAscvG
from symag.smv.methods.by_parts.ascv.falsification import EarlyFalsification
from symag.smv.methods.by_parts.ascv.premise import ModuleExploration
from symag.smv.methods.by_parts.ascv.separating_g import SeparatingG
from symag.smv.methods.by_parts.ascv.sides import RuleProof, SearchedModule, ViolatingWord, run_of
from symag.smv.methods.by_parts.automaton import StateBits, SymbolicAutomaton
from symag.smv.methods.by_parts.decision import (
    DEFAULT_PARTS,
    DecompositionProblem,
    Wires,
    candidates,
    statistics,
    subjects,
)
from symag.smv.methods.by_parts.evidence import (
    assume_guarantee_certificate,
    holds,
    product_certificate,
    violated,
    without_parts,
)
from symag.smv.methods.by_parts.module import Module
from symag.smv.methods.by_parts.one_state import Cut, with_one_state
from symag.smv.methods.by_parts.phases import PhaseProgress
from symag.smv.methods.by_parts.turns import Attempt, take_turns
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.safety import by_monitor
from symag.smv.model.flat import FlatSystem, Property, VariableKind

#: The numbers of parts for one-state assumptions alone, if all modules of those partitions are too large.
FINER_PARTS = (6, 8)

_Attempt = Attempt[RefinedAlphabets, RuleProof | ViolatingWord]


def decide(system: FlatSystem, target: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
    """Decide an invariant, or a safety property of LTL by its monitor, by Rule-G.

    Raises UnsupportedError for other properties, UsageError for more parts than variables, InputError
    and MemoryExhausted. ``unknown`` if no partition is feasible.
    """
    return by_monitor(_decide_invariant, system, target, options, progress)


def _decide_invariant(system: FlatSystem, target: Property, options: SmvOptions, progress: Progress) -> PropertyResult:
    started = time.process_time()
    phases = PhaseProgress(progress)
    cuts: list[Cut] = []
    counts = DEFAULT_PARTS if options.parts is None else (options.parts,)
    if options.one_state_first:
        finer = _cuts(system, target, options, FINER_PARTS if options.parts is None else (), phases)
        proved = with_one_state(_cuts(system, target, options, counts, phases), finer, cuts, phases)
        if proved is not None:
            prepared, partition, sets = proved
            figures = statistics(prepared, partition, started) | {"assumption_states": [1] * len(sets)}
            return holds(prepared, "rule-g", product_certificate(prepared, sets), figures)
    else:
        cuts.extend(_cuts(system, target, options, counts, phases))
    phases.enter("learning", f"learning for {len(cuts)} partitions")
    attempts = list(_attempts(cuts, options, phases))
    if not attempts:
        (prepared,) = subjects(system, target, options, ("property",), phases)
        return without_parts(prepared, "rule-g")
    attempt, outcome = take_turns(attempts)
    figures = statistics(attempt.subject, attempt.partition, started) | _learning_statistics(attempt, outcome)
    if isinstance(outcome, RuleProof):
        return holds(attempt.subject, "rule-g", _certificate(attempt, outcome, phases), figures)
    runs = tuple(run_of(side.module, side.conjecture, outcome.word) for side in attempt.run.run.sides)
    result = violated(attempt.subject, "rule-g", attempt.modules, outcome.word, figures, options, progress, runs)
    return result or _decide_invariant(system, target, replace(options, cone_of_influence=False), progress)


def _cuts(
    system: FlatSystem, target: Property, options: SmvOptions, counts: Sequence[int], phases: PhaseProgress
) -> Iterator[Cut]:
    """All partitions to try: few parts first; DEFINEs as wires before the property as the only wire."""
    phases.enter("partition", "encoding")
    choices: tuple[Wires, ...] = ("defines", "property") if options.wires is None else (options.wires,)
    prepared = subjects(system, target, options, choices, phases)
    finished: list[DecompositionProblem] = []
    for count in counts:
        # The second problem is made only after the first has had its turn.
        for candidate in itertools.chain(tuple(finished), prepared):
            if candidate not in finished:
                finished.append(candidate)
            phases.enter("partition", f"partitions into {count} parts")
            for partition in candidates(candidate, options, count):
                phases.enter("one_state", f"a partition into {count} parts")
                yield candidate, partition
            phases.enter("partition", f"partitions into {count} parts")


def _attempts(cuts: Sequence[Cut], options: SmvOptions, phases: PhaseProgress) -> Iterator[_Attempt]:
    """The attempts at learning for each partition: over letters without its free inputs, if any, and over full ones.

    Look-ahead that the user did not ask for is a fallback, as it costs a larger relational product.
    """
    falsifications: dict[int, EarlyFalsification] = {}
    numbers = itertools.count()
    algorithm = PrintedAscvG if options.refinement == "paper" else AscvG
    for prepared, partition in cuts:
        modules = prepared.modules(partition)
        whole = prepared.composition(modules)
        falsification = None
        if options.early_falsification:
            falsification = falsifications.setdefault(id(prepared), EarlyFalsification(whole, modules))

        def start(
            hidden: Sequence[str],
            look_ahead: bool,
            cut: Cut = (prepared, partition),
            whole: Module = whole,
            falsification: EarlyFalsification | None = falsification,
        ) -> AscvG | SeparatingG:
            shown = cut[0].modules(cut[1], hidden, look_ahead)
            name = f"{next(numbers)}."
            if options.learner == "separating":
                return SeparatingG(shown, whole, falsification, phases.of(cut[1]), name)
            return algorithm(shown, whole, falsification, options.edge_deletion, phases.of(cut[1]), name)

        hidden = prepared.free_inputs(partition) if options.small_alphabet_first else ()
        for look_ahead in _look_aheads(prepared, modules, options):
            for alphabet in (hidden, ()) if hidden else ((),):
                run = RefinedAlphabets(alphabet, partial(start, look_ahead=look_ahead))
                fallback = look_ahead and options.look_ahead is None
                yield Attempt(prepared, partition, modules, run, run.rounds(), fallback)


def _look_aheads(prepared: DecompositionProblem, modules: Sequence[Module], options: SmvOptions) -> tuple[bool, ...]:
    """Whether learning looks ahead, for each attempt; where letters show frozen variables it makes no difference.

    A separating automaton forbids single letters.
    """
    if options.learner == "separating":
        return (False,)
    if options.look_ahead is not None:
        return (options.look_ahead,)
    variables = prepared.symbolic.encoding.variables
    is_frozen = any(variables[name].kind is VariableKind.FROZEN for module in modules for name in module.letters)
    return (False,) if is_frozen else (False, True)


def _learning_statistics(attempt: _Attempt, outcome: RuleProof | ViolatingWord) -> dict[str, object]:
    run = attempt.run.run
    return {
        "assumption_states": [side.states for side in run.sides],
        **run.figures,
        "hidden_variables": len(attempt.run.hidden),
        "early_falsification": isinstance(outcome, ViolatingWord) and outcome.by_early_falsification,
        "edge_deletion": isinstance(outcome, RuleProof) and outcome.by_edge_deletion,
    }


def _certificate(attempt: _Attempt, outcome: RuleProof, progress: Progress) -> AssumeGuarantee | None:
    """The assumptions over endings of one letter; None if one of them becomes too large."""
    paired: list[tuple[StateBits, int, Bdd]] = []
    assumptions: list[Conjecture] = []
    sides: Sequence[SearchedModule] = attempt.run.run.sides
    for number, side in enumerate(sides):
        assumption, bits, exploration = outcome.assumptions[number], side.bits, outcome.explorations[number]
        if side.module.look_ahead:
            plain = unfolded(side.module, assumption)
            if plain is None:
                return None
            assumption, module = plain, replace(side.module, look_ahead=False)
            bits = StateBits(module.context, f"U{number}")
            automaton = SymbolicAutomaton.of(module.context, bits, assumption)
            exploration = ModuleExploration(module, automaton, module.letter_bits)
            exploration.finish(progress)
        assumptions.append(assumption)
        paired.append((bits, len(assumption.edges), exploration.reached))
    return assume_guarantee_certificate(attempt.subject, "rule-g", attempt.modules, assumptions, paired)


#: Unfolded assumptions with more states are given up.
STATES = 400


def unfolded(module: Module, conjecture: Conjecture) -> Conjecture | None:
    """The same assumption over endings of one letter; None if it has more than ``STATES`` states.

    A state of the unfolded assumption is a state of the given one together with the set of letters that are forbidden
    after the letter just read. So its size grows with the number of different such sets.

    ``module`` says which words of one letter are forbidden. Costs one quantification for each set.
    """
    classes: dict[int, list[tuple[Bdd, Bdd]]] = {}
    states = {(0, module.unsafe_letters(module.initial())): 0}
    queue = list(states)
    edges: list[tuple[tuple[int, Bdd], ...]] = []
    for state, _ in queue:
        if state not in classes:
            classes[state] = _classes(module, conjecture.rejects[state])
        leaving: list[tuple[int, Bdd]] = []
        for target, label in conjecture.edges[state]:
            for forbidden, letters in classes[state]:
                common = label & letters
                if common == module.context.false:
                    continue
                if (target, forbidden) not in states:
                    states[target, forbidden] = len(states)
                    queue.append((target, forbidden))
                leaving.append((states[target, forbidden], common))
        edges.append(tuple(leaving))
        if len(states) > STATES:
            return None
    return Conjecture(tuple(edges), tuple(forbidden for _, forbidden in queue))


def _classes(module: Module, pairs: Bdd) -> list[tuple[Bdd, Bdd]]:
    """Sets of last letters, each with the safe letters after which exactly these are forbidden.

    Stops after ``STATES`` sets: then only their number matters.
    """
    context, encoding = module.context, module.encoding
    frozen = {name for name in module.letters if encoding.variables[name].kind is VariableKind.FROZEN}
    frozen_bits = set(encoding.current_bits(frozen))
    following = encoding.next_bits(module.letters)
    classes: list[tuple[Bdd, Bdd]] = []
    rest = module.safe
    while rest != context.false and len(classes) <= STATES:
        letter = context.pick(module.pick(rest))
        # A frozen variable has one bit for both letters of a pair.
        constant = context.cube({bit: value for bit, value in letter.items() if bit in frozen_bits})
        last = context.cofactor(pairs, letter)
        same = rest & constant & ~context.exists(following, context.xor(pairs, last))
        classes.append((encoding.to_current(last) & constant, same))
        rest = rest & ~same
    return classes

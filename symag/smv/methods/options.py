"""The options of the methods for SMV properties, and which methods read them."""

from __future__ import annotations

from typing import Literal

from symag.bdd.engines import Engine
from symag.core.options import Options, check_values, option
from symag.smv.methods.external.command_line import words_of

#: The methods that search with decision diagrams, and those of them that prove by parts.
_SYMBOLIC = ("monolithic", "rule-s", "rule-g")
_BY_PARTS = ("rule-s", "rule-g")
_CUT = (*_BY_PARTS, "parts")
#: Options of L* mean nothing to the other learner.
_NO_TABLE = ("learner", "separating")


class SmvOptions(Options, frozen=True):
    """Options of the symbolic methods.

    ``parts`` is None for the method's own choice. ``imbalance`` of 1.0 means equal parts; None tries 1.0, 1.2 .. 2.0 as
    the paper does and takes the least max_i |X_i u IO_i|. ``partitions`` is the largest number of partitions into as
    many parts that are tried. ``wires`` says which expressions become variables that a partition can cut at: none (the
    paper's setting), the property, also the boolean DEFINEs, or those of them that make the cut least; None is the
    property for Rule-S, and for Rule-G first the DEFINEs, then the property alone. ``grain`` says whether variables
    stay whole or their bits may go to different parts, or whether words of a netlist or instances stay whole.
    ``one_state_first`` attempts one-state assumptions for all modules at once before learning, or for Rule-S the
    strongest assumption that remembers nothing; ``small_alphabet_first`` first learns over letters that do not show the
    free inputs. ``refinement`` is Rule-G's loop: ``guided`` by the words of the last premise with all modules searched
    in step, or the ``paper``'s with one module searched to the end after the other. ``look_ahead`` lets assumptions of
    Rule-G forbid pairs of letters, so that a state need not remember the letter before the last; None begins with it
    when single letters need many states. ``learner``: what finds the assumptions, L* or a search by SAT for small
    automata between the strongest and the weakest. ``order_file`` is a NuSMV ``.ord`` file. ``memory`` is in MiB.
    Without ``evidence`` no certificate is written, and counterexamples to CTL end where NuSMV's do, with no fair run
    after them. ``bound`` is the largest number of steps that ``bmc`` and ``k-induction`` try, and ``parts``
    where it proves nothing. None is no limit, but for ``parts``, and for ``bmc``, which never ends by itself: it tries
    ``symag.smv.methods.bmc.STEPS`` unless the search is ``stoppable``, by a limit of time or memory or by the other
    methods of a race. ``bdd`` is the package of decision diagrams of the
    search, ``certify_bdd`` that of the re-check. With ``facts`` k-induction and PDR begin with local facts of the model
    as lemmas, which become part of their certificates. ``invariants``, ``fixpoints``, ``part_bits``, ``refinements``
    and ``splits`` belong to ``parts`` (its modules are in ``partwise``). With ``simulation_first`` PDR begins with
    random runs. With ``is_alone`` k-induction searches for no other invariants; with ``brief`` neither, and it takes a
    few steps only, sweeping ends where few latches are equal, and ``parts`` leaves violations to others. ``to_decide``
    is how many properties are decided, one after the other, each within ``seconds``, if that is not None.
    ``command`` is what ``external`` runs; in ``auto`` beside symag's own methods. ``reuse`` are certificates of earlier
    versions of the model, or folders of them: each is tried on the property with the same text (or name) before any
    search.
    """

    cone_of_influence: bool = option(True, "Drop what cannot matter.")
    direction: Literal["forward", "backward", "both"] = option(
        "both",
        "Where monolithic search starts; forward: parts computes no backward sets.",
        methods=("monolithic", "parts"),
    )
    reordering: bool = option(True, "Dynamic variable reordering.", methods=_SYMBOLIC)
    order_file: str | None = option(
        None, "Read a NuSMV .ord file.", flag="--order", methods=("monolithic",), metavar="FILE", is_input=True
    )
    order_output: str | None = option(
        None, "Write the final order as .ord.", flag="--write-order", methods=("monolithic",), metavar="FILE"
    )
    parts: int | None = option(None, "How many parts (default: chosen).", methods=_CUT, least=2, metavar="N")
    imbalance: float | None = option(
        None,
        "How far a part may exceed an equal share (default: the best of 1.0, 1.2 .. 2.0).",
        methods=_CUT,
        least=1.0,
        metavar="X",
    )
    partitioner: Literal["metis", "mtkahypar"] = option("metis", "What cuts the variables.", methods=_CUT)
    grain: Literal["variable", "bit", "word", "instance"] = option(
        "variable",
        "What the partitioner moves: variables, their bits one by one, words of a netlist, or instances of modules.",
        methods=_CUT,
    )
    seed: int = option(0, "The same seed gives the same output.", metavar="INTEGER")
    early_falsification: bool = option(True, "Rule-G: stop at the first witness.", methods=("rule-g",))
    edge_deletion: bool = option(True, "Rule-G: drop unneeded edges.", methods=("rule-g",), unless=_NO_TABLE)
    one_state_first: bool = option(
        True,
        "Before learning: one-state assumptions for all parts at once (rule-g), or the strongest assumption that"
        " remembers nothing (rule-s).",
        methods=_BY_PARTS,
    )
    small_alphabet_first: bool = option(
        True, "Rule-G: learn without the free inputs in the letters first.", methods=("rule-g",)
    )
    partitions: int = option(
        3, "How many partitions with the same number of parts take turns.", methods=_BY_PARTS, least=1, metavar="N"
    )
    refinement: Literal["guided", "paper"] = option(
        "guided",
        "Rule-G: learn from the last premise first, or from each module's own premise as in the paper.",
        methods=("rule-g",),
        unless=_NO_TABLE,
    )
    look_ahead: bool | None = option(
        None,
        "Rule-G: assumptions forbid pairs of letters, one step ahead (default: when single letters need many states).",
        methods=("rule-g",),
        unless=_NO_TABLE,
    )
    learner: Literal["lstar", "separating"] = option(
        "lstar",
        "lstar: assumptions by L*, towards the weakest; separating: the smallest that suffice, by SAT.",
        methods=_BY_PARTS,
    )
    wires: Literal["none", "property", "defines", "cut"] | None = option(
        None,
        "What the parts can be cut at besides variables; cut: the DEFINEs that make the cut least"
        " (default: property; rule-g tries defines first).",
        methods=_BY_PARTS,
    )
    invariants: Literal["facts", "sets", "both"] = option(
        "both",
        "What proves: local facts, sets of states of overlapping parts, or facts first and then sets.",
        methods=("parts",),
    )
    fixpoints: Literal["together", "separate"] = option(
        "together",
        "The parts' sets: least fix-points all together (tighter), or one after the other (cheaper).",
        methods=("parts",),
    )
    part_bits: int = option(
        40, "The largest number of bits to which refinement enlarges a part.", methods=("parts",), least=1, metavar="N"
    )
    refinements: int = option(
        100, "How often counterexamples enlarge a part.", methods=("parts",), least=0, metavar="N"
    )
    splits: bool = option(
        True, "Split the set of a part at a wire where that excludes a violation with fewer bits.", methods=("parts",)
    )
    bdd: Engine = option(
        "auto",
        "The package of decision diagrams: dd (CUDD where it has it), oxidd, or the one likely faster.",
        methods=(*_SYMBOLIC, "parts"),
    )
    certify_bdd: Engine = option(
        "auto", "What the re-check uses: with the package that the search does not use, neither is trusted alone."
    )
    memory: int | None = None
    stoppable: bool = False
    evidence: bool = True
    simulation_first: bool = False
    brief: bool = False
    is_alone: bool = False
    to_decide: int = 1
    seconds: float | None = None
    facts: bool = option(
        False, "Find local facts first, and use them as lemmas.", methods=("k-induction", "pdr", *_SYMBOLIC)
    )
    bound: int | None = option(
        None,
        "The largest number of steps that is tried (bmc without --timeout and --memory: 100).",
        methods=("bmc", "k-induction", "parts", "simulation"),
        least=0,
        metavar="N",
    )

    command: str | None = option(
        None,
        "Ask this program too: {aiger}, {aag} or {btor2} stands for the model, {witness}, {certificate} and {pla} for"
        " what it writes.",
        methods=("external",),
        metavar="TEXT",
    )

    reuse: tuple[str, ...] = option(
        (),
        "Try the certificate of an earlier version first: a file, or a folder of them (repeatable).",
        commands=("check",),
        metavar="FILE",
    )

    def __post_init__(self) -> None:
        check_values(self)
        if self.command is not None:
            words_of(self.command)  # an unusable one is refused whatever decides first

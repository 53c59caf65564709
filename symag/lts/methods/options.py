"""The methods for labelled transition systems by name, and the options that they read.

``monolithic`` decides every kind of question: ``decide(system, questions, progress)``. The others decide whether ERROR
can be reached: ``decide(problem, options, progress)``. ``reduce`` decides deadlock and progress too, and proves
assertions, ``agar`` decides progress and assertions: see ``symag.lts.checking.by_parts``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from symag.core.errors import UsageError
from symag.core.limits import Progress
from symag.core.options import Options, check_values, option
from symag.core.tables import AUTO, Methods, SameAs

if TYPE_CHECKING:
    # Only for their names: they need numpy, which takes time to import.
    from symag.lts.safety_problem import SafetyOutcome, SafetyProblem

#: Which assumptions the premise of each part may use: for each part the numbers of others, or a rule for all.
GuaranteeSets = Literal["maximal", "minimal"] | tuple[tuple[int, ...], ...]

_BY_PARTS = ("lstar", "agar", "quotient", "circular")


def guarantee_sets(text: str) -> GuaranteeSets:
    """The value of ``--guarantees``. Raises ValueError."""
    match text:
        case "maximal":
            return "maximal"
        case "minimal":
            return "minimal"
    lists = [list(filter(None, map(str.strip, part.split(",")))) for part in text.split(";")]
    if not all(number.isdecimal() for numbers in lists for number in numbers):
        raise ValueError(f"{text!r} is neither maximal nor minimal nor lists of numbers such as '1,2;0;'")
    return tuple(tuple(sorted(set(map(int, numbers)))) for numbers in lists)


class LtsOptions(Options, frozen=True):
    """Options of the methods; ``methods`` of an option says which of them read it.

    ``alphabet_refinement``: begin with the property's part of the interface, and add actions when needed.
    ``learner``: what finds the assumptions of lstar. ``reuse_hypotheses``: they begin with what was learned before.
    ``recomposition``: lstar composes components by cost before it learns.
    ``group_names``, ``order_names``, ``balance``: the parts, as the user describes them; for one problem ``groups`` and
    ``order`` follow from these. ``groups``: numbers of components that form one part; other components are parts of
    their own (see ``symag.core.grouping``). ``order``: numbers of components whose parts come first, in this order.
    ``seed``: the same seed gives the same output. ``steps``: the largest number of refinements of M's abstraction by
    quotient. ``abstraction``: whether quotient abstracts M; None is the method's own choice. ``seconds``: the time
    limit, None for none; the caller enforces the limit. ``guarantee_sets``: the G_i of circular: "maximal" for all
    others, "minimal" for those that share an action, or given numbers. ``selectors``: circular encodes disjunctions by
    log n selectors, as in the paper.
    """

    alphabet_refinement: bool = option(
        True,
        "Assumptions begin with the property's actions and get others when needed.",
        methods=("lstar", "agar", "circular"),
    )
    groups: tuple[tuple[int, ...], ...] = ()
    order: tuple[int, ...] = ()
    seed: int = option(0, "The same seed gives the same output.", metavar="INTEGER")
    steps: int | None = option(
        None,
        "quotient: refine the abstraction of the first part at most N times; any N gives a right answer.",
        methods=("quotient",),
        least=0,
        metavar="N",
    )
    seconds: float | None = None
    abstraction: bool | None = option(
        None,
        "quotient: refine an abstraction of the first part, or use its own states (default: if they are many).",
        methods=("quotient",),
    )
    guarantee_sets: GuaranteeSets = option(
        "maximal",
        "circular: the parts whose guarantees each part may rely on: maximal (all others), minimal (those that share "
        "actions with it), or their numbers for part 0, part 1, ...: '1,2;0;'.",
        flag="--guarantees",
        methods=("circular",),
        metavar="SETS",
        parse=guarantee_sets,
    )
    selectors: bool = option(
        False,
        "circular: disjunctions are encoded by log n selector variables, as in the paper.",
        methods=("circular",),
    )
    group_names: tuple[str, ...] = option(
        (),
        "Components that are one part, by name or number (A,B,3); others are parts of their own.",
        flag="--group",
        keyword="groups",
        methods=_BY_PARTS,
        metavar="NAMES",
    )
    order_names: str | None = option(
        None,
        "Components, as in --group, whose parts come first.",
        flag="--order",
        keyword="order",
        methods=_BY_PARTS,
        metavar="NAMES",
    )
    balance: bool = option(
        False,
        "Two parts whose numbers of states (the property with the first) differ least, of all ways up to 12 "
        "components; beyond that, of those with the first components of each kind, and by moving one at a time.",
        methods=_BY_PARTS,
    )

    learner: Literal["lstar", "separating"] = option(
        "lstar",
        "lstar: assumptions by L* (lstar), or the smallest ones, separating automata found by SAT (separating).",
        methods=("lstar",),
    )
    reuse_hypotheses: bool = option(
        True,
        "lstar: what was learned for one conjecture or one alphabet begins the next assumption of the same parts.",
        methods=("lstar",),
    )
    recomposition: bool = option(
        False,
        "lstar: if many conjectures do not suffice for the components as parts, compose some of them and begin again.",
        methods=("lstar",),
    )

    def __post_init__(self) -> None:
        check_values(self)
        if self.recomposition and (self.group_names or self.order_names or self.balance):
            raise UsageError("--recomposition finds the parts; it excludes --group, --order and --balance")
        if self.balance and (self.group_names or self.order_names):
            raise UsageError("--balance finds the parts; it excludes --group and --order")


#: Decides one safety problem; it runs in a child process.
Decide = Callable[["SafetyProblem", LtsOptions, Progress], "SafetyOutcome"]

MONOLITHIC = "monolithic"
AGAR = "agar"

#: Adding a method is one file and one line here.
METHODS: Methods[Decide] = Methods(
    {
        MONOLITHIC: "symag.lts.methods.monolithic",
        "lstar": "symag.lts.methods.lstar.method",
        AGAR: "symag.lts.methods.agar",
        "reduce": "symag.lts.methods.reduce.method",
        "quotient": "symag.lts.methods.quotient.method",
        "circular": "symag.lts.methods.circular.method",
        AUTO: SameAs(MONOLITHIC, "reduce"),
    }
)

_SAFETY = ("safety",)
_KINDS = {
    MONOLITHIC: ("deadlock", "safety", "progress", "assert"),
    "reduce": ("deadlock", "safety", "progress", "assert"),
    AGAR: ("safety", "progress", "assert"),
}


def kinds_decided(method: str) -> tuple[str, ...]:
    """The kinds of questions that a method decides: its own name, not that of an entry that stands for another."""
    return _KINDS.get(method, _SAFETY)

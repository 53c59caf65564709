"""What a user may tune in the decision of an SMV property; every field has the command line's default."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from symag.bdd.engines import ENGINES, Engine
from symag.core.errors import UsageError

#: The fields that take one of a few words.
_CHOICES = {
    "direction": ("forward", "backward", "both"),
    "partitioner": ("metis", "mtkahypar"),
    "grain": ("variable", "bit"),
    "refinement": ("guided", "paper"),
    "wires": ("none", "property", "defines", None),
    "bdd": ENGINES,
}


@dataclass(frozen=True, slots=True)
class Options:
    """Options of the symbolic methods.

    ``parts`` is None for the method's own choice. ``imbalance`` of 1.0 means equal parts, None tries
    1.0, 1.2 .. 2.0 as the paper does and takes the least max_i |X_i u IO_i|. ``partitions`` bounds how many
    partitions into the same number of parts are tried. ``wires`` says what becomes a variable of its own
    that a partition can cut at: nothing (the paper's setting), the property, or also the boolean DEFINEs;
    None is all of them first and then (Rule-G) the property alone; the property alone for Rule-S.
    ``grain`` says whether variables stay whole or their bits may go to different parts.
    ``one_state_first`` attempts one-state assumptions for all modules at once before learning;
    ``small_alphabet_first`` first learns over letters that do not show the free inputs.
    ``refinement`` is Rule-G's loop: ``guided`` by the last premise's words, all modules searched in step, or
    the ``paper``'s, every module to its own end. ``look_ahead`` lets assumptions of Rule-G forbid pairs of
    letters, so that a state need not remember the letter before the last.
    ``order_file`` is a NuSMV ``.ord`` file. ``memory`` is in MiB. Without ``evidence`` a certificate is not
    written, and counterexamples to CTL end where NuSMV's do, with no fair run after them. ``bound`` is the largest
    number of steps that ``bmc`` and ``k-induction`` try; None is no limit. ``bdd`` is the package of decision diagrams.
    """

    cone_of_influence: bool = True
    direction: Literal["forward", "backward", "both"] = "both"
    reordering: bool = True
    order_file: str | None = None
    order_output: str | None = None
    parts: int | None = None
    imbalance: float | None = None
    partitioner: Literal["metis", "mtkahypar"] = "metis"
    grain: Literal["variable", "bit"] = "variable"
    seed: int = 0
    early_falsification: bool = True
    edge_deletion: bool = True
    one_state_first: bool = True
    small_alphabet_first: bool = True
    partitions: int = 3
    refinement: Literal["guided", "paper"] = "guided"
    look_ahead: bool = False
    wires: Literal["none", "property", "defines"] | None = None
    memory: int | None = None
    evidence: bool = True
    bound: int | None = None
    bdd: Engine = "auto"

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                words = ", ".join(word for word in choices if word)
                raise UsageError(f"{name} is one of {words}, not {getattr(self, name)!r}")
        for name, least in (("parts", 2), ("partitions", 1), ("imbalance", 1.0), ("bound", 0)):
            number = getattr(self, name)
            if number is not None and not number >= least:
                raise UsageError(f"{name} is at least {least}, not {number}")

"""Alphabet refinement: learning begins with letters that hide some variables, and shows one more when needed.

A module that reads a hidden variable may take any value for it. Two modules may take different values, so
together they do more than the system. "Holds" stays right. A word that every module can produce and the system
cannot is *spurious*: then a hidden variable for which the modules take different values is shown, and learning
begins anew over the larger letters.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

from symag.bdd.context import Bdd
from symag.smv.methods.by_parts.ascv.ascv_g import AscvG
from symag.smv.methods.by_parts.ascv.separating_g import SeparatingG
from symag.smv.methods.by_parts.ascv.sides import RuleProof, SpuriousWord, ViolatingWord, produces
from symag.smv.methods.by_parts.module import Module

#: Makes the modules for letters that hide these variables, and starts the algorithm on them.
StartRun = Callable[[Sequence[str]], AscvG | SeparatingG]


class RefinedAlphabets:
    """Runs of the algorithm over growing letters. No outcome once nothing is hidden."""

    def __init__(self, hidden: Sequence[str], start: StartRun) -> None:
        self.hidden = tuple(hidden)
        self._start = start
        self._run: AscvG | SeparatingG | None = None

    @property
    def run(self) -> AscvG | SeparatingG:
        """The present run; the first one begins when it is first asked for."""
        if self._run is None:
            self._run = self._start(self.hidden)
        return self._run

    @property
    def states(self) -> int:
        """The size of the largest assumption of the present run."""
        return self.run.states

    def rounds(self) -> Generator[int, None, RuleProof | ViolatingWord | None]:
        """Learn until the rule is satisfied, a violation is found, or nothing is left to hide."""
        while True:
            outcome = yield from self.run.rounds()
            if not isinstance(outcome, SpuriousWord):
                return outcome
            shown = variable_to_show([side.module for side in self.run.sides], self.hidden, outcome.word)
            self.hidden = tuple(name for name in self.hidden if name != shown)
            if not self.hidden:
                return None
            self._run = self._start(self.hidden)


def variable_to_show(modules: Sequence[Module], hidden: Sequence[str], word: Sequence[Bdd]) -> str:
    """A hidden variable for which the modules cannot take the same values along the word.

    Every module alone can produce the word. Each in turn, the owner too, takes the values that the modules before
    it took; the first variable for which it cannot is the answer. Raises ValueError if there is none: then the
    system produces the word.
    """
    agreed: dict[str, list[Bdd]] = {}
    for module in modules:
        names = [name for name in hidden if name in module.hidden or name in module.variables]
        followed = list(word)
        for name in (name for name in names if name in agreed):
            narrowed = [letter & value for letter, value in zip(followed, agreed[name], strict=True)]
            if not produces(module, narrowed):
                return name
            followed = narrowed
        run = module.run(followed)
        for name in (name for name in names if name not in agreed):
            # An input that the module owns has no value at the last letter.
            agreed[name] = [
                module.encoding.equals(name, step[name]) if name in step else module.context.true for step in run
            ]
    raise ValueError("the modules agree on all hidden variables")

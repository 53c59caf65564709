"""Small alphabets, refined: learning over letters that hide some variables, and which of them to show.

Modules that do not see a variable that they read may each take another value for it, so together they do
more than the system. "Holds" stays right; a word that all of them can produce and the system cannot is
spurious, and some hidden variable that they take different values for must be shown. Learning then
begins anew over the larger letters.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

from symag.bdd.context import Bdd
from symag.smv.methods.by_parts.ascv.ascv_g import AscvG
from symag.smv.methods.by_parts.ascv.sides import RuleProof, SpuriousWord, ViolatingWord, produces
from symag.smv.methods.by_parts.module import Module

#: Makes the modules for letters that hide these variables, and the run of the algorithm on them.
StartRun = Callable[[Sequence[str]], AscvG]


class RefinedAlphabets:
    """Runs with ever larger letters; ``run`` is the present one. Ends without an outcome at the full letters."""

    def __init__(self, hidden: Sequence[str], start: StartRun) -> None:
        self.hidden = tuple(hidden)
        self._start = start
        self.run = start(self.hidden)

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
            self.run = self._start(self.hidden)


def variable_to_show(modules: Sequence[Module], hidden: Sequence[str], word: Sequence[Bdd]) -> str:
    """A hidden variable for which the modules, each alone able to produce the word, cannot take the same values.

    Each module in turn, the owner too, follows the values that the ones before it took, as far as it can;
    the variable that first stops it is the answer. Raises ValueError if none does: the system produces the word.
    """
    agreed: dict[str, list[Bdd]] = {}
    for module in modules:
        mine = [name for name in hidden if name in module.hidden or name in module.variables]
        followed = list(word)
        for name in (name for name in mine if name in agreed):
            closer = [letter & value for letter, value in zip(followed, agreed[name], strict=True)]
            if not produces(module, closer):
                return name
            followed = closer
        run = module.run(followed)
        for name in (name for name in mine if name not in agreed):
            # An input that the module owns has no value at the last letter.
            agreed[name] = [
                module.encoding.equals(name, step[name]) if name in step else module.context.true for step in run
            ]
    raise ValueError("the modules agree on all hidden variables")

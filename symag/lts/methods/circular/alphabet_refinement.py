"""Is an abstract counterexample real, and if not, which actions must the assumptions see to exclude it?

Reference: Algorithm 5 (AlphaRefine) of K. A. Elkader, O. Grumberg, C. S. Pasareanu and S. Shoham, CAV 2016, section 7;
its backward heuristic is that of M. Gheorghiu, D. Giannakopoulou and C. S. Pasareanu, "Refining interface alphabets
for compositional verification" (TACAS 2007). If all pairs of projections agree without a joint word, the orders of
the projections form a cycle, a case that the paper does not treat: the actions of the cycle are added.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from symag.lts.methods.circular.joint_words import actions_on_cycles, carried_over, differing_actions
from symag.lts.methods.circular.projected_component import ProjectedComponent
from symag.lts.projection import Word, projected


def refined(word: Word, seen: Collection[str], full: Sequence[ProjectedComponent]) -> Word | frozenset[str]:
    """A word of all components over their full interface alphabets, or actions outside ``seen`` to add.

    ``word`` is over the actions ``seen``, and in every component projected to them; ``full[i]`` is component i over its
    interface with the others and the property. A returned word has the projection ``word`` to ``seen``.
    """
    joint, covered = word, frozenset(seen)
    projections: list[Word | None] = []
    for component in full:
        labels = carried_over(joint, covered, component)
        if labels is None:
            alone = carried_over(projected(word, component.actions), frozenset(seen), component)
            assert alone is not None, "the word is in every component projected to the actions seen"
            projections.append(alone)
        else:
            projections.append(None)
            joint, covered = labels, covered.union(component.actions)
    if all(projection is None for projection in projections):
        return joint
    words = [
        projected(joint, component.actions) if alone is None else alone
        for alone, component in zip(projections, full, strict=True)
    ]
    added: set[str] = set()
    for index, (first, mine) in enumerate(zip(words, full, strict=True)):
        for second, theirs in zip(words[index + 1 :], full[index + 1 :], strict=True):
            common = frozenset(mine.actions).intersection(theirs.actions)
            added |= differing_actions(projected(first, common), projected(second, common), seen)
    return frozenset(added or actions_on_cycles(words).difference(seen))

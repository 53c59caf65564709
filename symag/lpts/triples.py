"""Assume-guarantee triples about expected costs, and what follows from several of them.

M. Kwiatkowska, G. Norman, D. Parker, H. Qu: *Compositional probabilistic verification through multi-objective model
checking*. Information and Computation 232, 2013 (TACAS 2010 for safety alone). A triple ``<A>=p> M <G>=q>`` says:
every scheduler of M under which A has a probability of at least p gives G a probability of at least q.

Rules and side conditions of this file:

- A property is a *monitor*: a complete deterministic automaton over actions, which never blocks, with a cost of each of
  its transitions. A safety property costs 1 when it is violated for the first time, so that its expected cost is the
  probability of the violation: ``<A>=p`` is the limit 1 - p. Expected costs in general are the paper's rewards.
- Limits are upper bounds that are not strict. A scheduler here may stop at any time (the paper's *partial* schedulers,
  which the projection of a scheduler of a composition on a component is). Stopping never raises a cost, so it loses
  nothing in bounds of the whole system. Lower bounds of reachability are not built, and are no case of this linear
  program: a scheduler that stops breaks every one of them, so they are about fair schedulers (the paper's Section 6).
  Then flow may not end where it likes, values of states may be negative, and search and re-check have to find the end
  components in which a fair scheduler can stay without the goal.
- M is extended by self-loops for all actions of the monitors that it does not have (the paper's M[alpha_A]). So no
  inclusion of alphabets has to be checked: the paper's "alpha_G is a subset of alpha_A and alpha_M" only keeps the user
  from asking in vain. A monitor has no action "", which is M's own.
- M's probabilities must not depend on other components, as everywhere in this family.

Why a chain of triples is sound: every scheduler of the whole system gives each property the same expected cost as its
projection on the components of a triple (extended), which is a scheduler of these. So a limit that the first triples
prove of all schedulers of the whole system may be assumed in the later ones. ASym (one component proves the
assumption, one uses it), ASym-N (a chain), ASym-Mult (several assumptions) and Circ (the first component proves an
assumption for the second, and uses what the second proves) are chains; nothing is assumed before it is proven.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from msgspec import Struct

from symag.lpts.lpts import Lpts


class Monitor(Struct, frozen=True, eq=False):
    """A property as an automaton: in each state of ``system`` each of its actions has one transition, to one state.

    ``costs[k]`` is the cost of transition k, at least 0. A ``probability`` is a cost of 1 that occurs once at most.
    """

    name: str
    system: Lpts
    costs: tuple[Fraction, ...]
    probability: bool

    def cost_of(self) -> dict[tuple[int, str], Fraction]:
        """The cost of each state and action where it is not 0."""
        alphabet = self.system.alphabet
        rows = zip(self.system.source.tolist(), self.system.action.tolist(), self.costs, strict=True)
        return {(state, alphabet[action]): cost for state, action, cost in rows if cost}


@dataclass(frozen=True, slots=True)
class Limit:
    """The expected cost of the monitor with this number is at most ``most``."""

    monitor: int
    most: Fraction


class Triple(Struct, frozen=True):
    """What these components may prove of the monitor ``guarantee`` if limits of the monitors ``assumed`` are known."""

    components: tuple[int, ...]
    assumed: tuple[int, ...]
    guarantee: int


@dataclass(frozen=True, slots=True, eq=False)
class TripleProblem:
    """Does every scheduler that keeps the limits ``assumed`` keep ``most`` for the monitor ``guarantee``?

    Schedulers of the composition of the components, extended. Without ``most``: what is the greatest expected cost?
    With ``curve`` it is asked for as a function of the limit of the only assumption, which then does not count.
    ``complement``: the user asks for 1 minus the cost. ``plan`` has the triples by which a proof may go.
    """

    components: tuple[Lpts, ...]
    monitors: tuple[Monitor, ...]
    assumed: tuple[Limit, ...]
    guarantee: int
    most: Fraction | None
    complement: bool = False
    curve: bool = False
    plan: tuple[Triple, ...] = ()

"""PDR on the properties of a system one by one: clauses that proved one help to prove the next.

Candidates are the known clauses over latches of the new problem. The search begins with the largest inductive subset
(C. Flanagan, R. Leino, FME 2001). The clauses are not trusted: the certificate contains them all.
"""

from __future__ import annotations

from collections.abc import Sequence

from symag.core.results import PropertyResult
from symag.smv.certificates.formulas import BitLiteral
from symag.smv.certificates.invariants import Induction
from symag.smv.methods.pdr.encoding import Cube, PdrEncoding
from symag.smv.methods.pdr.frames import Frames
from symag.smv.methods.sat.problem import ReachabilityProblem

#: A clause over bits of the model's variables.
Clause = tuple[BitLiteral, ...]

#: The largest number of clauses that are remembered; the oldest are forgotten first.
MOST = 2_000


class KnownClauses:
    """Clauses over bits of one system's variables that every reachable state satisfies."""

    def __init__(self) -> None:
        self._clauses: dict[Clause, None] = {}

    def learn(self, result: PropertyResult) -> None:
        """Remember the clauses of a proof, unless it needs lemmas too: then its clauses need not be inductive alone."""
        certificate = result.certificate
        if isinstance(certificate, Induction) and certificate.steps == 1 and not certificate.lemmas:
            self._clauses.update(dict.fromkeys(certificate.clauses))
            while len(self._clauses) > MOST:
                del self._clauses[next(iter(self._clauses))]

    def about(self, problem: ReachabilityProblem) -> tuple[Clause, ...]:
        """The clauses that read latches of the problem only."""
        bits = {latch.bit for latch in problem.circuit.latches}
        return tuple(clause for clause in self._clauses if all((name, bit) in bits for name, bit, _ in clause))


def inductive(encoding: PdrEncoding, cubes: Sequence[Cube]) -> list[Cube]:
    """The largest set of these cubes whose negations hold initially and are inductive together.

    Costs one query for each cube, repeated for all that are left until none is dropped.
    """
    left = list(cubes)
    while left:
        frames = Frames(encoding, left)
        frames.extend()
        kept = [cube for cube in left if frames.excludes_initial(cube) and frames.pushed_part(cube, 1) is not None]
        frames.close()
        if len(kept) == len(left):
            break
        left = kept
    return left

"""The frames F_0 .. F_k: what is known of the states that can be reached in at most this many steps.

F_0 are the initial states. For i > 0 frame i is given by blocked cubes; a cube blocked at level j is blocked in
all frames up to j. F_infinity are cubes that are blocked for ever: their negations are inductive. One solver
a frame (measured against one for all in ``decision``), made anew when many of its clauses are switched off.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from symag.smv.methods.pdr.encoding import Cube, LazySolver, PdrEncoding

#: Clauses that may be switched off before a solver is made anew.
REBUILD_AFTER = 1_000


class Frames:
    """The frames and the questions to them; ``top`` is the number of the last frame."""

    def __init__(self, encoding: PdrEncoding, cubes: Iterable[Cube] = ()) -> None:
        self.encoding = encoding
        self.levels: list[list[Cube]] = [[]]
        self.infinite: list[Cube] = list(cubes)
        self._solvers = [self._start()]
        self._exact_reset = not (encoding.initial or encoding.always)
        self._asked = self._solvers[0]
        self.queries = 0

    @property
    def top(self) -> int:
        """The number of the last frame."""
        return len(self.levels) - 1

    def extend(self) -> None:
        """Add a frame that contains all states but those that are never reached."""
        self.levels.append([])
        self._solvers.append(self._frame(()))

    def lemmas(self, level: int) -> Iterator[Cube]:
        """The cubes that are blocked in a frame."""
        for cubes in self.levels[level:]:
            yield from cubes
        yield from self.infinite

    def is_blocked(self, cube: Cube, level: int) -> bool:
        """Whether one lemma of a frame says that a cube is blocked there."""
        return any(lemma <= cube for cubes in self.levels[level:] for lemma in cubes)

    def block(self, cube: Cube, level: int) -> None:
        """Block a cube up to a level; lemmas that say less are dropped."""
        for number in range(1, level + 1):
            lemmas = [lemma for lemma in self.levels[number] if not cube <= lemma]
            if len(lemmas) < len(self.levels[number]):
                self.levels[number] = lemmas
        self.levels[level].append(cube)
        clause = [-literal for literal in cube]
        for number in range(1, level + 1):
            self._solvers[number].solver.add(clause)

    def satisfiable(self, level: int, literals: list[int]) -> list[int] | None:
        """A model of a frame in which some literals are true."""
        self.queries += 1
        solver = self._solvers[level]
        solver.load(literals)
        return solver.solver.model() if solver.solver.solve(literals) else None

    def unreached_part(self, cube: Cube, level: int) -> Cube | None:
        """The part of a cube into which no step leads from outside of it in a frame (it may contain initial states).

        None if a step leads into the cube; ``model`` then has the state.
        """
        return self._step_into(self._fresh(level), cube, outside=True)

    def pushed_part(self, cube: Cube, level: int) -> Cube | None:
        """The same for a cube that the frame excludes."""
        return self._step_into(self._fresh(level), cube, outside=False)

    def model(self) -> list[int]:
        """The model of the last question, if it had one."""
        return self._asked.solver.model()

    def excludes_initial(self, cube: Iterable[int]) -> bool:
        """Whether no initial state is in a cube."""
        reset = self.encoding.reset
        literals = list(cube)
        if any(reset[abs(literal)] == -literal for literal in literals):
            return True
        return not self._exact_reset and self.satisfiable(0, literals) is None

    def close(self) -> None:
        """Free all solvers."""
        for solver in self._solvers:
            solver.close()

    def _step_into(self, solver: LazySolver, cube: Cube, *, outside: bool) -> Cube | None:
        self.queries += 1
        self._asked = solver
        encoding = self.encoding
        literals = list(cube)
        following = encoding.next_of(literals)
        solver.load(following)
        solver.load(encoding.step)
        assumptions = [*encoding.step, *following]
        if outside:
            assumptions.insert(0, solver.switched([-literal for literal in literals]))
        if solver.solver.solve(assumptions):
            return None
        core = set(solver.solver.core())
        return Cube(literal for literal, after in zip(literals, following, strict=True) if after in core)

    def _fresh(self, level: int) -> LazySolver:
        """The solver of a frame, made anew if that is due."""
        solver = self._solvers[level]
        if solver.activations > REBUILD_AFTER:
            solver.close()
            solver = self._start() if level == 0 else self._frame(self.lemmas(level))
            self._solvers[level] = solver
        return solver

    def _start(self) -> LazySolver:
        encoding = self.encoding
        resets = [literal for literal in encoding.reset.values() if literal]
        return LazySolver(encoding, [*resets, *encoding.initial, *encoding.always])

    def _frame(self, cubes: Iterable[Cube]) -> LazySolver:
        solver = LazySolver(self.encoding, self.encoding.always)
        if not cubes:
            cubes = self.infinite
        for cube in cubes:
            solver.solver.add([-literal for literal in cube])
        return solver

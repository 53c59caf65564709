"""The frames F_0 .. F_k: frame i contains all states that can be reached in at most i steps.

F_0 are the initial states. For i > 0 frame i is given by blocked cubes; a cube blocked at level j is blocked in
all frames up to j. F_infinity are cubes that are blocked for ever: their negations are inductive. Each frame has a
solver (``decision`` has the measurements), made anew when many of its clauses are switched off.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from symag.smv.methods.pdr.encoding import Cube, LazySolver, PdrEncoding

#: Clauses that may be switched off before a solver is made anew.
REBUILD_AFTER = 1_000


class Frames:
    """The frames and the queries to them. ``cubes`` are those of F_infinity that are known from the start."""

    def __init__(self, encoding: PdrEncoding, cubes: Iterable[Cube] = ()) -> None:
        self.encoding = encoding
        self.levels: list[list[Cube]] = [[]]
        self.infinite: list[Cube] = list(cubes)
        self._solvers = [self._frame(0)]
        self._exact_reset = not (encoding.initial or encoding.always)
        self._last_queried = self._solvers[0]
        self.queries = 0

    @property
    def top(self) -> int:
        """The number of the last frame."""
        return len(self.levels) - 1

    def extend(self) -> None:
        """Add a frame that contains all states but those that are never reached."""
        self.levels.append([])
        self._solvers.append(self._frame(self.top))

    def lemmas(self, level: int) -> Iterator[Cube]:
        """The cubes that are blocked in a frame."""
        for cubes in self.levels[level:]:
            yield from cubes
        yield from self.infinite

    def is_blocked(self, cube: Cube, level: int) -> bool:
        """Whether one lemma of a frame excludes all states of a cube."""
        return any(lemma <= cube for cubes in self.levels[level:] for lemma in cubes)

    def block(self, cube: Cube, level: int) -> None:
        """Block a cube up to a level; cubes of these levels that it contains are dropped."""
        for number in range(1, level + 1):
            lemmas = [lemma for lemma in self.levels[number] if not cube <= lemma]
            if len(lemmas) < len(self.levels[number]):
                self.levels[number] = lemmas
        self.levels[level].append(cube)
        clause = [-literal for literal in cube]
        for number in range(1, level + 1):
            self._solvers[number].solver.add(clause)

    def satisfiable(self, level: int, literals: list[int]) -> list[int] | None:
        """A model of a frame in which some literals are true, or None."""
        self.queries += 1
        solver = self._solvers[level]
        return solver.solver.model() if solver.solve(literals, literals) else None

    def unreached_part(self, cube: Cube, level: int, *, near: bool = False) -> Cube | None:
        """A subset of a cube's literals that no step from outside the cube in a frame makes true.

        The larger cube of these literals may contain initial states. None if a step leads into the given cube;
        ``model`` then has the state. With ``near``, see ``LazySolver.solve``, both may be wrong.
        """
        return self._step_into(self._fresh(level), cube, outside=True, near=near)

    def pushed_part(self, cube: Cube, level: int) -> Cube | None:
        """The same for a cube that the frame excludes."""
        return self._step_into(self._fresh(level), cube, outside=False)

    def model(self) -> list[int]:
        """The model of the last query about a step, if it had one."""
        return self._last_queried.solver.model()

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

    def _step_into(self, solver: LazySolver, cube: Cube, *, outside: bool, near: bool = False) -> Cube | None:
        self.queries += 1
        self._last_queried = solver
        encoding = self.encoding
        literals = list(cube)
        following = encoding.next_of(literals)
        assumptions = [*encoding.step, *following]
        if outside:
            assumptions.insert(0, solver.switched([-literal for literal in literals]))
        if solver.solve([*following, *encoding.step], assumptions, near=near):
            return None
        core = set(solver.solver.core())
        return Cube(literal for literal, after in zip(literals, following, strict=True) if after in core)

    def _fresh(self, level: int) -> LazySolver:
        """The solver of a frame, made anew if that is due."""
        solver = self._solvers[level]
        if solver.activations > REBUILD_AFTER:
            solver.close()
            solver = self._solvers[level] = self._frame(level)
        return solver

    def _frame(self, level: int) -> LazySolver:
        """A new solver for a frame."""
        encoding = self.encoding
        if level == 0:
            resets = [literal for literal in encoding.reset.values() if literal]
            return LazySolver(encoding, [*resets, *encoding.initial, *encoding.always])
        solver = LazySolver(encoding, encoding.always)
        for cube in self.lemmas(level):
            solver.solver.add([-literal for literal in cube])
        return solver

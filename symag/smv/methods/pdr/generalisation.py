"""Generalisation: drops literals of a blocked cube one after the other, as long as the cube stays blocked.

With counterexamples to generalisation (Hassan, Bradley, Somenzi, "Better generalization in IC3", FMCAD 2013): a state
that keeps a literal from being dropped is itself blocked, if one query shows that it can be.

In large circuits only gates near the cube are asked whether a literal can be dropped: with all of them such a question
can be much harder than the one that blocks the cube.
"""

from __future__ import annotations

from msgspec import Struct

from symag.smv.methods.pdr.encoding import Cube
from symag.smv.methods.pdr.frames import Frames

#: Counterexamples to generalisation are blocked for cubes whose state was blocked at least this often before.
HARD_AFTER = 20

#: The largest number of counterexamples that are blocked for one literal.
_MOST = 3


class Generaliser(Struct):
    """Enlarges blocked cubes."""

    frames: Frames
    activity: dict[int, float]
    hard_after: int = HARD_AFTER
    _depth: int = 0
    _bump: float = 1.0

    def learn(self, cube: Cube, level: int, times: int) -> int:
        """Block a larger cube around this one, up to the highest level at which it is blocked; return that level.

        The given cube contains no initial state, and no step of frame ``level`` - 1 leads into it. ``times`` is how
        often its obligation was blocked before: one that comes back is worth more effort.
        """
        self._depth = 0 if times < self.hard_after else 1
        return self._learn(cube, level, self.frames.top, 0)

    def _learn(self, cube: Cube, level: int, highest: int, depth: int) -> int:
        frames = self.frames
        lemma = self._enlarged(cube, level, depth)
        while level < highest:
            part = frames.unreached_part(lemma, level, near=True)
            if part is None:
                break
            lemma = self.outside_start(part, lemma)
            level += 1
        frames.block(lemma, level)
        self._reward(lemma)
        return level

    def _enlarged(self, cube: Cube, level: int, depth: int) -> Cube:
        """The cube without the literals that can be dropped."""
        activity = self.activity
        required: set[int] = set()
        for literal in sorted(cube, key=lambda member: (activity.get(abs(member), 0.0), abs(member))):
            if literal not in cube or len(cube) == 1:
                continue
            smaller = self._down(cube - {literal}, level, depth, required)
            if smaller is None:
                required.add(literal)
            else:
                cube = smaller
        return cube

    def _down(self, cube: Cube, level: int, depth: int, required: set[int]) -> Cube | None:
        """A subset of the cube's literals that is blocked relative to frame ``level`` - 1; None if none is found."""
        frames = self.frames
        blocked = 0
        while True:
            if not frames.excludes_initial(cube):
                return None
            part = frames.unreached_part(cube, level - 1, near=True)
            if part is not None:
                return self.outside_start(part, cube)
            if depth >= self._depth:
                return None
            state = Cube(frames.encoding.state_of(frames.model()))
            if blocked < _MOST and level > 1 and frames.excludes_initial(state):
                core = frames.unreached_part(state, level - 2)
                if core is not None:
                    blocked += 1
                    self._learn(self.outside_start(core, state), level - 1, level - 1, depth + 1)
                    continue
            cube = cube & state
            if not cube or not required <= cube:
                return None
            blocked = 0

    def outside_start(self, part: Cube, cube: Cube) -> Cube:
        """The part with just enough further literals of the cube to exclude the initial states."""
        frames = self.frames
        if frames.excludes_initial(part):
            return part
        reset = frames.encoding.reset
        for literal in sorted(cube, key=abs):
            if reset[abs(literal)] == -literal:
                return part | {literal}
        for literal in sorted(cube - part, key=abs):
            part = part | {literal}
            if frames.excludes_initial(part):
                return part
        raise AssertionError("a cube without initial states has a part without")

    def _reward(self, cube: Cube) -> None:
        self._bump *= 1.02
        for literal in cube:
            self.activity[abs(literal)] = self.activity.get(abs(literal), 0.0) + self._bump
        if self._bump > 1e100:
            for variable in self.activity:
                self.activity[variable] /= 1e100
            self._bump /= 1e100

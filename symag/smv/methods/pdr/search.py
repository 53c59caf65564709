"""The main loop of PDR: block the cubes that lead to a bad state, then push lemmas forward until two frames agree."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from msgspec import Struct

from symag.smv.methods.pdr.encoding import Cube, PdrEncoding
from symag.smv.methods.pdr.frames import Frames
from symag.smv.methods.pdr.generalisation import Generaliser
from symag.smv.methods.pdr.lifting import Lifter
from symag.smv.methods.pdr.obligations import Obligation, Obligations
from symag.smv.methods.sat.partial_run import Run


class PdrProof(Struct, frozen=True):
    """The negations of the cubes, with the system's constraints, are inductive and exclude all bad states."""

    cubes: tuple[Cube, ...]


@dataclass(slots=True)
class Pdr:
    """One run of PDR. ``known`` are cubes that are never reached, all of their negations together inductive."""

    encoding: PdrEncoding
    known: Iterable[Cube] = ()
    activity: dict[int, float] = field(default_factory=dict)
    frames: Frames = field(init=False)
    _lifter: Lifter = field(init=False)
    _generaliser: Generaliser = field(init=False)
    _queue: Obligations = field(default_factory=Obligations)

    def __post_init__(self) -> None:
        self.frames = Frames(self.encoding, self.known)
        self._lifter = Lifter(self.encoding, self.activity)
        self._generaliser = Generaliser(self.frames, self.activity)

    def run(self, progress: Callable[[int], None]) -> Run | PdrProof:
        """Search until there is an answer; ``progress`` is called with the number of every new frame."""
        frames, bad = self.frames, self.encoding.bad
        model = frames.satisfiable(0, [bad])
        if model is not None:
            return self._run_from(model, None)
        frames.extend()
        while True:
            progress(frames.top)
            while (model := frames.satisfiable(frames.top, [bad])) is not None:
                inputs = self.encoding.inputs_of(model)
                cube = self._lifter.lift(self.encoding.state_of(model), inputs, [bad, *self.encoding.always])
                run = self._block(Obligation(cube, tuple(inputs), None, 0))
                if run is not None:
                    return run
            frames.extend()
            proof = self._push()
            if proof is not None:
                return proof

    def close(self) -> None:
        """Free all solvers."""
        self.frames.close()
        self._lifter.close()

    def _block(self, first: Obligation) -> Run | None:
        """Block a cube of bad states in the last frame; if it is reachable, return a run to it."""
        frames, encoding = self.frames, self.encoding
        if not frames.excludes_initial(first.cube):
            return self._run_of(first)
        queue = self._queue
        queue.clear()
        queue.push(first, frames.top)
        while queue:
            obligation, level = queue.pop()
            cube = obligation.cube
            if frames.is_blocked(cube, level):
                if level < frames.top:
                    queue.push(obligation, level + 1)
                continue
            part = frames.unreached_part(cube, level - 1)
            if part is not None:
                outside = self._generaliser.outside_start(part, cube)
                reached = self._generaliser.learn(outside, level, obligation.blocked)
                obligation.blocked += 1
                if reached < frames.top:
                    queue.push(obligation, reached + 1)
                continue
            model = frames.model()
            inputs = encoding.inputs_of(model)
            if level == 1:
                return self._run_from(model, obligation)
            targets = [*encoding.next_of(cube), *encoding.step, *encoding.always]
            before = self._lifter.lift(encoding.state_of(model), inputs, targets)
            earlier = Obligation(before, tuple(inputs), obligation, obligation.depth + 1)
            if not frames.excludes_initial(before):
                return self._run_of(earlier)
            queue.push(obligation, level)
            queue.push(earlier, level - 1)
        return None

    def _push(self) -> PdrProof | None:
        """Push lemmas to the next frames; a proof if all lemmas of some frame could be pushed.

        All frames but the last one, which is new, exclude the bad states.
        """
        frames = self.frames
        for level in range(1, frames.top):
            for cube in sorted(frames.levels[level], key=len):
                if cube not in frames.levels[level]:
                    continue  # a larger cube has replaced it
                part = frames.pushed_part(cube, level)
                if part is not None:
                    frames.block(self._generaliser.outside_start(part, cube), level + 1)
            if not frames.levels[level]:
                return PdrProof(tuple(frames.lemmas(level + 1)))
        return None

    def _run_of(self, obligation: Obligation) -> Run:
        """The run from an initial state of an obligation's cube."""
        model = self.frames.satisfiable(0, list(obligation.cube))
        if model is None:
            raise AssertionError("the cube contains an initial state")
        first = self._by_node(self.encoding.state_of(model))
        return Run(first, self._inputs_from(obligation))

    def _run_from(self, model: list[int], successor: Obligation | None) -> Run:
        """The run from the initial state of a model, whose step leads into an obligation's cube."""
        inputs = self._by_node(self.encoding.inputs_of(model))
        return Run(self._by_node(self.encoding.state_of(model)), (inputs, *self._inputs_from(successor)))

    def _inputs_from(self, obligation: Obligation | None) -> tuple[dict[int, bool], ...]:
        inputs = []
        while obligation is not None:
            inputs.append(self._by_node(obligation.inputs))
            obligation = obligation.successor
        return tuple(inputs)

    def _by_node(self, literals: Iterable[int]) -> dict[int, bool]:
        node_of = self.encoding.node_of
        return {node_of[abs(literal)]: literal > 0 for literal in literals}

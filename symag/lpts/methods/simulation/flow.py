"""Weight functions by exact maximum flow (agar-lpts-2012, Definition 4 and Lemma 1).

The network of two distributions: source -> states of the first, with their masses; related pairs without
bound; states of the second -> sink, with theirs. A weight function is a flow that saturates the first side.
Masses are integers, so nothing is rounded. Dinic's algorithm; when the relation loses a pair, the flow of that
pair is given back and the rest stays, as in the parametric algorithms of Zhang, Hermanns, Eisenbrand and
Jansen ("Flow faster: efficient decision algorithms for probabilistic simulations", 2008).
"""

from __future__ import annotations

from collections.abc import Sequence


class WeightNetwork:
    """The flow between two distributions; states are given by their positions in the two supports.

    ``related[i]`` is the set of positions on the second side to which i may send: the owner removes from it by
    ``remove`` and may add to it at any time. ``flow[i][j]`` is the current flow, zeros left out.
    """

    def __init__(self, first: Sequence[int], second: Sequence[int], related: Sequence[set[int]]) -> None:
        self.related = [set(places) for places in related]
        self.flow: list[dict[int, int]] = [{} for _ in first]
        self._excess = list(first)  # mass of each i that is not sent anywhere yet
        self._room = list(second)  # mass of each j that is not received yet
        self._senders: list[set[int]] = [set() for _ in second]
        self._masses = tuple(first), tuple(second)

    @property
    def saturated(self) -> bool:
        """Whether the flow is a weight function."""
        return not any(self._excess)

    def remove(self, i: int, j: int) -> None:
        """The pair is no longer related; the mass that it carried is unsent again."""
        self.related[i].discard(j)
        lost = self.flow[i].pop(j, 0)
        if lost:
            self._senders[j].discard(i)
            self._excess[i] += lost
            self._room[j] += lost

    def maximise(self) -> bool:
        """Extend the current flow to a maximum one; returns whether it is saturated. O(V^2 E) in the worst case."""
        while any(self._excess):
            level = self._levels()
            if level is None:
                return False
            self._block(*level)
        return True

    def _levels(self) -> tuple[dict[int, int], dict[int, int]] | None:
        """Distances in the residual network of both sides' states from unsent mass; None if no room is reached."""
        left = {i: 0 for i, excess in enumerate(self._excess) if excess}
        right: dict[int, int] = {}
        frontier = list(left)
        depth = 0
        while frontier:
            depth += 1
            reached = sorted({j for i in frontier for j in self.related[i]} - right.keys())
            right.update((j, depth) for j in reached)
            if any(self._room[j] for j in reached):
                return left, right
            depth += 1
            frontier = sorted({i for j in reached for i in self._senders[j]} - left.keys())
            left.update((i, depth) for i in frontier)
        return None

    def _block(self, left: dict[int, int], right: dict[int, int]) -> None:
        """A blocking flow along ascending distances."""
        onward = {i: sorted(j for j in self.related[i] if right.get(j) == depth + 1) for i, depth in left.items()}
        back = {j: sorted(i for i in self._senders[j] if left.get(i) == depth + 1) for j, depth in right.items()}
        for start, depth in left.items():
            while depth == 0 and self._excess[start]:
                path = self._path(start, onward, back)
                if path is None:
                    break
                self._augment(path)

    def _path(self, start: int, onward: dict[int, list[int]], back: dict[int, list[int]]) -> list[int] | None:
        """States i, j, i', j', ... to one with room; dead ends are taken from the lists for good."""
        path = [start]
        while path:
            on_left = len(path) % 2 == 1
            if not on_left and self._room[path[-1]]:
                return path
            choices = onward[path[-1]] if on_left else back[path[-1]]
            while choices and not on_left and choices[-1] not in self._senders[path[-1]]:
                choices.pop()  # its flow was redirected by an earlier path of this phase
            if choices:
                path.append(choices[-1])
                continue
            path.pop()
            if path:
                (onward[path[-1]] if len(path) % 2 == 1 else back[path[-1]]).pop()
        return None

    def _augment(self, path: list[int]) -> None:
        amount = min(self._excess[path[0]], self._room[path[-1]])
        for index in range(1, len(path) - 1, 2):
            amount = min(amount, self.flow[path[index + 1]][path[index]])
        self._excess[path[0]] -= amount
        self._room[path[-1]] -= amount
        for index in range(0, len(path), 2):
            self._change(path[index], path[index + 1], amount)
            if index:
                self._change(path[index], path[index - 1], -amount)

    def _change(self, i: int, j: int, amount: int) -> None:
        value = self.flow[i].get(j, 0) + amount
        if value:
            self.flow[i][j] = value
            self._senders[j].add(i)
        else:
            del self.flow[i][j]
            self._senders[j].discard(i)

    def witness(self) -> set[int]:
        """States T of the first side with more mass than all that is related to them (Algorithm 1).

        Only after ``maximise`` has returned False. Line 4 is printed as an assignment that can lose the state
        it began with; here T only grows, and the smallest T over all states to begin with is taken.
        """
        witnesses = [self._witness_from(i) for i, excess in enumerate(self._excess) if excess]
        return min(witnesses, key=lambda places: (len(places), sorted(places)))

    def _witness_from(self, start: int) -> set[int]:
        first, second = self._masses
        chosen = {start}
        while True:
            images = {j for i in chosen for j in self.related[i]}
            if sum(first[i] for i in chosen) > sum(second[j] for j in images):
                return chosen
            chosen |= {i for j in images for i in self._senders[j]}

"""The simultaneous induction of all invariants in a process of its own, which lasts from one race to the next.

It is not asked about a property: it tells what it proves of any. So what another method decides meanwhile costs none
of its work, and an answer that comes in a later race is as true there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from symag.core.limits import Progress
from symag.core.results import PropertyResult, Verdict
from symag.core.values import replace
from symag.process.child import Child, ChildOutcome
from symag.process.race import Runner, RunnerResult
from symag.process.session import Session

#: Searches until there is news, and soon ends without if the request is True: ``k_induction.search_for_all``.
Search = Callable[[bool, Progress], PropertyResult]


class InvariantsTogether:
    """The runners of one search. ``open_search`` makes it, in its process, before which ``prepare`` is called here;
    ``memory`` is in MiB.

    ``name`` is that of its entries in answers; ``note`` is called with every answer.
    """

    def __init__(
        self,
        name: str,
        prepare: Callable[[], None],
        open_search: Callable[[], Search],
        memory: int | None,
        note: Callable[[PropertyResult], None],
    ) -> None:
        self.name = name
        self._prepare = prepare
        self._note = note
        self._violated: set[int] = set()
        self._is_over = False
        opened: list[Search] = []

        def answer(is_brief: bool, progress: Progress) -> PropertyResult:
            if not opened:
                opened.append(open_search())
            return opened[0](is_brief, progress)

        self._session = Session(answer, memory)

    def may_prove(self, index: int) -> bool:
        """Whether the property with this index may be proved still."""
        return not self._is_over and index not in self._violated

    def runner(self, runner: Runner, index: int, later: float) -> Runner:
        """The runner with this search, where the property with this index is decided.

        Once the search has had no news for some time it goes on when ``later`` CPU seconds of the race have passed.
        """

        def then(outcome: ChildOutcome) -> Runner | None:
            if not isinstance(outcome.value, PropertyResult):
                return None
            news = outcome.value.others
            self._note(outcome.value)
            self._violated |= {other for other, evidence in news.items() if evidence is None}
            self._is_over = outcome.value.statistics["open"] == 0
            if not self.may_prove(index):
                return None
            if news:
                return replace(brief, delay=0.0)
            return replace(brief, start=partial(self._started, False), delay=later, brief=0.0)

        brief = replace(runner, start=partial(self._started, True), kept=True, lasting=True, then=then)
        return brief

    def _started(self, is_brief: bool) -> Child:
        self._prepare()
        return self._session.go_on(is_brief)

    def answering(self, finish: RunnerResult, index: int) -> RunnerResult:
        """The result of a runner as that for the property with this index, which its news may prove."""
        value = finish.outcome.value
        if finish.name != self.name or not isinstance(value, PropertyResult) or value.verdict is not Verdict.UNKNOWN:
            return finish
        certificate = value.others.get(index)
        if certificate is None:
            return finish
        proved = replace(value, verdict=Verdict.HOLDS, reason=None, certificate=certificate)
        return replace(finish, outcome=replace(finish.outcome, value=proved))

    def close(self) -> None:
        """Kill the process; the next race begins the search again."""
        self._session.close()

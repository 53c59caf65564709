"""Every fault seeded into models with contracts is noticed: one for each place where one token is replaced."""

from __future__ import annotations

import pytest

from scripts.smv.contract_faults import faulty
from symag.core.errors import InputError
from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.core.values import replace
from symag.smv import read_text
from symag.smv.certify import accept
from symag.smv.contracts import checking
from symag.smv.contracts.checking import ContractCheck, ContractReport
from symag.smv.contracts.contract import contracts_in_comments
from symag.smv.methods import monolithic
from symag.smv.methods.options import SmvOptions
from symag.smv.model.flat import FlatSystem, Property
from tests.conftest import ROOT

#: A queue between two parts that count what they sent and took; the faults are in its three modules.
QUEUE = """MODULE Sender(room)
VAR sends : boolean;
ASSIGN init(sends) := FALSE;
  next(sends) := case next(room) : {TRUE, FALSE}; TRUE : FALSE; esac;
MODULE Taker(items)
VAR takes : boolean;
ASSIGN init(takes) := FALSE;
  next(takes) := case next(items) > 0 : {TRUE, FALSE}; TRUE : FALSE; esac;
MODULE Queue(sends, takes)
VAR items : 0..4;
ASSIGN init(items) := 0;
  next(items) := case
    sends & !takes & items < 4 : items + 1;
    takes & !sends & items > 0 : items - 1;
    TRUE : items;
  esac;
DEFINE room := items < 3;
MODULE main
VAR sender : Sender(queue.room); taker : Taker(queue.items); queue : Queue(sender.sends, taker.takes);
INVARSPEC NAME no_overflow := queue.items < 4
INVARSPEC NAME no_underflow := taker.takes -> queue.items > 0
--@ [sender]
--@ guarantee = ["sender.sends -> queue.items < 3"]
--@ [taker]
--@ guarantee = ["taker.takes -> queue.items > 0"]
--@ [queue]
--@ assume = ["sender.sends -> queue.items < 3", "taker.takes -> queue.items > 0"]
--@ guarantee = ["queue.items < 4", "queue.room <-> queue.items < 3",
--@   "sender.sends & !taker.takes -> next(queue.items) = queue.items + 1",
--@   "!sender.sends & taker.takes -> next(queue.items) = queue.items - 1",
--@   "(sender.sends <-> taker.takes) -> next(queue.items) = queue.items"]
"""

#: Contracts of models/token.smv that say more than those beside it.
TOKEN = """--@ [first]
--@ assume = ["arbiter.owner = one & next(first.state) = busy -> next(arbiter.owner) = one"]
--@ guarantee = ["first.state = busy -> arbiter.owner = one", "first.state = idle -> next(first.state) != busy",
--@   "first.state = waiting & arbiter.owner != one -> next(first.state) = waiting",
--@   "first.state = waiting & arbiter.owner = one -> next(first.state) = busy",
--@   "first.state = busy -> next(first.state) != waiting", "first.done <-> first.state = idle"]
--@ [second]
--@ assume = ["arbiter.owner = two & next(second.state) = busy -> next(arbiter.owner) = two"]
--@ guarantee = ["second.state = busy -> arbiter.owner = two"]
--@ [arbiter]
--@ guarantee = [
--@   "arbiter.owner = one & next(first.state) = busy -> next(arbiter.owner) = one",
--@   "arbiter.owner = two & next(second.state) = busy -> next(arbiter.owner) = two",
--@   "arbiter.owner = nobody & first.state = waiting -> next(arbiter.owner) = one",
--@   "arbiter.owner = nobody & first.state != waiting & second.state = waiting -> next(arbiter.owner) = two",
--@   "arbiter.owner = nobody & first.state != waiting & second.state != waiting -> next(arbiter.owner) = nobody",
--@   "arbiter.owner = one & first.state = busy & next(first.done) -> next(arbiter.owner) = nobody",
--@   "arbiter.owner = two & second.state = busy & next(second.done) -> next(arbiter.owner) = nobody"]
"""


def decided(system, properties, method, options, limits, certify, progress):
    decide = monolithic.session(system, SmvOptions())
    return [(item, accept(system, item, decide(item, progress), None)) for item in properties]


@pytest.mark.long
def test_seeded_faults_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "check", decided)
    wrong = harmless = 0
    for text in ((ROOT / "models" / "token.smv").read_text() + TOKEN, QUEUE):
        assert report_of(read_text(text)).verdict is Verdict.HOLDS
        for version in faulty(text):
            try:
                system = read_text(version)
                report = report_of(system)
            except InputError:
                continue  # a fault that every tool notices
            if all_true(system):
                harmless += 1
                continue
            wrong += 1
            missed = [item for item in report.obligations if item.result.verdict is Verdict.VIOLATED]
            assert missed, version
            assert all(item.result.certified for item in report.obligations)
    assert wrong >= 50
    assert harmless >= 10


def report_of(system: FlatSystem) -> ContractReport:
    return ContractCheck().report(system, contracts_in_comments(system), (), no_progress)


def all_true(system: FlatSystem) -> bool:
    """Whether the guarantees are true of all runs of the whole, by a search of the whole."""
    conditions = (item for contract in contracts_in_comments(system) for item in contract.guarantees)
    asked = tuple(
        Property(number, "INVARSPEC", None, item.text, 0, item.expression) for number, item in enumerate(conditions)
    )
    decide = monolithic.session(replace(system, properties=asked), SmvOptions())
    return all(decide(item, no_progress).verdict is Verdict.HOLDS for item in asked)

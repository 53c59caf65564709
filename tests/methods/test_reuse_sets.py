"""Sets of states of earlier proofs, for invariants and CTL: right against the explicit-state judge, and re-checked."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symag.core.errors import InputError, UnsupportedError
from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.core.values import replace
from symag.smv import read_text
from symag.smv.certificates.formulas import DiagramTable
from symag.smv.certificates.invariants import InductiveSet
from symag.smv.certificates.temporal import Labelling
from symag.smv.certify import accept
from symag.smv.certify.kinds import EarlierProof
from symag.smv.checking.reuse_attempt import ReuseAttempt
from symag.smv.methods.monolithic import session
from symag.smv.methods.options import SmvOptions
from symag.smv.methods.reuse.sets import EnlargedSets
from symag.smv.symbolic.diagram import read_diagrams
from symag.smv.symbolic.system import encode
from tests.ctl.formulas import ctl_models
from tests.explicit_ctl import ExplicitCtl

COUNTERS = """MODULE main
VAR a : 0..7; b : 0..7; on : boolean;
ASSIGN init(a) := {start}; init(b) := 0; init(on) := TRUE; next(on) := {{on, TRUE}};
next(a) := a < {top} ? a + 1 : 0; next(b) := {{b, a}};
SPEC AG (a = 0 -> AF a = 2)
SPEC AG EF b = {goal}
SPEC AG (a < 7)
SPEC AG (on -> EX on)
"""


def proofs_of(text: str) -> list[tuple[EarlierProof, ...]]:
    """What a search of the whole proves of the properties, each as an earlier proof."""
    system = read_text(text)
    decide = session(system, SmvOptions(direction="forward"))
    results = [(item, decide(item, no_progress)) for item in system.properties]
    return [
        (EarlierProof("p.json", item.kind, None, item.text, result.certificate),)
        if result.verdict is Verdict.HOLDS and isinstance(result.certificate, InductiveSet | Labelling)
        else ()
        for item, result in results
    ]


def emptied(certificate: InductiveSet | Labelling) -> InductiveSet | Labelling:
    """The certificate with the empty set of states."""
    if isinstance(certificate, InductiveSet):
        return replace(certificate, conjuncts=(0,))
    return replace(certificate, reached=(0,))


def answers(text: str, proofs: list[tuple[EarlierProof, ...]]) -> list[tuple[str, Verdict]]:
    """The method and verdict of each property with a proof; every certificate is accepted by itself."""
    system = read_text(text)
    attempt = ReuseAttempt(system, system.properties, proofs, SmvOptions())
    given_ = []
    for number, (item, own) in enumerate(zip(system.properties, proofs, strict=True)):
        if own:
            result = attempt.answer((number, False), no_progress)
            if result.verdict is Verdict.HOLDS:
                assert accept(system, item, replace(result, certified=False), None).certified
            given_.append((result.method, result.verdict))
    return given_


def test_sets_are_enlarged_for_ctl_too() -> None:
    proofs = proofs_of(COUNTERS.format(start=0, top=5, goal=1))
    assert all(proofs)
    assert {type(own[0].certificate) for own in proofs} == {InductiveSet, Labelling}
    whole = answers(COUNTERS.format(start=1, top=5, goal=1), proofs)
    assert whole == [("reuse", Verdict.HOLDS)] * 4
    larger = answers(COUNTERS.format(start=0, top=6, goal=1), proofs)
    assert larger == [("reuse (sets)", Verdict.HOLDS)] * 3 + [("reuse", Verdict.HOLDS)]


def test_the_reached_states_of_the_widest_labelling_serve_all_that_they_are_about() -> None:
    """They are over a and b, for CTL and for invariants: only the property of ``on`` needs a set of its own."""
    text = COUNTERS + "SPEC AG (b < 7)\n"
    proofs = proofs_of(text.format(start=0, top=5, goal=1))
    assert len({own[0].certificate for own in proofs}) == 5
    system = read_text(text.format(start=0, top=6, goal=1))
    attempt = ReuseAttempt(system, system.properties, proofs, SmvOptions())
    certificates = [attempt.answer((number, False), no_progress).certificate for number in range(5)]
    assert [type(proof) for proof in certificates] == [Labelling, Labelling, InductiveSet, Labelling, InductiveSet]
    assert certificates[0] == certificates[1] != certificates[3]
    assert certificates[2] == certificates[4]


#: A ring of states from 8 on, that a search from 8 finds whole, and a way into it from 0.
RING = """MODULE main
VAR s : 0..15;
ASSIGN init(s) := {start}; next(s) := case s = 15 : 8; s = {exit} : 3; s < 7 : s + 1; s = 7 : 8; TRUE : s + 1; esac;
INVARSPEC s != {bad}
"""


def test_where_initial_states_changed_only_what_they_reach_is_searched() -> None:
    """And where transitions changed too, the rest of the set as well, as the re-check refuses what was found."""
    proofs = proofs_of(RING.format(start=8, exit=2, bad=1))
    [certificate] = [own[0].certificate for own in proofs]
    assert isinstance(certificate, InductiveSet)

    def images(start: int, exit: int, *, assume_closed: bool) -> tuple[int, bool]:
        system = read_text(RING.format(start=start, exit=exit, bad=1))
        enlarging = EnlargedSets(system, SmvOptions())
        proved = enlarging.proved(system.properties, certificate, no_progress, assume_closed=assume_closed)
        assert proved.candidates == system.properties
        return proved.images, proved.assumes_closed

    assert images(6, 2, assume_closed=True) == (2, True)  # 7, then what was there before
    assert images(8, 10, assume_closed=True) == (images(8, 10, assume_closed=False)[0], False)
    # 7 leads into the ring, and 10, which was in it before, out of it: only then 3 to 5 are reached.
    assert images(6, 10, assume_closed=True)[0] < images(6, 10, assume_closed=False)[0]
    for start, exit in ((6, 2), (8, 10), (6, 10)):
        assert answers(RING.format(start=start, exit=exit, bad=1), proofs) == [("reuse (sets)", Verdict.HOLDS)]
    broken = [(replace(proofs[0][0], text="s != 4"),)]
    assert answers(RING.format(start=6, exit=10, bad=4), broken) == [("reuse", Verdict.UNKNOWN)]


def test_a_set_that_is_closed_does_not_prove_what_is_wrong_now() -> None:
    """The reached states are the same, but one of the properties is violated in them, and the others hold."""
    earlier = COUNTERS.format(start=0, top=5, goal=1)
    proofs = proofs_of(earlier)
    changed = earlier.replace("next(on) := {on, TRUE}", "next(on) := {on, FALSE}").replace("EX on", "AX on")
    item = read_text(changed).properties[3]
    proofs[3] = (replace(proofs[3][0], text=item.text),)
    assert [verdict for _, verdict in answers(changed, proofs)] == [Verdict.HOLDS] * 3 + [Verdict.UNKNOWN]


@pytest.mark.long
def test_sets_of_any_model_give_right_answers_or_none() -> None:
    counts: Counter[str] = Counter()

    # The same examples each time: that sets are of use for some is no matter of luck.
    @settings(max_examples=30, deadline=None, derandomize=True, database=None)
    @given(ctl_models(count=3, depth=2, largest=24), st.sampled_from([" & ", "TRUE"]), st.booleans())
    def run(text: str, condition: str, is_empty: bool) -> None:
        try:
            proofs = proofs_of(text)
            head, mark, rest = text.partition("SPEC ")
            later = head.replace(condition, {" & ": " | ", "TRUE": "FALSE"}[condition], 1) + mark + rest
            system = read_text(later)
        except (InputError, UnsupportedError):
            return
        if len(system.properties) != len(proofs):
            return
        if is_empty:
            # The empty set, from which everything reachable has to be found.
            proofs = [tuple(replace(proof, certificate=emptied(proof.certificate)) for proof in own) for own in proofs]
        judge = ExplicitCtl(system)
        attempt = ReuseAttempt(system, system.properties, proofs, SmvOptions())
        for number, item in enumerate(system.properties):
            if proofs[number]:
                result = attempt.answer((number, False), no_progress)
                counts[f"{result.method} {result.verdict.value}"] += 1
                if result.verdict is not Verdict.UNKNOWN:
                    assert (result.verdict is Verdict.HOLDS) == judge.holds(item.expression), item.text
                    assert accept(system, item, replace(result, certified=False), None).certified

    run()
    assert counts["reuse holds"], counts
    assert counts["reuse (sets) holds"], counts


def test_sets_are_read_under_the_order_of_their_diagrams():
    """Equal bits, of words far from each other in the text: an exponential set under most other orders."""
    words = 10
    system = read_text(
        "MODULE main VAR "
        + "".join(f"a{n} : boolean; " for n in range(words))
        + "".join(f"b{n} : boolean; " for n in reversed(range(words)))
        + "INIT "
        + " & ".join(f"a{n} = b{n}" for n in range(words))
    )
    table = equality_table(words)
    symbolic = encode(system, EnlargedSets(system, SmvOptions()).order(table))
    (*_, equal) = read_diagrams(symbolic.encoding, table, frozenset(system.by_name))
    assert symbolic.context.size(equal) <= 3 * words + 2
    assert table.order() == [(f"{word}{n}", 0) for n in range(words) for word in "ab"]


def equality_table(words: int) -> DiagramTable:
    """``a0 = b0 & a1 = b1 & ..``, with the bits listed in another order than that of the diagram."""
    bits = tuple((f"{word}{n}", 0) for word in "ab" for n in range(words))
    nodes: list[tuple[int, int, int]] = []
    below = 1
    for n in reversed(range(words)):
        nodes += [(words + n, below, 0), (words + n, 0, below)]
        nodes.append((n, len(nodes), len(nodes) + 1))
        below = len(nodes) + 1
    return DiagramTable(bits, tuple(nodes))

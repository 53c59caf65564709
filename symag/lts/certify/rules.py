"""Re-check of assumptions for labelled transition systems, premise by premise.

It reads the components and the certificate, and explores each premise alone, on the fly, with tables of its own.
It shares no code with the composition of systems or the search for assumptions.

Words are finite sequences of visible actions, in every premise over all actions of the system; w/X is w without
the actions that are not in X. A word w is one of a part M_k if w/alphabet(M_k) is a trace of it, one of an
assumption A if w/alphabet(A) is in its language. Both sets are prefix-closed. By Lemma 1 of circular-nway-2016, w is
a trace of the system exactly if it is one of every part: the parts contain all components.

rule-1 and rule-3 (agar-lts-2008, rules 1 and 3). Let w be a trace of the system. It is one of M_n-1, so by the
last premise one of A_n-2; it is one of M_n-2 too, so by the premise before one of A_n-3; and so on to A_0. It
is one of M_0 as well, so by the first premise P allows it.

circular (circular-nway-2016, Theorem 1 and Definition 3). To show: every trace w of the system is one of every A_i;
then the last premise says that P allows it. By induction on the length of w: the empty word is one of every A_i.
Let w = s.a, and s be one of every A_j. If a is not in A_i's alphabet then w is one of A_i, as s is. If it is:
w is one of M_i, and s is one of all assumptions in G_i and of A_i, so premise i says that w is one of A_i. That
only s, and not s.a, must be allowed by G_i makes the circular argument sound: A_i is guaranteed for one step more
than the others are assumed. So the exploration checks in every state every action that M_i can do next, whether or
not the assumptions of G_i allow it.

Alphabets need not match: an action of the right side of a premise that nothing on its left has may happen there at
any time, which makes the premise only harder to satisfy.
"""

from __future__ import annotations

from symag.core.limits import Deadline
from symag.lts.certificates import LabelledAssumptions
from symag.lts.certify.machines import AssumptionJudge, SafetyQuestion, for_safety, machine_of, refused, safety_question
from symag.lts.certify.premises import JudgedPremise
from symag.lts.language.composites import System
from symag.lts.questions import CompositeQuestion

CERTIFICATE = LabelledAssumptions


def check(system: System, question: CompositeQuestion, certificate: LabelledAssumptions, deadline: Deadline) -> None:
    """See ``kinds``."""
    for_safety(question)
    check_labelled_assumptions(system, certificate, deadline)


def component_names(system: System) -> tuple[str, ...]:
    """The names of the components, by the numbers in a certificate's parts."""
    return safety_question(system).names


def check_labelled_assumptions(system: System, certificate: LabelledAssumptions, deadline: Deadline) -> None:
    """Accept that ERROR cannot be reached. Raises CertificationError with the premise, and OutOfTimeError.

    Costs for each premise the states of its left side, paired with the possible states of its right side.
    """
    question = safety_question(system)
    _check_form(question, certificate)
    parts = [[question.components[number] for number in part] for part in certificate.parts]
    machines = [machine_of(assumption) for assumption in certificate.assumptions]
    if certificate.rule == "circular":
        for index, (part, granted) in enumerate(zip(parts, certificate.guarantees, strict=True)):
            premise = JudgedPremise(f"premise {index + 1}", part, [machines[j] for j in granted], deadline)
            premise.check_one_step_more(AssumptionJudge(machines[index]))
        JudgedPremise(f"premise {len(parts) + 1}", [], machines, deadline).check(question.safe)
        return
    for index, part in enumerate(parts):
        premise = JudgedPremise(f"premise {index + 1}", part, machines[index : index + 1], deadline)
        if index == 0:
            premise.check(question.safe)
        else:
            premise.check(AssumptionJudge(machines[index - 1]))


def _check_form(question: SafetyQuestion, certificate: LabelledAssumptions) -> None:
    numbers = sorted(number for part in certificate.parts for number in part)
    if numbers != list(range(len(question.components))):
        raise refused(f"its parts do not have each of the {len(question.components)} components once")
    count = len(certificate.parts)
    if certificate.rule == "rule-1" and count != 2:
        raise refused("rule-1 is for two parts")
    if certificate.rule not in ("rule-1", "rule-3", "circular"):
        raise refused(f"there is no rule {certificate.rule}")
    needed = count if certificate.rule == "circular" else count - 1
    if len(certificate.assumptions) != needed:
        raise refused(f"{certificate.rule} for {count} parts has {needed} assumptions")
    if len(certificate.guarantees) != (count if certificate.rule == "circular" else 0):
        raise refused("every part of the circular rule, and of no other, has a set of guarantees")
    for index, granted in enumerate(certificate.guarantees):
        if index in granted or not set(granted) <= set(range(count)):
            raise refused(f"premise {index + 1} may use the assumptions of the other parts only")
    labels = question.safe.alphabet.union(*(component.alphabet for component in question.components))
    for index, assumption in enumerate(certificate.assumptions):
        if len(set(assumption.alphabet)) != len(assumption.alphabet) or not labels.issuperset(assumption.alphabet):
            raise refused(f"assumption {index} has actions that the system does not have, or one twice")
        if assumption.states < 1 or not all(
            0 <= source < assumption.states
            and 0 <= action < len(assumption.alphabet)
            and 0 <= target < assumption.states
            for source, action, target in assumption.transitions
        ):
            raise refused(f"assumption {index} is not an automaton")

"""Re-check of an assertion by steps that make the system, watched by a monitor, smaller: the rule, and why it is right.

The monitor is a deterministic Buechi automaton whose state changes only by actions that it reads. Each such action that
it accepts somewhere gets a second name in all components; the monitor joins under the second name where it accepts,
under the first elsewhere. It has an action of its own, which changes nothing, in the states in which it accepts
whatever happens and a run may end. Then progress of these names and that action is shown as for any progress property
(``symag.lts.certify.reduction_states``): from every reachable state of the whole one of them can happen.

Proof. The runs of the system are those of the whole without the monitor's own action, for the monitor is complete and
joins each action under one of its names. A fair run that does not end takes again and again what is possible in the
states that it visits for ever. One of the names is reached from each: then the monitor accepts by it for ever; or its
own action is: then the run's next move from there is accepted, for ever too. A fair run that ends does so in a state
from which no name can be reached, but the monitor's own action, so it may end there. What the monitor accepts, or lets
end, satisfies the assertion (``check_monitor``).
"""

from __future__ import annotations

from symag.core.limits import Deadline
from symag.core.values import replace
from symag.lts.certificates import RecurrenceMonitor, ReductionChain, WatchedReduction
from symag.lts.certify.liveness.monitors import check_monitor
from symag.lts.certify.machines import refused
from symag.lts.certify.reduction_states import check_states_chain
from symag.lts.language.systems import System
from symag.lts.lts import Lts
from symag.lts.questions import CompositeQuestion

CERTIFICATE = WatchedReduction


def check(system: System, question: CompositeQuestion, certificate: WatchedReduction, deadline: Deadline) -> None:
    """See ``kinds``."""
    monitor = certificate.monitor
    if question.formula is None:
        raise refused("it is evidence for assertions only")
    if system.priority is not None:
        raise refused("the composite has priorities")
    labels = {label for lts in system.components for label in lts.alphabet[1:]}
    check_monitor(monitor, question.formula, labels, deadline)
    if not monitor.ignores_others:
        raise refused("the monitor's state changes by actions that it does not read")
    whole, progress = watched(system, question, monitor)
    check_states_chain(whole, progress, ReductionChain((), certificate.steps, certificate.last), deadline)


def watched(
    system: System, question: CompositeQuestion, monitor: RecurrenceMonitor
) -> tuple[System, CompositeQuestion]:
    """The system with the monitor as its last component, and the progress property that stands for the assertion."""
    longest = max(len(label) for lts in system.components for label in lts.alphabet)
    own, prefix = "m" * (longest + 1), "n" * (longest + 1)  # longer than every label
    second = {
        label: f"{prefix}{k}" for k, label in enumerate(monitor.labels) if any(row[k] for row in monitor.accepting)
    }
    alphabet = ("tau", *monitor.labels, *second.values(), own)
    number = {label: action for action, label in enumerate(alphabet)}
    moves = [
        (state, number[second[label] if monitor.accepting[state][k] else label], monitor.moves[state][k])
        for state in range(len(monitor.moves))
        for k, label in enumerate(monitor.labels)
    ]
    moves += [
        (state, number[own], state)
        for state, accepts in enumerate(monitor.accepting)
        if all(accepts) and monitor.ends[state]
    ]
    components = tuple(_renamed_too(lts, second) for lts in system.components)
    whole = replace(system, components=(*components, Lts.of("MONITOR", alphabet, len(monitor.moves), moves)))
    return whole, replace(question, kind="progress", formula=None, actions=(*second.values(), own))


def _renamed_too(lts: Lts, second: dict[str, str]) -> Lts:
    """The component with each of these actions under its second name too."""
    added = {label: name for label, name in second.items() if label in lts.alphabet[1:]}
    number = {label: len(lts.alphabet) + k for k, label in enumerate(added)}
    triples = list(lts.triples())
    triples += [
        (source, number[lts.alphabet[action]], target)
        for source, action, target in triples
        if lts.alphabet[action] in added
    ]
    return Lts.of(lts.name, (*lts.alphabet, *added.values()), lts.states, triples, lts.end, lts.is_property)

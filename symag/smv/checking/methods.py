"""The methods by name. A method is a module with ``decide(system, property, options, progress)``."""

from __future__ import annotations

from collections.abc import Callable

from symag.core.limits import Progress
from symag.core.results import PropertyResult
from symag.core.tables import AUTO, Methods, Race
from symag.smv.methods.options import SmvOptions
from symag.smv.model.flat import FlatSystem, Property

#: Decides one property of one system; runs in a child process.
Decide = Callable[[FlatSystem, Property, SmvOptions, Progress], PropertyResult]

#: Decides one property of a system after the other, and may reuse what it knows of the system. A method's module may
#: have ``session(system, options, answers)``, which returns one; ``answers`` are those of an earlier session, which was
#: killed, to other properties of the system.
Decider = Callable[[Property, Progress], PropertyResult]

#: Adding a method is one file and one line here.
METHODS: Methods[Decide] = Methods(
    {
        "monolithic": "symag.smv.methods.monolithic",
        "rule-s": "symag.smv.methods.by_parts.rule_s",
        "rule-g": "symag.smv.methods.by_parts.rule_g",
        "bmc": "symag.smv.methods.bmc",
        "k-induction": "symag.smv.methods.k_induction",
        "pdr": "symag.smv.methods.pdr.decision",
        "k-liveness": "symag.smv.methods.pdr.k_liveness",
        "sweeping": "symag.smv.methods.sweeping",
        "parts": "symag.smv.methods.parts",
        "simulation": "symag.smv.methods.simulation",
        "external": "symag.smv.methods.external.decision",
        AUTO: Race("symag.smv.checking.portfolio.schedule"),
    }
)

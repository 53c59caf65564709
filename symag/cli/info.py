"""``symag info``: the size of a model, and its properties."""

from __future__ import annotations

from symag.cli.output.reporting import ReportRequest, report_command
from symag.core.reports import Report


def _info(request: ReportRequest) -> Report:
    """Count the variables, bits and properties of MODEL; with --reachable, also its states.

    For labelled transition systems (FSP: .lts, .fsp; Aldebaran: .aut), count the states and transitions of every
    process and composite; without composites, DEFAULT is the composition of all processes.

    For a PRISM model (.nm, .pm, .prism; explicit: .tra), count the reachable states, choices and transitions, with a
    self-loop for each deadlock state as Storm does; for several files (--component), those of their composition.

    The diameter is counted as NuSMV does: the initial states are the first of its steps. Exit status 30
    means that the count, or the search for the diameter, did not finish.

    \b
    Example:
      symag info --reachable models/counter.smv
      symag info models/lpts/client_server3.nm
    """
    return request.family.info(request.model, request.declared, request.limits, request.progress)


command_for = report_command(_info, "info", "Show the size of a model, and its properties.")

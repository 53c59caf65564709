"""``symag certify``: re-check a certificate."""

from __future__ import annotations

import click

from symag.cli.output.reporting import ReportRequest, report_command
from symag.core.reports import Report
from symag.core.values import replace


def _certify(request: ReportRequest, certificate: str, show: bool) -> Report:
    """Re-check, premise by premise, that CERTIFICATE proves a property of MODEL.

    For a PRISM model, re-check that --specification simulates it (or that it satisfies --formula), or that a tree
    refutes this.

    Exit status: 0 it does, 1 it does not, 30 the re-check did not finish, 3 the file is not a certificate
    for MODEL.

    \b
    Example:
      symag check models/counter.smv --property parity_right --certificate /tmp/parity.json
      symag certify models/counter.smv /tmp/parity.json --show
    """
    report = request.family.recheck(
        request.model, request.declared, certificate, show, request.limits, request.progress
    )
    end = {"certified": report.reason is None, "reason": report.reason}
    return replace(report, document={"certificate": certificate, **report.document, **end})


command_for = report_command(
    _certify,
    "certify",
    "Check a certificate again.",
    lambda _: (
        click.argument("certificate", type=click.Path()),
        click.option(
            "--show", is_flag=True, help="Print the inductive set's size, or the parts and learned assumptions."
        ),
    ),
)

"""``symag contracts``: what the parts of a model guarantee and assume, written by the user, checked part by part."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import click

from symag.cli.options.settings import limit_options, model_argument, output_options, property_option
from symag.cli.output.streams import Output, print_json
from symag.cli.status import ALL_HOLD, UNDECIDED, VIOLATED
from symag.core.limits import Limits
from symag.core.results import Verdict
from symag.core.tables import AUTO
from symag.smv.checking.check import select
from symag.smv.checking.flat_models import read_flat_system
from symag.smv.checking.methods import METHODS
from symag.smv.checking.reports.trace_report import shown_report
from symag.smv.contracts.checking import ContractCheck, ContractReport, ProofObligation
from symag.smv.contracts.contract import contracts_in_comments, read_contracts
from symag.traces import plain

_STATUS = {Verdict.HOLDS: ALL_HOLD, Verdict.VIOLATED: VIOLATED, Verdict.UNKNOWN: UNDECIDED}
_MODES = {
    "unconditional": "holds, whatever the others do",
    "delayed": "holds while the assumptions held before",
    "immediate": "holds while the assumptions hold",
    "fact": "is found: a fact of the model",
}


@click.command("contracts", short_help="Check what you say that each part guarantees.")
@model_argument
@click.argument("contracts", required=False, type=click.Path(), metavar="[FILE.toml]")
@property_option
@click.option(
    "--method", type=click.Choice(METHODS.names()), default=AUTO, show_default=True, help="What decides each question."
)
@click.option(
    "--synthesise",
    is_flag=True,
    help="Parts without a guarantee, and instances without a contract, guarantee the facts of the model about them.",
)
@limit_options
@output_options
def command(
    model: str,
    contracts: str | None,
    properties: tuple[str, ...],
    method: str,
    synthesise: bool,
    limits: Limits,
    output: Output,
) -> int:
    """Check the contracts of MODEL's parts in FILE.toml, and which invariants follow from them.

    Without FILE.toml they are read from MODEL itself, from lines that begin with --@ (a comment in SMV).

    \b
    [north]                                  a part: the module instance of this name
    variables = ["turn"]                     or (and) single variables
    assume = ["turn & next(north.colour) = green -> next(turn)"]
    guarantee = ["north.colour = green -> turn"]

    Each part alone must keep its guarantees while its assumptions hold. Each assumption must follow from guarantees of
    the others, and no two parts may wait for each other's guarantees of the same instant. Then every guarantee is true
    in every reachable state of the model. --timeout is for each question.

    With --synthesise guarantees that nobody wrote are found: the invariants that symag facts proves about the variables
    of the part. They are shown like the others; then no contract need be written at all.

    Exit status: 0 if all contracts are kept and every property follows, 10 if one does not, 30 if one is undecided.

    \b
    Example:
      symag contracts models/token.smv models/token.toml
    """
    system = read_flat_system(model)
    if contracts is not None:
        read = read_contracts(contracts, system)
    else:
        read = contracts_in_comments(system, required=not synthesise)
    targets = select(system, properties)
    start = time.monotonic()
    line = output.progress()
    report = ContractCheck(method, limits=limits, synthesise=synthesise).report(system, read, targets, line)
    line.clear()
    if output.as_json:
        print_json(_document(model, contracts or model, report, time.monotonic() - start))
    else:
        for text in _lines(report, output.quiet):
            print(text)
    return _STATUS[report.verdict]


def _lines(report: ContractReport, quiet: bool) -> Iterator[str]:
    part: str | None = None
    order = list(dict.fromkeys(obligation.part for obligation in report.obligations))
    for obligation in sorted(report.obligations, key=lambda obligation: order.index(obligation.part)):
        if obligation.part != part and obligation.part is not None:
            part = obligation.part
            yield part
        indent = "  " if obligation.part is not None else ""
        yield f"{indent}{_sentence(obligation)} ({_decided(obligation)})"
        trace = obligation.result.trace
        if obligation.result.verdict is Verdict.VIOLATED and trace is not None and not quiet:
            for line in plain.lines(shown_report(obligation.system, trace, None), False):
                yield f"{indent}  {line.rstrip()}"
    if report.circle:
        why = "" if report.is_circle_certain else ", for it is undecided whether those of earlier instants suffice"
        yield f"these parts wait for each other's guarantees of the same instant{why}: {' -> '.join(report.circle)}"
    yield _summary(report)


def _sentence(obligation: ProofObligation) -> str:
    verdict, premises = obligation.result.verdict, ", ".join(obligation.premises)
    undecided = f"undecided: {obligation.result.reason}"
    match obligation.kind:
        case "possible":
            answer = {Verdict.HOLDS: "can all be true", Verdict.VIOLATED: "are never true together in a first state"}
            return f"the assumptions {answer.get(verdict, f'are {undecided}')}"
        case "guarantee":
            kept = _MODES[obligation.mode or "unconditional"]
            answer = {Verdict.HOLDS: kept, Verdict.VIOLATED: "is not kept, even while the assumptions hold"}
            return f"guarantee {obligation.text} {answer.get(verdict, f'is {undecided}')}"
        case "assumption":
            follows = f"follows from {premises}" if premises else "is always true"
            answer = {Verdict.HOLDS: follows, Verdict.VIOLATED: "does not follow from the guarantees"}
            return f"assumption {obligation.text} {answer.get(verdict, f'is {undecided}')}"
        case "property":
            answer = {
                Verdict.HOLDS: "follows from the guarantees",
                Verdict.VIOLATED: "does not follow from the guarantees",
            }
            name = f"{obligation.name}: " if obligation.name else ""
            return f"property {name}{obligation.text} {answer.get(verdict, f'is {undecided}')}"


def _decided(obligation: ProofObligation) -> str:
    result = obligation.result
    if result.verdict is Verdict.UNKNOWN:
        return result.method
    return f"{result.method}, re-checked" if result.certified else f"{result.method}, not certified"


_NOTHING = "nothing is concluded about the model"


def _summary(report: ContractReport) -> str:
    counts = dict.fromkeys(("guarantee", "assumption", "property"), 0)
    missed = dict.fromkeys(("contract", "property"), 0)
    for obligation in report.obligations:
        if obligation.kind in counts:
            counts[obligation.kind] += 1
        if obligation.result.verdict is not Verdict.HOLDS:
            missed["property" if obligation.kind == "property" else "contract"] += 1
    total = f"{counts['guarantee']} guarantees, {counts['assumption']} assumptions, {counts['property']} properties"
    if missed["contract"]:
        number = missed["contract"] + missed["property"]
        return f"{total}: {number} questions are not answered as they should be, so {_NOTHING}"
    if report.circle:
        return f"{total}: parts wait for each other, so {_NOTHING}"
    kept = f"{total}: all contracts are kept, and every guarantee is true of every run"
    return f"{kept}; of the properties {missed['property']} do not follow" if missed["property"] else kept


def _document(model: str, contracts: str, report: ContractReport, seconds: float) -> dict[str, Any]:
    return {
        "schema": 1,
        "model": model,
        "contracts": contracts,
        "seconds": round(seconds, 3),
        "verdict": report.verdict.value,
        "circle": list(report.circle),
        "obligations": [
            {
                "kind": obligation.kind,
                "part": obligation.part,
                "name": obligation.name,
                "text": obligation.text,
                "verdict": obligation.result.verdict.value,
                "reason": obligation.result.reason,
                "mode": obligation.mode,
                "premises": list(obligation.premises),
                "method": obligation.result.method,
                "certified": obligation.result.certified,
                "trace": None if obligation.result.trace is None else obligation.result.trace.to_json(),
            }
            for obligation in report.obligations
        ],
    }

"""Automated assume-guarantee model checking. The functions do what the commands of the same names do.

The examples run in the folder of symag's source.

>>> import symag
>>> model = symag.read("models/counter.smv")
>>> for answer in symag.check(model):
...     print(answer.property.name, answer.verdict.value, answer.certified)
parity_right holds True
below_five violated True

A *model* has states and the rules by which they change; its *properties* are the questions about it. ``holds`` comes
with a *certificate*, ``violated`` with a *trace*; separate code checks both again. ``timeout`` (seconds of wall-clock
time) and ``memory`` (MiB) bound each property or computation; without them there is no limit. An error in a file raises
``symag.errors.InputError`` with the line and column; a request that makes no sense raises ``symag.errors.UsageError``.
"""

# Imports in functions: ``import symag`` takes no longer than the command line's start.
from __future__ import annotations

import os

from symag import errors
from symag.core.version import VERSION

TYPE_CHECKING = False  # typing's, without its import: until the command line has started, nothing catches an interrupt
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal

    from symag.core.limits import Progress
    from symag.core.reports import Conversion, Report
    from symag.engine.answers import Answers
    from symag.engine.families import AnyModel
    from symag.smv.model.flat import FlatSystem
    from symag.smv.partition import Partition
    from symag.suites.store import Row
    from symag.suites.tuning.trials import Tuning

__version__ = VERSION
__all__ = [
    "__version__",
    "batch",
    "certify",
    "check",
    "convert",
    "errors",
    "info",
    "partition",
    "read",
    "replay",
    "simulate",
    "tune",
]

# Everything else is imported when a function is called: ``symag --version`` and small scripts start at once.


def read(path: str | os.PathLike[str], **request: Any) -> AnyModel:
    """Read a model by its suffix: SMV, AIGER or BTOR2 as a flat system, FSP or ``.aut`` as a labelled one.

    ``request`` completes the file: ``components`` are further files of the system (FSP and PRISM), other keywords are
    constants with their values. The question about a PRISM model (``specification``, ``formula`` or ``properties``) is
    given here or to ``check``. Raises InputError and UsageError.

    >>> symag.read("models/lts/mer.lts", Rescinding=0)
    models/lts/mer.lts: processes USER, KEEPER, EXCLUSIVE; composites ||USERS, ||ARBITER, ||MER
    """
    from symag.engine.library import read_model

    model: AnyModel = read_model(os.fspath(path), request)
    return model


def check(
    model: AnyModel | str | os.PathLike[str],
    properties: str | int | os.PathLike[str] | Sequence[str | int] = (),
    method: str = "auto",
    *,
    timeout: float | None = None,
    memory: int | None = None,
    certify: bool = True,
    progress: Progress | None = None,
    certificate: str | os.PathLike[str] | None = None,
    trace: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Answers:
    """Decide the properties of a model, or of the model in a file, as ``symag check`` does; a list of answers.

    ``properties`` are names or indices, one or several (none: all), or the file of a PRISM model's properties, of which
    ``selected`` names some. ``options`` are those of the command line by their keywords (``symag help options``), and
    values of constants of FSP and PRISM models by their names; ``progress`` is called with lines that say how far a
    search is. Certificates and traces are written to ``certificate`` and ``trace``, files or folders/, as by the
    command line: ``.json``, ``.html``, ... The answer is unknown if a re-check refuses its evidence. Raises InputError
    and UsageError. The list prints as lines; a notebook shows it as a table.

    >>> (answer,) = symag.check("models/counter.smv", "below_five")
    >>> answer.trace.steps[-1].state["digit"]
    5
    >>> (answer,) = symag.check("models/lts/mer.lts", "safety", "agar", targets="MER")
    >>> answer.certificate.rule, answer.certified
    ('rule-3', True)
    >>> print(symag.check("models/lpts/client_server3.nm", formula="Pmax=? [F use1]")[0].result.bounds)
    1
    """
    from symag.core.limits import Limits, no_progress
    from symag.engine.library import check_model

    if isinstance(properties, os.PathLike):
        properties = os.fspath(properties)
    selected = (properties,) if isinstance(properties, str | int) else tuple(properties)
    limits, report = Limits(timeout, memory), progress or no_progress
    files = (
        None if certificate is None else os.fspath(certificate),
        None if trace is None else os.fspath(trace),
    )
    return check_model(model, selected, method, limits, certify, report, files, options)


def info(
    path: str | os.PathLike[str], *, timeout: float | None = None, memory: int | None = None, **request: Any
) -> Report:
    """The size of a model and its properties: ``report["bits"]`` as in ``--json``, ``str(report)`` as text.

    ``request`` as for ``read``; for SMV ``reachable=True`` counts the reachable states too, which needs a search.
    Raises InputError and UsageError.

    >>> symag.info("models/counter.smv", reachable=True)["reachable_states"]
    8
    >>> print(symag.info("models/lpts/client_server3.nm"))
    mdp, 4 modules, 6 variables
    34 reachable states, 94 choices, 101 transitions (no deadlock states)
    """
    from symag.core.limits import Limits, no_progress
    from symag.engine.library import family_and_request

    family, own = family_and_request(os.fspath(path), request)
    return family.info(os.fspath(path), own, Limits(timeout, memory), no_progress)


def partition(
    model: FlatSystem | str | os.PathLike[str],
    property: str | int | None = None,
    *,
    parts: int = 2,
    imbalance: float | None = None,
    partitioner: Literal["metis", "mtkahypar"] = "metis",
    grain: Literal["variable", "bit", "word", "instance"] = "variable",
    wires: Literal["none", "property", "defines", "cut"] = "property",
    seed: int = 0,
    cone_of_influence: bool = True,
) -> Partition | None:
    """Cut the variables of an SMV model into ``parts`` parts; None if no cut is as balanced as ``imbalance`` asks.

    With a ``property``, an invariant, only the variables are cut that can matter to it. ``imbalance`` is at least 1:
    1.0 asks for equal parts, None tries several. Raises InputError and UsageError.

    >>> cut = symag.partition("models/junction.smv")
    >>> cut.parts
    (('cars_north', 'north.colour'), ('cars_east', 'east.colour'))
    >>> cut.io
    ('north.colour', 'east.colour')
    """
    from symag.engine.library import check_takes
    from symag.smv.checking.flat_models import read_flat_system
    from symag.smv.checking.partitioning import CutRequest, cut_model

    if isinstance(model, str | os.PathLike):
        check_takes("partition", os.fspath(model))
    system = read_flat_system(os.fspath(model)) if isinstance(model, str | os.PathLike) else model
    request = CutRequest(parts, imbalance, partitioner, grain, wires, seed, cone_of_influence)
    return cut_model(system, () if property is None else (property,), request).partition


def simulate(
    path: str | os.PathLike[str],
    steps: int | None = None,
    *,
    seed: int = 0,
    guide: str | os.PathLike[str] | None = None,
    trace: str | os.PathLike[str] | None = None,
    timeout: float | None = None,
    memory: int | None = None,
    **request: Any,
) -> Report:
    """A random run of this many steps (10, or as many as the trace file ``guide`` has), written to ``trace``.

    The same ``seed`` gives the same run. ``report["trace"]`` is the run as in ``--json``. Raises InputError and
    UsageError.

    >>> run = symag.simulate("models/counter.smv", 2, seed=7)
    >>> [step["state"]["digit"] for step in run["trace"]["steps"]]
    [0, 1, 2]
    """
    from symag.core.limits import Limits, no_progress
    from symag.core.walks import WalkRequest
    from symag.engine.library import family_and_request

    files = [None if name is None else os.fspath(name) for name in (guide, trace)]
    walk = WalkRequest(steps, seed, files[0], trace=files[1])
    family, own = family_and_request(os.fspath(path), request)
    return family.simulate(os.fspath(path), own, walk, Limits(timeout, memory), no_progress)


def replay(
    path: str | os.PathLike[str],
    trace: str | os.PathLike[str],
    *,
    timeout: float | None = None,
    memory: int | None = None,
    **request: Any,
) -> Report:
    """Run the trace in a file again; ``report.violated`` says whether it violates a property of the model.

    Raises ``symag.errors.CertificationError`` if it is not a run of the model, and InputError and UsageError.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
    ...     symag.simulate("models/counter.smv", 3, trace=file.name)["steps"]
    ...     symag.replay("models/counter.smv", file.name).violated
    3
    False
    """
    from symag.core.limits import Limits, no_progress
    from symag.engine.library import family_and_request

    family, own = family_and_request(os.fspath(path), request)
    return family.replay(os.fspath(path), own, os.fspath(trace), False, Limits(timeout, memory), no_progress)


def certify(
    path: str | os.PathLike[str],
    certificate: str | os.PathLike[str],
    *,
    timeout: float | None = None,
    memory: int | None = None,
    **request: Any,
) -> Report:
    """Check again the certificate in a file that ``check`` has written.

    The report shows the certificate in words; ``report.reason`` says why the check did not finish, None if it did.
    Raises ``symag.errors.CertificationError`` for a certificate that does not prove the property, and InputError and
    UsageError.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
    ...     symag.check("models/counter.smv", "parity_right", certificate=file.name)[0].certified
    ...     symag.certify("models/counter.smv", file.name)["name"]
    True
    'parity_right'
    """
    from symag.core.limits import Limits, no_progress
    from symag.engine.library import family_and_request

    family, own = family_and_request(os.fspath(path), request)
    return family.recheck(os.fspath(path), own, os.fspath(certificate), True, Limits(timeout, memory), no_progress)


def convert(
    path: str | os.PathLike[str], output: str | os.PathLike[str] | None = None, *, to: str | None = None, **request: Any
) -> Conversion:
    """A model in the format ``to`` (None: that of ``output``'s suffix), written to the file ``output`` if it is given.

    The result has the file's ``content`` (bytes), ``warnings`` about what is left out, and ``notes``. Raises InputError
    and UsageError.

    >>> symag.convert("models/lts/mutual_exclusion.lts", to="aut", targets="M").content[:14]
    b'des (0, 16, 9)'
    """
    from symag.engine.library import converted

    return converted(os.fspath(path), None if output is None else os.fspath(output), to, request)


def tune(
    model: str | os.PathLike[str],
    properties: str | int | Sequence[str | int] = (),
    *,
    budget: float = 600.0,
    settings: int = 200,
    timeout: float = 60.0,
    memory: int | None = None,
    jobs: int = 1,
    seed: int = 0,
    always: Sequence[str] = (),
) -> list[Tuning]:
    """Try settings on the invariants of an SMV model: a tuning for each, whose ``best`` is the fastest trial.

    ``budget`` is in seconds for each invariant, ``timeout`` in CPU seconds for one run, ``memory`` in MiB. ``settings``
    bounds how many are tried, ``jobs`` how many run at a time; ``always`` are options of ``symag check`` for all of
    them. The same ``seed`` tries the same settings. Raises InputError and UsageError.

    >>> (tuning,) = symag.tune("models/counter.smv", "parity_right", settings=1, budget=1)
    >>> tuning.question.text
    '(odd <-> digit mod 2 = 1)'
    """
    from symag.engine.library import check_takes
    from symag.suites.library import tunings

    check_takes("tune", os.fspath(model))
    selected = (properties,) if isinstance(properties, str | int) else properties
    names = [str(name) for name in selected]
    return list(tunings([os.fspath(model)], names, settings, timeout, memory, jobs, seed, always, budget))


def batch(
    suite: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    methods: str | Sequence[str] = ("auto",),
    timeout: float | None = None,
    cpu_time: float | None = None,
    memory: int | None = None,
    jobs: int = 2,
    resume: bool = False,
    expected: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = (),
    evidence: str | os.PathLike[str] | None = None,
) -> list[Row]:
    """Check every property of every model of a suite; the rows of results, which the SQLite file ``output`` keeps.

    ``suite`` is a folder, a pattern, a model, a file of verdicts, or a ``.toml`` file; ``expected`` are files of
    verdicts to compare with, ``evidence`` is a folder for certificates and traces. ``timeout`` and ``cpu_time``
    (seconds) and ``memory`` (MiB) bound each run, ``jobs`` says how many run at a time, ``resume`` continues an earlier
    batch. Raises InputError and UsageError.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for row in symag.batch("models/counter.smv", f"{folder}/results.sqlite", timeout=60):
    ...         print(row.job.text, row.outcome.verdict)
    (odd <-> digit mod 2 = 1) holds
    digit < 5 violated
    """
    from pathlib import Path

    from symag.core.limits import JobLimits
    from symag.suites.library import run_suite

    return run_suite(
        os.fspath(suite),
        Path(output),
        (methods,) if isinstance(methods, str) else methods,
        JobLimits(timeout, cpu_time, memory),
        jobs,
        resume,
        [Path(path) for path in ((expected,) if isinstance(expected, str | os.PathLike) else expected)],
        None if evidence is None else Path(evidence),
    )

"""The questions about composite processes, and what answers them."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

from symag.core.errors import UsageError
from symag.core.limits import Limits
from symag.core.reasons import Reason
from symag.core.tables import Methods
from symag.lts import Model
from symag.lts.checking.inquiry import CompositeInquiry, DecidingMethods
from symag.lts.checking.methods import METHODS, MONOLITHIC, Decide, kinds_decided
from symag.lts.methods.options import LtsOptions
from symag.lts.questions import CompositeQuestion, questions
from symag.process.decisions import Answered, Inquiry


def select(model: Model, targets: Sequence[str] = (), properties: Sequence[str] = ()) -> tuple[CompositeQuestion, ...]:
    """The questions about some composites (none named: every composite), numbered through all of them.

    With ``properties`` only those with these kinds, names or numbers. Progress of all actions is asked for only if
    ``progress`` is wanted and the specification has no progress property. Raises UsageError for targets and
    properties that are not there, InputError.
    """
    composites = model.targets
    missing = [name for name in targets if name not in composites]
    if missing:
        existing = f"there are {', '.join(composites)}" if composites else "the specification has none"
        raise UsageError(f"no composite '{missing[0]}'; {existing}")
    selected: list[CompositeQuestion] = []
    for target in targets or composites:
        for question in questions(model, target, "progress" in properties):
            selected.append(replace(question, index=len(selected)))
    if not properties:
        return tuple(selected)
    for key in properties:
        if not any(_is_called(question, key) for question in selected):
            names = dict.fromkeys(name for question in selected for name in (question.kind, question.name) if name)
            names["progress"] = None
            raise UsageError(f"no property '{key}'; there are {', '.join(names)}")
    return tuple(question for question in selected if any(_is_called(question, key) for key in properties))


def _is_called(question: CompositeQuestion, key: str) -> bool:
    return key in (question.kind, question.name, str(question.index))


def inquiries(
    model: Model,
    selected: Sequence[CompositeQuestion],
    method: str,
    options: LtsOptions,
    limits: Limits,
    methods: Methods[Decide] = METHODS,
) -> Generator[Inquiry[CompositeQuestion], None, None]:
    """What answers questions, in order: for the monolithic method one inquiry for each target.

    Under a name that has a rival, that runs beside the monolithic method for a target of which only safety is asked.
    The limits are for each inquiry. What a method does not decide is unknown. Raises UsageError.
    """
    if method not in methods.names():
        raise UsageError(f"method '{method}' is not for FSP; there are {', '.join(methods.names())}")
    name, tuning = methods.resolved(method), replace(options, seconds=limits.seconds)
    kinds = kinds_decided(name)
    unsupported = Reason.UNSUPPORTED.text(f"{name} decides {', '.join(kinds)} only")
    for target in dict.fromkeys(question.target for question in selected):
        together = [question for question in selected if question.target == target]
        for questions_ in [together] if name == MONOLITHIC else [[question] for question in together]:
            if questions_[0].kind not in kinds:
                yield Answered(name, questions_, unsupported)
                continue
            rival = methods.rival(method) if [question.kind for question in questions_] == ["safety"] else None
            inquiry = CompositeInquiry(model, questions_, DecidingMethods(name, rival, tuning, methods), limits)
            try:
                yield inquiry
            finally:
                inquiry.close()

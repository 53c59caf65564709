"""Which language a model is written in, by its suffix, and what the command line takes with which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click
from click.core import ParameterSource

#: Suffixes of probabilistic systems (PRISM's language and explicit files).
LPTS_SUFFIXES = (".nm", ".pm", ".prism", ".tra")
#: Suffixes of labelled transition systems (FSP and Aldebaran's format).
LTS_SUFFIXES = (".lts", ".fsp", ".aut")
FSP_SUFFIXES = (".lts", ".fsp")

SMV, LABELLED, PROBABILISTIC = "SMV models", "labelled transition systems", "PRISM models"

#: Options of ``check`` that not every language has a use for, by the languages that have.
_LANGUAGES_OF: Mapping[tuple[str, ...], tuple[str, ...]] = {
    (SMV,): (
        *("cone_of_influence", "direction", "reordering", "order_output", "early_falsification", "edge_deletion"),
        *("one_state_first", "small_alphabet_first", "refinement", "look_ahead", "partitions"),
        *("parts", "imbalance", "partitioner", "grain", "wires", "bound", "bdd"),
    ),
    (LABELLED,): ("targets", "alphabet_refinement", "balance", "steps", "abstraction", "guarantees", "selectors"),
    (PROBABILISTIC,): ("engine",),
    (SMV, LABELLED): ("wanted",),
    (LABELLED, PROBABILISTIC): ("groups",),
}


def language_of(model: str) -> str:
    """The language of a model; what has no other suffix is SMV."""
    if model.endswith(LPTS_SUFFIXES):
        return PROBABILISTIC
    return LABELLED if model.endswith(LTS_SUFFIXES) else SMV


def check_languages(context: click.Context, model: str) -> None:
    """Raises UsageError for an option on the command line that says nothing about models of this language."""
    language, given = language_of(model), ParameterSource.COMMANDLINE
    for parameter in context.command.params:
        for known, names in _LANGUAGES_OF.items():
            if (
                language not in known
                and parameter.name in names
                and context.get_parameter_source(parameter.name) is given
            ):
                raise click.UsageError(f"{parameter.opts[0]} is for {' and '.join(known)}")


def check_method(method: str, model: str, methods: Mapping[str, Sequence[str]]) -> None:
    """Raises UsageError for a method of another language than the model's; ``methods`` are the names by language."""
    language = language_of(model)
    if method not in methods[language]:
        others = " and ".join(name for name, names in methods.items() if method in names)
        known = ", ".join(methods[language])
        raise click.UsageError(f"--method {method} is for {others}; for {language} there are {known}")


def check_components(model: str, components: Sequence[str]) -> None:
    """Raises UsageError unless there are none, or MODEL is an LTS or a PRISM model and all fit to it."""
    if components and not model.endswith((*LTS_SUFFIXES, *LPTS_SUFFIXES)):
        raise click.UsageError("--component is for labelled transition systems and PRISM models")
    expected: tuple[str, ...] = (".aut",)
    text = "an .aut file"
    if model.endswith(LPTS_SUFFIXES):
        expected, text = LPTS_SUFFIXES, "a .nm, .pm, .prism or .tra file"
    wrong = [each for each in components if not each.endswith(expected)]
    if wrong:
        raise click.UsageError(f"{wrong[0]}: a component is read from {text}")


def check_no_alphabets(alphabets: dict[str, list[str]]) -> None:
    """Raises UsageError if there are some, for a model that can have none."""
    if alphabets:
        raise click.UsageError("--alphabet is for PRISM models")


def whole_constants(model: str, constants: dict[str, str]) -> dict[str, int]:
    """The constants of FSP, where each is a whole number. Raises UsageError for other values, and other models."""
    if constants and not model.endswith(FSP_SUFFIXES):
        raise click.UsageError("--const is for FSP and PRISM models")
    for name, value in constants.items():
        if not value.removeprefix("-").isdecimal():
            raise click.UsageError(f"--const {name}={value}: expected a whole number")
    return {name: int(value) for name, value in constants.items()}


def check_specification_file(model: str, specification: str | None, formula: str | None) -> None:
    """Raises UsageError unless a specification or a formula is given for a PRISM model, and none for another."""
    if specification is None and formula is None:
        if model.endswith(LPTS_SUFFIXES):
            message = "say by --specification FILE what has to simulate it, or by --formula what it has to satisfy"
            raise click.UsageError(f"{model}: {message}")
    elif not model.endswith(LPTS_SUFFIXES):
        raise click.UsageError("--specification and --formula are for PRISM models")
    elif specification is not None and formula is not None:
        raise click.UsageError("either --specification or --formula")
    elif specification is not None and not specification.endswith(LPTS_SUFFIXES):
        raise click.UsageError(f"{specification}: a specification is read from a .nm, .pm, .prism or .tra file")

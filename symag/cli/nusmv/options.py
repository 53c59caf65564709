"""NuSMV's command-line options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from symag.cli.nusmv.environment import REFUSALS, Environment


class BadOption(Exception):  # noqa: N818 -- named after what it reports
    """A command line that NuSMV refuses, with NuSMV's message (exit status 255)."""


class Flag(Struct, frozen=True):
    """One option.

    ``sets`` is the variable that it sets: to ``value``, or to its argument if it has one. ``refused`` says
    why symag does not support it; help texts say ``ignored`` of options about details that symag does not have.
    """

    name: str
    help: str
    argument: str | None = None
    sets: str | None = None
    value: str = "1"
    conflicts: tuple[str, ...] = ()
    deprecated: bool = False
    refused: str | None = None
    number: bool = False
    choices: tuple[str, ...] = ()


_PARTITIONING = ("-thresh", "-mono", "-cp", "-iwls95")


def _partitioning(name: str, help_text: str, argument: str | None, deprecated: bool = False) -> Flag:
    others = tuple(other for other in _PARTITIONING if other != name)
    return Flag(name, help_text, argument, conflicts=others, deprecated=deprecated, number=argument is not None)


OPTIONS: Mapping[str, Flag] = {
    option.name: option
    for option in (
        Flag("-h", "prints this message"),
        Flag("-help", "prints this message"),
        Flag("-AG", "checks only AG formulas, by forward search", sets="ag_only_search"),
        Flag("-bdd_soh", "static variable order (symag has its own)", "heuristics", "bdd_static_order_heuristics"),
        Flag("-bmc", "bounded model checking instead of diagrams: LTL, PSL, invariants"),
        Flag("-bmc_length", "the longest bound of -bmc", "k", "bmc_length", number=True),
        Flag("-bmc_opt", "(ignored: -bmc has one tableau)", "k", number=True),
        Flag("-certify", "symag's own: has separate code re-check every answer", sets="symag_certify"),
        Flag("-coi", "cone of influence: counterexamples show only what matters", sets="cone_of_influence"),
        _partitioning("-cp", "threshold of the partitioned relation (ignored)", "cp_t", deprecated=True),
        Flag("-cpp", "runs cpp on the input file", deprecated=True),
        Flag("-ctt", "checks that the transition relation is total", sets="check_fsm"),
        Flag("-dcx", "prints no counterexamples", sets="counter_examples", value="0"),
        Flag("-df", "no reachable states beforehand", sets="forward_search", value="0", conflicts=("-f",)),
        Flag("-disable_daggifier", "(ignored)", sets="daggifier_enabled", value="0"),
        Flag("-disable_sexp2bdd_caching", "(ignored)", sets="enable_sexp2bdd_caching", value="0"),
        Flag("-disable_syntactic_checks", "(ignored: symag always checks)", sets="disable_syntactic_checks"),
        Flag("-dynamic", "dynamic variable reordering", sets="dynamic_reorder"),
        Flag("-f", "reachable states beforehand", sets="forward_search", conflicts=("-df",), deprecated=True),
        Flag("-flt", "reachable states for the LTL tableau (ignored)", sets="ltl_tableau_forward_search"),
        Flag("-i", "reads the variable order from iv_file", "iv_file", "input_order_file"),
        Flag("-ic", "does not check COMPUTE"),
        Flag("-ii", "does not check INVARSPEC"),
        Flag("-ils", "does not check LTLSPEC"),
        Flag("-int", "reads commands from standard input"),
        Flag("-ips", "does not check PSLSPEC"),
        Flag("-is", "does not check SPEC"),
        Flag("-iwl95preorder", "(ignored)", sets="iwls95preorder"),
        _partitioning("-iwls95", "threshold of the partitioned relation (ignored)", "cp_t"),
        Flag("-keep_single_value_vars", "(ignored: they are constants)", sets="keep_single_value_vars"),
        Flag("-load", "as -source", "sc_file", conflicts=("-source",), deprecated=True),
        Flag("-lp", "lists the properties and ends"),
        Flag("-m", "reordering by this method (symag sifts)", "method", "reorder_method"),
        _partitioning("-mono", "one transition relation (ignored)", None),
        Flag("-n", "checks only the property with this index", "idx", number=True),
        Flag("-noaffinity", "(ignored)", sets="affinity", value="0"),
        Flag("-o", "-reorder writes the variable order to ov_file", "ov_file", "output_order_file"),
        Flag("-obm", "writes the boolean model to bn_file", "bn_file", "output_boolean_model_file"),
        Flag("-ofm", "writes the flat model to fn_file", "fn_file", "output_flatten_model_file"),
        Flag("-ojeba", "(ignored)", "algorithm", "oreg_justice_emptiness_bdd_algorithm"),
        Flag("-old", "older versions' language (refused)", refused="symag reads NuSMV 2.6's language only"),
        Flag("-old_div_op", "older / and mod (refused)", refused="symag has ANSI C's / and mod only"),
        Flag("-pre", 'preprocessors, such as "cpp m4"', "pp_list", "pp_list"),
        Flag("-quiet", "prints no heading"),
        Flag("-r", "prints the number of reachable states"),
        Flag("-reorder", "reorders the variables at the end"),
        Flag("-rin", "(ignored)", "on|off", choices=("on", "off")),
        Flag("-s", "has no alias q, which is what the start-up file of NuSMV gives", sets="ignore_init_file"),
        Flag("-sat_solver", "(ignored: only -bmc uses it)", "name", "sat_solver"),
        Flag("-sin", "(ignored)", "on|off", choices=("on", "off")),
        Flag("-source", "runs the commands of sc_file", "sc_file", conflicts=("-load",)),
        Flag("-t", "(ignored)", "tv_file", "trans_order_file"),
        _partitioning("-thresh", "threshold of the partitioned relation (ignored)", "cp_t"),
        Flag("-v", "level of messages on standard error", "vl", "verbose_level"),
    )
}


@dataclass(slots=True)
class CommandLine:
    """A parsed command line; ``given`` maps each option to its argument."""

    environment: Environment
    given: dict[str, str | None] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    @property
    def help(self) -> bool:
        """Whether it only asks for the list of options."""
        return "-h" in self.given or "-help" in self.given

    @property
    def script(self) -> str | None:
        """The file with commands."""
        return self.given.get("-source") or self.given.get("-load")

    @property
    def interactive(self) -> bool:
        """Whether commands are read from standard input."""
        return "-int" in self.given

    @property
    def quiet(self) -> bool:
        """Whether no heading is printed."""
        return "-quiet" in self.given

    @property
    def index(self) -> int | None:
        """The index of the only property to check; None for all."""
        text = self.given.get("-n")
        return None if text is None else int(text)


def parse(arguments: Sequence[str]) -> CommandLine:
    """Parses a command line. Raises BadOption."""
    line = CommandLine(Environment())
    rest = list(arguments)
    while rest:
        name = rest.pop(0)
        option = OPTIONS.get(name)
        if option is None:
            if rest or name.startswith("-"):
                raise _bad(line, f'The command line option "{name}" is unknown')
            line.environment.set("input_file", name)
            break
        if option.deprecated:
            line.warnings.append(f"Warning: {name} is deprecated")
        _refuse_conflicts(line, option)
        argument = None
        if option.argument is not None:
            if not rest:
                raise _bad(line, f'The "{name}" command line option requires an argument.')
            argument = rest.pop(0)
        _take(line, option, argument)
    if "-bmc_length" in line.given and "-bmc" not in line.given:
        raise _bad(line, 'Option "-bmc_length" requires option "-bmc"')
    return line


def _refuse_conflicts(line: CommandLine, option: Flag) -> None:
    for other in line.given:
        if other in option.conflicts:
            raise _bad(line, f"Option {other} cannot be used with option {option.name}")


def _take(line: CommandLine, option: Flag, argument: str | None) -> None:
    if option.refused is not None:
        raise _bad(line, f"symag: {option.name} is not supported: {option.refused}")
    line.given[option.name] = argument
    is_wrong = option.choices and argument not in option.choices
    if is_wrong or (argument is not None and option.number and not argument.lstrip("-").isdecimal()):
        raise _bad(line, f'Cannot set value "{argument}" to option "{option.name}"')
    if option.name == "-pre" and not set((argument or "").split()) <= {"cpp", "m4"}:
        complaint = "Some of the specified preprocessors does not exist"
        raise _bad(line, f'{complaint}\nCannot set value "{argument}" to option "-pre"')
    if option.sets is not None:
        value = option.value if argument is None else argument
        if line.environment.accepts(option.sets, value) is not None:
            choices = f"{REFUSALS[option.sets]}\n" if option.sets in REFUSALS else ""
            raise _bad(line, f'{choices}Cannot set value "{value}" to option "{option.name}"')
        line.environment.set(option.sets, value)
    if option.name == "-m":
        line.environment.set("dynamic_reorder", "1")
    if option.name == "-cpp":
        line.environment.set("pp_list", f"cpp {line.environment.text('pp_list')}".strip())


def _bad(line: CommandLine, message: str) -> BadOption:
    return BadOption("\n".join((*line.warnings, message)))


def help_lines() -> Iterator[str]:
    """The lines that ``-h`` prints."""
    yield "Usage:  symag nusmv [-h | -help] [options]* [input_file]"
    for option in OPTIONS.values():
        yield f"   {option.name}" + (f" {option.argument}" if option.argument else "")
        yield f"      {option.help}"
        if option.conflicts:
            yield f"      NOTE: Incompatible with options {' '.join(option.conflicts)}"
    yield "   input-file"
    yield "      the file both the model and the spec were read from"

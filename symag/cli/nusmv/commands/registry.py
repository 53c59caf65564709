"""The table of commands. Adding one is a function and a line here; its file is imported on use."""

from __future__ import annotations

import enum
import functools
import importlib
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct, field

#: The function of a command: it takes the shell, the options by letter, and the other words. Raises CommandError.
Action = Callable[[Any, Mapping[str, str], list[str]], None]

#: Separates the texts of an option that is given more than once.
SEPARATOR = "\x00"
#: More words than anybody writes; commands of NuSMV that take no words may ignore any.
ANY = 1 << 20


class Stage(enum.IntEnum):
    """The stage of the model that a command needs."""

    NONE = 0
    READ = 1
    FLAT = 2
    ENCODED = 3
    BUILT = 4


class ShellCommand(Struct, frozen=True):
    """One command: ``options`` maps letters to the name of their argument (None: they take none).

    ``least`` and ``most`` bound the number of other words, which ``words`` names. With ``output``, ``-o FILE``
    redirects the results; with ``announced``, NuSMV prints a line about that. The texts of letters in
    ``repeated`` are joined by ``SEPARATOR`` if they are given again. Of the letters in each of ``exclusive`` one may
    be given, once; the error is ``complaint``, or else the usage. ``fixed`` are arguments of the function that tell
    several commands of one function apart.
    """

    family: str
    function: str
    stage: Stage = Stage.NONE
    options: Mapping[str, str | None] = field(default_factory=dict)
    words: str = ""
    least: int = 0
    most: int = 0
    output: bool = False
    announced: bool = False
    repeated: str = ""
    exclusive: tuple[str, ...] = ()
    complaint: str | None = None
    fixed: Mapping[str, object] = field(default_factory=dict)

    def load(self) -> Action:
        """The function."""
        module = importlib.import_module(f"symag.cli.nusmv.commands.{self.family}")
        return functools.partial(getattr(module, self.function), **self.fixed)

    def refusal(self, name: str, given: str) -> str | None:
        """What is said if some of the given letters exclude each other."""
        if any(sum(given.count(letter) for letter in letters) > 1 for letters in self.exclusive):
            return self.complaint or self.usage(name)
        return None

    def usage(self, name: str) -> str:
        """One line with all options."""
        options = [f"[-{letter} {argument}]" if argument else f"[-{letter}]" for letter, argument in self._sorted()]
        return " ".join(["usage:", name, "[-h]", *options, *([self.words] if self.words else [])])

    def _sorted(self) -> list[tuple[str, str | None]]:
        return sorted(self.options.items())


#: One property at most, and a file or a pager.
_ONE = ("nPp", "mo")
_CHECKED: Mapping[str, str | None] = {"n": "number", "p": '"formula"', "P": '"name"', "o": "file", "m": None}


def _checks(kind: str, function: str = "check") -> ShellCommand:
    return ShellCommand(
        "checks", function, Stage.BUILT, _CHECKED, output=True, announced=True, exclusive=_ONE, fixed={"kind": kind}
    )


_PROPERTY: Mapping[str, str | None] = {"n": "idx", "p": '"formula"', "P": '"name"'}
_BOUNDS: Mapping[str, str | None] = {**_PROPERTY, "k": "max_length", "l": "loopback", "o": "filename"}
_STEPS: Mapping[str, str | None] = {"p": None, "v": None, "r": None, "c": '"constr"', "t": '"constr"', "k": "steps"}


def _bounded(function: str, options: Mapping[str, str | None], **fixed: object) -> ShellCommand:
    complaint = (
        "Error: It is not possible to specify multiple properties to be checked\n"
        '      using "-p <formula>" and/or "-n <property_idx>" options\n'
    )
    return ShellCommand(
        "bounded", function, Stage.ENCODED, options, exclusive=("nPp",), complaint=complaint, fixed=fixed
    )


def _sequences(**further: str | None) -> ShellCommand:
    """A bounded command for PSL, whose ``-o`` is for the results as in the commands that search diagrams."""
    options = {**_CHECKED, "k": "bmc_length", "l": "loopback", "1": None, **further}
    return ShellCommand(
        *("bounded", "check_formulas", Stage.ENCODED, options),
        output=True,
        announced=True,
        exclusive=_ONE,
        fixed={"kind": "PSL"},
    )


_FILE: Mapping[str, str | None] = {"o": "file"}
_PAGED: Mapping[str, str | None] = {"o": "file", "m": None}
_CHOICE: Mapping[str, str | None] = {"v": None, "r": None, "i": None, "a": None, "c": '"constr"'}
_KINDS: Mapping[str, str | None] = dict.fromkeys("clisq")


def _statistics(function: str) -> ShellCommand:
    return ShellCommand("sets", function, Stage.BUILT, _PAGED, output=True, exclusive=("mo",), most=ANY)


COMMANDS: Mapping[str, ShellCommand] = {
    "read_model": ShellCommand("models", "read", options={"i": "file"}),
    "flatten_hierarchy": ShellCommand("models", "flatten", Stage.READ, {"d": None, "e": None}),
    "encode_variables": ShellCommand("models", "encode", Stage.FLAT, {"i": "file", "n": None}),
    "build_flat_model": ShellCommand("models", "build_flat", Stage.FLAT),
    "build_model": ShellCommand("models", "build", Stage.ENCODED, {"f": None, "m": "method"}),
    "go": ShellCommand("models", "go", options={"f": None}, most=ANY),
    "process_model": ShellCommand("models", "process", options={"f": None, "r": None, "i": "file", "m": "method"}),
    "reset": ShellCommand("models", "reset"),
    "show_vars": ShellCommand(
        "models", "show_vars", Stage.FLAT, {**_PAGED, **dict.fromkeys("sfitVDv")}, output=True, announced=True,
        exclusive=("mo",),
    ),
    "write_order": ShellCommand(
        "models", "write_order", Stage.ENCODED, {"b": None, "o": "file", "f": "file"}, most=ANY
    ),
    "write_flat_model": ShellCommand("models", "write_flat_model", Stage.FLAT, {**_FILE, "m": None}),
    "dynamic_var_ordering": ShellCommand(
        "models", "dynamic_var_ordering", options={"d": None, "e": "method", "f": "method"}, most=ANY,
        exclusive=("def",), complaint="Only one of -d, -f, -e is allowed.",
    ),
    "check_ctlspec": _checks("CTL"),
    "check_ltlspec": _checks("LTL"),
    "check_pslspec": _checks("PSL"),
    "check_invar": ShellCommand(
        *("checks", "check_invar", Stage.BUILT),
        {**_CHECKED, "s": "strategy", "e": "heuristic", "t": "number", "k": "number", "j": "heuristic"},
        output=True,
        announced=True,
        exclusive=_ONE,
    ),
    "check_compute": _checks("COMPUTE"),
    "compute": _checks("COMPUTE", "compute"),
    "check_property": ShellCommand(
        "checks", "check_property", Stage.BUILT, {**_KINDS, "n": "number", "p": '"formula"', "P": '"name"'},
        exclusive=("nPclisq", "nPp"),
    ),
    "add_property": ShellCommand(
        "checks", "add_property", Stage.FLAT, {**_KINDS, "p": '"formula"', "n": '"name"'}
    ),
    "show_property": ShellCommand(
        "checks", "show_property", Stage.FLAT,
        {**_PAGED, **dict.fromkeys("cliqutfs"), "n": "index", "P": "name", "F": "format"}, output=True,
        exclusive=("nPcliq", "nPutf", "mo"),
    ),
    "convert_property_to_invar": ShellCommand(
        "checks", "convert_property_to_invar", Stage.FLAT, {"n": "number", "P": '"name"', "p": '"formula"'},
        exclusive=("nPp",),
    ),
    "show_dependencies": ShellCommand(
        "dependencies", "show_dependencies", Stage.FLAT, {"k": "bound", "e": "expr"}
    ),
    "write_coi_model": ShellCommand(
        "dependencies", "write_coi_model", Stage.FLAT,
        {**_FILE, **dict.fromkeys("clisqCg"), "n": "index", "p": '"expr"', "P": '"name"'},
    ),
    "compute_reachable": ShellCommand("sets", "compute_reachable", Stage.BUILT, {"k": "number", "t": "time"}),
    "print_reachable_states": ShellCommand(
        "sets", "print_reachable_states", Stage.BUILT, {**dict.fromkeys("vdf"), **_FILE}, most=ANY
    ),
    "print_fair_states": ShellCommand("sets", "print_fair_states", Stage.BUILT, {"v": None}, most=ANY),
    "print_fair_transitions": ShellCommand(
        "diagrams", "print_fair_transitions", Stage.BUILT, {"v": None, "f": "format", "o": "fname"}, most=ANY
    ),
    "dump_fsm": ShellCommand(
        "diagrams", "dump_fsm", Stage.BUILT, {"o": "fname", "e": "expr", **dict.fromkeys("iItFr")}
    ),
    "dump_expr": ShellCommand("diagrams", "dump_expr", Stage.ENCODED, {"e": "expr", "f": "format", "o": "fname"}),
    "print_formula": ShellCommand(
        "diagrams", "print_formula", Stage.BUILT, dict.fromkeys("vf"), "expr", most=1, exclusive=("vf",)
    ),
    "clean_sexp2bdd_cache": ShellCommand("diagrams", "clean_sexp2bdd_cache", Stage.ENCODED),
    "print_bdd_stats": ShellCommand("diagrams", "print_bdd_stats", Stage.BUILT, most=ANY),
    "build_boolean_model": ShellCommand("models", "build_boolean_model", Stage.ENCODED, {"f": None}),
    "write_boolean_model": ShellCommand("models", "write_boolean_model", Stage.ENCODED, _FILE),
    "check_fsm": ShellCommand("sets", "check_fsm", Stage.BUILT, _PAGED, output=True, announced=True, exclusive=("mo",)),
    "print_fsm_stats": _statistics("print_fsm_stats"),
    "print_clusterinfo": _statistics("print_clusterinfo"),
    "get_internal_status": ShellCommand("models", "get_internal_status", most=ANY),
    "show_traces": ShellCommand(
        "traces", "show_traces",
        options={**_PAGED, "v": None, "t": None, "a": None, "d": None, "p": "plugin-no"},
        words="[trace_number[.from_state[:[to_state]]]]", most=ANY, output=True, exclusive=("mo",),
    ),
    "show_plugins": ShellCommand("traces", "show_plugins", options={"a": None, "n": "plugin_index"}, most=ANY),
    "execute_traces": ShellCommand(
        "execution", "execute_traces",
        options={**_PAGED, "v": None, "a": None, "e": "engine"}, words="[trace_number]", most=1, output=True,
        exclusive=("mo",),
    ),
    "execute_partial_traces": ShellCommand(
        "execution", "execute_partial_traces",
        options={**_PAGED, "v": None, "a": None, "r": None, "e": "engine"}, words="[trace_number]", most=1, output=True,
        exclusive=("mo",),
    ),
    "read_trace": ShellCommand(
        "execution", "read_trace", Stage.ENCODED, {"u": None, "s": None, "i": "file"}, words="[file]", most=1
    ),
    "pick_state": ShellCommand("runs", "pick_state", Stage.BUILT, {**_CHOICE, "s": "trace.state"}),
    "simulate": ShellCommand(
        "runs", "simulate", Stage.BUILT, {**_CHOICE, "p": None, "t": '"constr"', "k": "steps"}, "[steps]", most=1,
        exclusive=("pv", "ri", "ct", "k"),
    ),
    "goto_state": ShellCommand("runs", "goto_state", Stage.ENCODED, words="trace.state", least=1, most=ANY),
    "print_current_state": ShellCommand("runs", "print_current_state", options={"v": None}),
    "go_bmc": ShellCommand("bounded", "go_bmc", options={"f": None}, most=ANY),
    "bmc_setup": ShellCommand("bounded", "bmc_setup", Stage.ENCODED, {"f": None}, most=ANY),
    "check_ltlspec_bmc": _bounded("check_formulas", _BOUNDS, kind="LTL"),
    "check_ltlspec_bmc_inc": _bounded("check_formulas", _BOUNDS, kind="LTL"),
    "check_ltlspec_bmc_onepb": _bounded("check_formulas", _BOUNDS, kind="LTL", only_last=True),
    "check_ltlspec_sbmc": _bounded("check_formulas", _BOUNDS, kind="LTL"),
    "check_ltlspec_sbmc_inc": _bounded(
        "check_ltlspec_sbmc_inc", {**_PROPERTY, "k": "max_length", "N": None, "c": None}
    ),
    "check_pslspec_bmc": _sequences(g=None),
    "check_pslspec_bmc_inc": _sequences(),
    "check_pslspec_sbmc": _sequences(g=None),
    "check_pslspec_sbmc_inc": _sequences(N=None, c=None),
    "check_invar_bmc": _bounded(
        "check_invar_bmc", {**_PROPERTY, "k": "max_length", "a": "algorithm", "e": None, "o": "filename"}
    ),
    "check_invar_bmc_inc": _bounded(
        "check_invar_bmc_inc", {**_PROPERTY, "k": "max_length", "a": "algorithm", "s": "strategy"}
    ),
    "gen_ltlspec_bmc": _bounded("generate", _BOUNDS),
    "gen_ltlspec_bmc_onepb": _bounded("generate", _BOUNDS, only_last=True),
    "gen_ltlspec_sbmc": _bounded("generate", _BOUNDS),
    "gen_invar_bmc": _bounded("gen_invar_bmc", {**_PROPERTY, "o": "filename"}),
    "bmc_pick_state": _bounded("bmc_pick_state", {**_CHOICE, "s": "trace.state"}),
    "bmc_simulate": _bounded("simulate", _STEPS, name="bmc_simulate", incremental=False),
    "bmc_inc_simulate": _bounded(
        "simulate", {**_STEPS, "i": None, "a": None}, name="bmc_inc_simulate", incremental=True
    ),
    "bmc_simulate_check_feasible_constraints": ShellCommand(
        "bounded", "bmc_simulate_check_feasible_constraints", Stage.ENCODED, {"q": None, "c": '"constr"'}, repeated="c"
    ),
    "set": ShellCommand("sessions", "set_variable", words="[name [value]]", most=2),
    "unset": ShellCommand("sessions", "unset_variables", words="variables", least=1, most=ANY),
    "time": ShellCommand("sessions", "show_time"),
    "usage": ShellCommand("sessions", "show_usage"),
    "print_usage": ShellCommand("sessions", "show_usage", most=ANY),
    "quit": ShellCommand("sessions", "leave", options={"s": None, "x": None}),
    "echo": ShellCommand(
        "sessions", "echo", options={"2": None, "n": None, "o": "file", "a": None}, words="string", most=ANY
    ),
    "source": ShellCommand("sessions", "source", options=dict.fromkeys("psx"), words="file", least=1, most=ANY),
    "which": ShellCommand("sessions", "which", words="file_name", least=1, most=1),
    "alias": ShellCommand("sessions", "alias", words="[command [string]]", most=ANY),
    "unalias": ShellCommand("sessions", "unalias", words="aliases", least=1, most=ANY),
    "history": ShellCommand("sessions", "show_history", words="[num]", most=1),
    "help": ShellCommand("sessions", "show_help", options={"a": None, "p": None}, words="[command]", most=1),
}  # fmt: skip

#: Commands of NuSMV that are refused, with the reason.
NOT_SUPPORTED: Mapping[str, str] = dict.fromkeys(
    """
    compass_gen_sigref hrc_dump_model hrc_write_model print_iwls95options set_bdd_parameters write_flat_model_udg
    """.split(),
    "symag has nothing like it",
)

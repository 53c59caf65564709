"""NuSMV's option variables (``set``, ``unset``): names, defaults, and possible values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from symag.cli.nusmv.streams import CommandError

Kind = Literal["boolean", "integer", "text"]

_BOOLEANS: Mapping[str, bool] = {
    "affinity": True,
    "ag_only_search": False,
    "backward_compatibility": False,
    "bmc_force_pltl_tableau": False,
    "bmc_optimized_tableau": True,
    "bmc_sbmc_gf_fg_opt": True,
    "boolean_conversion_uses_predicate_normalization": False,
    "check_fsm": False,
    "cone_of_influence": False,
    "counter_examples": True,
    "daggifier_enabled": True,
    "daggifier_statistics": False,
    "disable_syntactic_checks": False,
    "dynamic_reorder": False,
    "enable_sexp2bdd_caching": True,
    "forward_search": True,
    "ignore_init_file": False,
    "iwls95preorder": False,
    "keep_single_value_vars": False,
    "ltl2smv_single_justice": False,
    "ltl_tableau_forward_search": False,
    "on_failure_script_quits": False,
    "parser_is_lax": False,
    "rbc_inlining": True,
    "sexp_inlining": False,
    "symag_certify": False,
    "traces_show_defines": True,
    "traces_show_defines_with_next": True,
    "type_checking_warning_on": True,
    "use_coi_size_sorting": True,
    "write_order_dumps_bits": True,
}
_INTEGERS: Mapping[str, int] = {
    "bmc_length": 10,
    "check_invar_bddbmc_threshold": 10,
    "daggifier_counter_threshold": 3,
    "daggifier_depth_threshold": 2,
    "conj_part_threshold": 1000,
    "default_simulation_steps": 10,
    "default_trace_plugin": 0,
    "image_cluster_size": 1000,
    "output_word_format": 10,
    "shown_states": 25,
    "verbose_level": 0,
}
_TEXTS: Mapping[str, str | None] = {
    "bdd_static_order_heuristics": "basic",
    "bmc_dimacs_filename": "@f_k@k_l@l_n@n",
    "bmc_inc_invar_alg": "dual",
    "bmc_invar_alg": "classic",
    "bmc_invar_dimacs_filename": "@f_invar_n@n",
    "bmc_loopback": "*",
    "check_invar_bddbmc_heuristic": "steps",
    "check_invar_forward_backward_heuristic": "zigzag",
    "check_invar_strategy": "forward",
    "input_file": None,
    "input_order_file": None,
    "open_path": ".",
    "oreg_justice_emptiness_bdd_algorithm": "EL_bwd",
    "output_boolean_model_file": None,
    "output_flatten_model_file": None,
    "output_order_file": "temp.ord",
    "partition_method": "Threshold",
    "pp_cpp_path": None,
    "pp_list": "",
    "pp_m4_path": None,
    "prop_print_method": "formula",
    "rbc_rbc2cnf_algorithm": "sheridan",
    "reorder_method": "sift",
    "sat_solver": "MiniSat",
    "trans_order_file": None,
    "traces_hiding_prefix": "__",
    "traces_regexp": None,
    "vars_order_type": "inputs_before_bi",
}
_WINDOWS = ("window4_converge", "window3_converge", "window2_converge", "window4", "window3", "window2")
#: The values that NuSMV accepts for some texts, in the order in which it lists them.
CHOICES: Mapping[str, tuple[str, ...]] = {
    "bdd_static_order_heuristics": ("none", "basic"),
    "bmc_inc_invar_alg": ("dual", "zigzag", "falsification"),
    "bmc_invar_alg": ("classic", "een-sorensson"),
    "check_invar_bddbmc_heuristic": ("size", "steps"),
    "check_invar_forward_backward_heuristic": ("smallest", "zigzag"),
    "check_invar_strategy": ("bdd-bmc", "forward-backward", "backward", "forward"),
    "oreg_justice_emptiness_bdd_algorithm": ("EL_fwd", "EL_bwd"),
    "partition_method": ("Iwls95CP", "Threshold", "Monolithic"),
    "prop_print_method": ("formula", "truncated", "index", "name"),
    "rbc_rbc2cnf_algorithm": ("tseitin", "sheridan"),
    "reorder_method": (
        *("same", "linear_converge", "linear", "exact", "genetic", "annealing", "group_sift_converge", *_WINDOWS),
        *("symmetry_sift_converge", "symmetry_sift", "sift_converge", "group_sift", "sift", "random_pivot", "random"),
    ),
    "sat_solver": ("MiniSat",),
    "vars_order_type": (
        *("topological_bi", "inputs_after_bi", "inputs_before_bi", "topological", "inputs_after", "inputs_before"),
    ),
}
#: Other messages of NuSMV for a value that is none of the choices; these options take any case.
REFUSALS: Mapping[str, str] = {
    "bmc_invar_alg": "The available INVAR solving (non-incremental) algorithms are:\nclassic een-sorensson ",
    "bmc_inc_invar_alg": "The available INVAR solving (incremental) algorithms are:\ndual zigzag",
    "sat_solver": "The available SAT solvers are: MiniSat ",
}
PLUGINS = 8


class EnvironmentVariable(Struct, frozen=True):
    """One variable; ``default`` in NuSMV's spelling, None for NULL."""

    kind: Kind
    default: str | None


OPTIONS: Mapping[str, EnvironmentVariable] = {
    **{name: EnvironmentVariable("boolean", str(int(value))) for name, value in _BOOLEANS.items()},
    **{name: EnvironmentVariable("integer", str(value)) for name, value in _INTEGERS.items()},
    **{name: EnvironmentVariable("text", value) for name, value in _TEXTS.items()},
}


class Environment:
    """The variables' present values."""

    def __init__(self) -> None:
        self._values: dict[str, str | None] = {name: option.default for name, option in OPTIONS.items()}

    def text(self, name: str) -> str | None:
        """The value, None for no value."""
        return self._values.get(name)

    def enabled(self, name: str) -> bool:
        """Whether a boolean variable is set."""
        return self._values.get(name) == "1"

    def number(self, name: str) -> int:
        """An integer variable's value."""
        return int(self._values[name] or 0)

    def knows(self, name: str) -> bool:
        """Whether a variable is one of NuSMV's or has a value."""
        return name in self._values

    def accepts(self, name: str, value: str) -> str | None:
        """The reason why a value is refused, or None."""
        option = OPTIONS.get(name)
        if option is None:
            return None
        if name == "bmc_loopback" and not _fits(value, int(self._values["bmc_length"] or 0)):
            return "Invalid value for the bmc_loopback variable."
        loopback = self._values["bmc_loopback"] or "*"
        if name == "bmc_length" and not (value.isdecimal() and _fits(loopback, int(value))):
            return (
                f"Given value is not compatible with current loopback value set to {loopback}.\n"
                "The option requires an integer argument"
            )
        if name == "pp_list" and not set(value.split()) <= {"cpp", "m4"}:
            return "Some of the specified preprocessors does not exist"
        if option.kind == "integer" and not value.lstrip("-").isdecimal():
            return "The option requires an integer argument"
        if name == "default_trace_plugin" and not 0 <= int(value) < PLUGINS:
            return f"Error: Plugin {value} is not currently available"
        if option.kind == "boolean" and value not in ("0", "1"):
            return 'Possible values are: "1 0"'
        if name == "traces_regexp" and not _is_pattern(value):
            return f"Error: could not parse '{value}' (Invalid regular expression)"
        if name in CHOICES and self._written(name, value) not in CHOICES[name]:
            return REFUSALS.get(name) or f'Possible values are: "{" ".join(CHOICES[name])}"'
        return None

    def _written(self, name: str, value: str) -> str:
        """The value as the list of choices has it."""
        choices = CHOICES.get(name, ()) if name in REFUSALS else ()
        return next((choice for choice in choices if choice.lower() == value.lower()), value)

    def set(self, name: str, value: str | None) -> None:
        """``set name [value]``. Raises CommandError for a value that the variable does not take."""
        option = OPTIONS.get(name)
        if value is None:
            is_text = option is None and self._values.get(name, "1") not in ("0", "1")
            if is_text or (option is not None and option.kind != "boolean"):
                raise CommandError(f'Please provide a value for option "{name}"')
            value = "1"
        refusal = self.accepts(name, value)
        if refusal is not None:
            raise CommandError(f'{refusal}\nCannot assign value "{value}" to option "{name}"')
        self._values[name] = self._written(name, value)

    def unset(self, name: str) -> None:
        """Reset to the default; a user's own variable is removed. Raises CommandError for an unknown variable."""
        if name not in self._values:
            raise CommandError(f'Warning: Option "{name}" is not registered')
        option = OPTIONS.get(name)
        if option is None:
            del self._values[name]
        else:
            self._values[name] = "0" if option.kind == "boolean" else option.default

    def lines(self) -> Iterator[str]:
        """The lines that ``set`` prints."""
        for name in sorted(self._values):
            value = self._values[name]
            shown = "NULL" if value is None else f'"{value}"'
            yield f"{name:<49} {shown}"


def _is_pattern(text: str) -> bool:
    try:
        re.compile(text)
    except re.error:
        return False
    return True


def _fits(loopback: str, length: int) -> bool:
    """Whether a text is a loopback, and of paths of this many steps."""
    if loopback in ("*", "X"):
        return True
    return loopback.removeprefix("-").isdecimal() and -length <= int(loopback) < length

"""Writes the table of NuSMV's commands, from the registry.

python -m scripts.nusmv.nusmv_commands > symag/cli/nusmv/COMMANDS.md
"""

from __future__ import annotations

from collections.abc import Iterator

from symag.cli.nusmv.commands.registry import COMMANDS, NOT_SUPPORTED, ShellCommand


def lines() -> Iterator[str]:
    """The table, with what differs from NuSMV 2.6 on purpose."""
    names = sorted({*COMMANDS, *NOT_SUPPORTED})
    yield "# NuSMV's commands"
    yield ""
    known = f"{len(COMMANDS)} of NuSMV 2.6's {len(names)} commands"
    yield f"`symag nusmv -int` and `-source` have {known}. Each takes `-h`."
    yield "Made by `python -m scripts.nusmv.nusmv_commands`; a test compares it with the registry."
    yield ""
    yield "| command | | options |"
    yield "|---|---|---|"
    for name in names:
        command = COMMANDS.get(name)
        if command is None:
            yield f"| `{name}` | no | {NOT_SUPPORTED[name]} |"
        else:
            yield f"| `{name}` | yes | {_options(command)} |"
    yield ""
    yield "## What reads otherwise than NuSMV's"
    yield ""
    yield from DIFFERENCES


def _options(command: ShellCommand) -> str:
    shown = [
        f"-{letter} {argument}" if argument else f"-{letter}" for letter, argument in sorted(command.options.items())
    ]
    return " ".join(f"`{one}`" for one in [*shown, *([command.words] if command.words else [])])


DIFFERENCES = (
    "- Errors in a formula of a command say `<command-line>: line 1`; NuSMV counts on from the lines of the model.",
    "- Usages are one line of symag's own; where NuSMV prints its usage because of an error, so does symag.",
    "- States of a set are listed in the order of symag's diagrams, and a counterexample need not be NuSMV's.",
    "- `print_reachable_states -f` prints a formula of symag's own, which describes the same states.",
    "- `write_flat_model`, `write_boolean_model` and `write_coi_model` write symag's layout; both tools read it.",
    "- `execute_traces -a` and `execute_partial_traces -a` run all traces; NuSMV 2.6 runs the last one only.",
    "- `print_bdd_stats`, `print_fsm_stats`, `dump_fsm` and `dump_expr` (as `dot` only) tell of symag's own diagrams.",
    "- `print_formula` counts valuations of variables; NuSMV counts those of their bits, also ones of no value.",
    "  Its models are all valuations of the variables read, and its formula is their disjunction.",
    "- `check_invar -s` and `-e` are taken, but symag races its own strategies.",
    "- `check_ltlspec_bmc` of NuSMV says false of some true formulas with a past operator below `U` or `V`.",
    "- Where an evaluation may fail, such as an index out of bounds, bounded commands and `-bmc` end with the error of",
    "  the others; NuSMV warns and goes on.",
    "- `-AG` speaks of fair infinite runs as other checks do; NuSMV's search for it counts every reachable state.",
    "- `check_ltlspec_sbmc_inc -c` ends where no run of the product visits ever new states, perhaps at another bound.",
    "- DIMACS files have clauses and numbers of symag's own. With `-n` the `@n` of a name is the property's index.",
    "- `print_current_state` knows the state that `bmc_pick_state` chose.",
    "- `convert_property_to_invar` leaves `G [m,n] p` alone; NuSMV makes the invariant `p` of it, which is stronger.",
    "- COMPASSION counts for every kind of property; NuSMV ignores it outside LTL.",
)


def main() -> None:
    """Print the table."""
    for line in lines():
        print(line)


if __name__ == "__main__":
    main()

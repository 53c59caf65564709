"""Commands about sets of states: reachable, fair, deadlocked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from symag.bdd.context import Bdd
from symag.cli.nusmv import batch
from symag.cli.nusmv.commands.registry import COMMANDS
from symag.cli.nusmv.reports import state_texts
from symag.cli.nusmv.states import RULE, States
from symag.cli.nusmv.streams import CommandError
from symag.smv.symbolic.relation import transition_relation

if TYPE_CHECKING:
    from symag.cli.nusmv.shell import Shell


def _states(shell: Shell) -> States:
    return shell.known_model.state_sets(shell.environment)


def compute_reachable(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``compute_reachable``: search all states, or ``-k`` steps further; ``-t`` is ignored. Raises CommandError."""
    for letter, word in (("k", "k"), ("t", "time")):
        if letter in options and not options[letter].lstrip("-").isdecimal():
            raise CommandError(f"You must specify a valid integer number as {word}!")
        if letter in options and int(options[letter]) <= 0:
            raise CommandError(f"You must specify a positive number as {word}!")
    states = _states(shell)
    if "k" in options:
        performed = states.advance(int(options["k"]))
        if performed is not None:
            shell.streams.error("The computation of reachable states has not been completed yet.")
            shell.streams.error(f"The number of performed steps is {performed}.")
            return
    states.reach()
    shell.streams.error("The computation of reachable states has been completed.")
    shell.streams.error(f"The diameter of the FSM is {states.diameter()}.")


def print_reachable_states(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``print_reachable_states``: their number; ``-v`` lists them, ``-f`` adds a formula. Raises CommandError."""
    usage = COMMANDS["print_reachable_states"].usage("print_reachable_states")
    if "d" in options and "v" not in options:
        raise CommandError(f"-d requires -v option!\n{usage}")
    if "f" in options and "v" in options:
        raise CommandError(usage)
    states = _states(shell)
    shell.streams.line(RULE)
    with shell.streams.into(options.get("o"), announced=False):
        shell.streams.lines(states.reachable_lines())
        if "v" in options:
            _print_states(shell, states.reach().states, with_defines="d" in options)
        if "f" in options:
            shell.streams.line("FORMULA = ")
            shell.streams.line(_formula(states))
    shell.streams.line(RULE)


def _formula(states: States) -> str:
    """The reachable states as a disjunction of conjunctions, one for each state."""
    system = states.symbolic.source
    rows = []
    for texts in state_texts(system, list(states.valuations(states.reach().states)), defines=False):
        rows.append("(" + " & ".join(f"{name} = {text}" for name, text in texts.items()) + ")")
    return "(" + " | ".join(rows) + ")" if rows else "FALSE"


def print_fair_states(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``print_fair_states``: the number of states from which a fair run starts; ``-v`` lists them."""
    states = _states(shell)
    fair = states.fair_states(shell.environment.enabled("forward_search"))
    shell.streams.line(RULE)
    shell.streams.line(f"fair states: {states.count_text(fair)}")
    if "v" in options:
        _print_states(shell, fair, with_defines=True)
    shell.streams.line(RULE)


def _print_states(shell: Shell, diagram: Bdd, with_defines: bool) -> None:
    """Every state of a set, numbered from 1."""
    states = list(_states(shell).valuations(diagram))
    for number, texts in enumerate(state_texts(shell.known_model.system, states, with_defines), 1):
        shell.streams.line(f"  ------- State {number:4} ------")
        for name, text in texts.items():
            shell.streams.line(f"  {name} = {text}")
    shell.streams.line("  -------------------------")


def check_fsm(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``check_fsm``: whether every reachable state has a successor."""
    batch.check_totality(shell.known_model, shell.environment, shell.known_checker(), shell.streams)


def print_clusterinfo(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``print_clusterinfo``: ``print_fsm_stats`` by its older name."""
    replaced = "Deprecated in 2.4: use 'print_fsm_stats'"
    frame = "\n".join(("-" * 70, f"--{replaced:^66}--", "-" * 70))
    shell.streams.error(frame)
    print_fsm_stats(shell, options, words)
    shell.streams.error(frame)


def print_fsm_stats(shell: Shell, options: Mapping[str, str], words: list[str]) -> None:
    """``print_fsm_stats``: the sizes of symag's own diagrams, in NuSMV's form."""
    symbolic = _states(shell).symbolic
    relation = transition_relation(symbolic)
    lines = [
        "Statistics on BDD FSM machine.",
        f"BDD nodes representing init set of states: {symbolic.context.size(symbolic.initial_states())}",
        f"BDD nodes representing state constraints: {symbolic.context.size(symbolic.invariant())}",
        "BDD nodes representing input constraints: 1",  # the relation has them, so this diagram is always TRUE
    ]
    for word, product in (("Forward", relation.forward), ("Backward", relation.backward)):
        lines.append(f"{word} Partitioning Schedule BDD cluster size (#nodes):")
        for number, (diagram, _) in enumerate(product.steps, 1):
            lines.append(f"cluster {number}\t:\tsize {symbolic.context.size(diagram)}")
    shell.streams.lines(lines)

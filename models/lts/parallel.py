#!/usr/bin/env python
"""Parallel systems with known verdicts, by property-preserving expansion, after those of the RERS challenge.

    python models/lts/parallel.py COMPONENTS [--shared N] [--depth N] [--work N] [--links N] [--seed N] > system.lts

The first component, ROOT, is a random deterministic process. Then components are added, one at a time: one that exists
hands some of its actions to a new server. Instead of the action it asks the server, and waits until the server is done,
which does the action between. So the words over these actions stay what they were, and whatever the number of
components, a property over them holds if it holds of ROOT alone; that is decided here, by looking at ROOT. No server
refuses what it is asked for, so there is no deadlock. (B. Steffen and M. Jasper, "Property-preserving parallel
decomposition", 2017, has such decompositions for modal systems, M. Jasper and others, "RERS 2019: combining synthesis
with real-world models", their use; this is the simplest one.)

Between requests a server does actions of its own, one after the other, and some that it shares with another server:
they make the number of states grow exponentially.

The composite HOLDS forbids a word that ROOT cannot do, anywhere in a run, VIOLATED one that it can; both have ``depth``
actions. The same parameters give the same text. ``symag convert`` writes such a system as .aut.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

_ATTEMPTS = 10_000
#: For each state of ROOT the state after each action that it can do there.
Root = Sequence[Mapping[str, int]]


@dataclass
class Server:
    """``parts`` has what it does instead of each action; ``steps`` are its own actions between requests."""

    number: int
    parts: dict[str, list[str]]
    steps: list[str] = field(default_factory=list)


def random_root(chance: random.Random, states: int, actions: Sequence[str]) -> Root:
    """A deterministic process; every state has two to four actions, one of them to the next state."""
    root = []
    for state in range(states):
        own = chance.sample(actions, min(len(actions), chance.randint(2, 4)))
        root.append({action: chance.randrange(states) for action in own} | {own[0]: (state + 1) % states})
    return root


def occurs(root: Root, word: Sequence[str]) -> bool:
    """Whether some run of ROOT has the word somewhere; all of its states can be reached."""
    states = set(range(len(root)))
    for action in word:
        states = {root[state][action] for state in states if action in root[state]}
    return bool(states)


def random_word(chance: random.Random, root: Root, actions: Sequence[str], depth: int, possible: bool) -> list[str]:
    """A word that ROOT can do, or one of which it can do all but the last action. Raises ValueError."""
    for _ in range(_ATTEMPTS):
        state, word = chance.randrange(len(root)), []
        for _ in range(depth):
            word.append(chance.choice(sorted(root[state])))
            state = root[state][word[-1]]
        if possible:
            return word
        word[-1] = chance.choice(actions)
        if not occurs(root, word):
            return word
    raise ValueError("ROOT can do every word that was tried; more actions or a larger depth are needed")


def expanded(chance: random.Random, actions: Sequence[str], components: int, shared: int) -> list[Server]:
    """ROOT, as the server number 0, and the servers; each hands at most half of the actions that it does itself on."""
    servers = [Server(0, {action: [action] for action in actions})]
    for number in range(1, components):
        giving = [server for server in servers if any(len(part) == 1 for part in server.parts.values())]
        server = chance.choice(giving)
        own = [action for action, part in server.parts.items() if len(part) == 1]
        moved = chance.sample(own, min(shared, max(1, len(own) // 2)))
        for action in moved:
            server.parts[action] = [f"ask{number}.{action}", f"done{number}.{action}"]
        servers.append(Server(number, {action: [action] for action in moved}))
    return servers


def linked(chance: random.Random, servers: Sequence[Server], work: int, links: int) -> None:
    """Give each server its own actions, and to some pairs an action that they do together."""
    for server in servers[1:]:
        server.steps = [f"work{server.number}[{step}]" for step in range(work)]
    for link in range(links if len(servers) > 2 else 0):
        for server in chance.sample(servers[1:], 2):
            server.steps.append(f"link{link}")


def forbidding(name: str, word: Sequence[str], actions: Sequence[str]) -> str:
    """A property: no run has the word. Its state k: the last k actions are the longest such beginning of the word."""
    lines = []
    for matched in range(len(word)):
        choices = []
        for action in actions:
            recent = [*word[:matched], action]
            after = next(k for k in range(len(recent), -1, -1) if recent[len(recent) - k :] == list(word[:k]))
            if after < len(word):
                choices.append(f"{action} -> S{after}")
        lines.append(f"S{matched} = ({' | '.join(choices)})")
    return f"property {name} = S0,\n  " + ",\n  ".join(lines) + "."


def system(
    components: int,
    shared: int = 2,
    depth: int = 4,
    work: int = 3,
    links: int = 2,
    states: int = 6,
    actions: int = 5,
    seed: int = 0,
) -> str:
    """The text of the system. Raises ValueError for parameters that are too small, or of which there is no system."""
    least = {"components": (components, 1), "shared": (shared, 1), "depth": (depth, 1), "work": (work, 0)}
    least |= {"links": (links, 0), "states": (states, 1), "actions": (actions, 2)}
    for name, (value, smallest) in least.items():
        if value < smallest:
            raise ValueError(f"{name} is {value}, expected at least {smallest}")
    chance = random.Random(seed)
    names = [f"a{number}" for number in range(actions)]
    root = random_root(chance, states, names)
    right = random_word(chance, root, names, depth, possible=False)
    wrong = random_word(chance, root, names, depth, possible=True)
    servers = expanded(chance, names, components, shared)
    linked(chance, servers, work, links)
    command = (
        f"parallel.py {components} --shared {shared} --depth {depth} --work {work} --links {links} "
        f"--states {states} --actions {actions} --seed {seed}"
    )
    header = [
        f"{components} components in parallel that do together what ROOT does alone, from which they were made.",
        f"Made by: python models/lts/{command}",
        f"Verdict of HOLDS: holds ({' '.join(right)} never happens)",
        f"Verdict of VIOLATED: violated ({' '.join(wrong)} can happen)",
        "Neither has a deadlock.",
    ]
    everything = " || ".join(["ROOT", *(f"SERVER{server.number}" for server in servers[1:])])
    blocks = [
        "\n".join(f"// {line}" for line in header),
        _root_text(root, servers[0]),
        *map(_server_text, servers[1:]),
        forbidding("NEVER", right, names),
        forbidding("NOT_EVEN", wrong, names),
        f"||HOLDS = ({everything} || NEVER).\n||VIOLATED = ({everything} || NOT_EVEN).",
    ]
    return "\n\n".join(blocks) + "\n"


def _root_text(root: Root, server: Server) -> str:
    lines = [
        f"R{state} = ({' | '.join(' -> '.join([*server.parts[a], f'R{after}']) for a, after in sorted(moves.items()))})"
        for state, moves in enumerate(root)
    ]
    return "ROOT = R0,\n  " + ",\n  ".join(lines) + "."


def _server_text(server: Server) -> str:
    number, count = server.number, max(1, len(server.steps))
    requests = [
        " -> ".join([f"ask{number}.{action}", *part, f"done{number}.{action}", "W0"])
        for action, part in server.parts.items()
    ]
    lines = []
    for place in range(count):
        own = [f"{step} -> W{(place + 1) % count}" for step in server.steps[place : place + 1]]
        lines.append(f"W{place} = ({' | '.join([*requests, *own])})")
    return f"SERVER{number} = W0,\n  " + ",\n  ".join(lines) + "."


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("components", type=int, help="how many, ROOT with them")
    parser.add_argument("--shared", type=int, default=2, help="most actions that a component hands on (default 2)")
    parser.add_argument("--depth", type=int, default=4, help="actions of the forbidden word (default 4)")
    parser.add_argument("--work", type=int, default=3, help="own actions of a server between requests (default 3)")
    parser.add_argument("--links", type=int, default=2, help="actions that two servers do together (default 2)")
    parser.add_argument("--states", type=int, default=6, help="states of ROOT (default 6)")
    parser.add_argument("--actions", type=int, default=5, help="actions of ROOT (default 5)")
    parser.add_argument("--seed", type=int, default=0, help="(default 0)")
    given = parser.parse_args()
    try:
        text = system(**vars(given))
    except ValueError as error:
        print(f"parallel.py: {error}", file=sys.stderr)
        return 2
    sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())

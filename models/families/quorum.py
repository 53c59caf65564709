"""Clients that agree on a value by asking all servers, over channels that lose messages: a system of components.

A server keeps the first value that reaches it and answers everybody with that. A client decides on a value that
all servers answered, and gives up at any time. The components move together by interactions, as in the language BIP:
a variable names the interaction of the next step, every component says by itself what it does in it, and its ports,
which its place defines, say in which it can take part. Everything is TRANS and INVAR; the relation is a conjunction
over components, though a step changes one to three of them.
"""

from __future__ import annotations

from document import bits_of, document, run


def model(clients: int, servers: int = 2, broken: bool = False) -> str:
    """``broken``: a server answers with the value that it was just asked for."""
    if clients < 2 or servers < 2:
        raise ValueError("at least 2 clients and 2 servers")
    about = (
        f"{clients} clients agree by asking {servers} servers over lossy channels. A server answers with the "
        "first value that reached it; a client decides on what all servers answered. Components that move together "
        "by interactions, only TRANS and INVAR. "
    )
    about += "Broken: servers answer with the value just asked for." if broken else "No two clients decide differently."
    pairs = [(k, j) for k in range(clients) for j in range(servers)]
    names = [f"{name}_{k}_{j}" for k, j in pairs for name in ("send", "serve", "lose", "hear")]
    names += ["rest", *(f"{name}_{k}" for k in range(clients) for name in ("decide", "leave"))]
    instances = [f"  s{j} : Server{j}(step);" for j in range(servers)]
    for k in range(clients):
        instances += [f"  c{k} : Client{k}(step);", *(f"  m{k}_{j} : Channel{k}_{j}(step);" for j in range(servers))]
    guards = {f"decide_{k}": f"c{k}.agreed" for k in range(clients)} | {
        f"leave_{k}": f"c{k}.asks" for k in range(clients)
    }
    moves = []
    for k, j in pairs:
        channel, client, server = f"m{k}_{j}", f"c{k}", f"s{j}"
        guards |= {
            f"send_{k}_{j}": f"{client}.asks & {channel}.free",
            f"serve_{k}_{j}": f"{channel}.asked & {server}.up",
            f"lose_{k}_{j}": f"{channel}.full",
            f"hear_{k}_{j}": f"{channel}.answered & {client}.asks",
        }
        first = f"next({server}.value) = ({server}.value = 0 ? {channel}.content : {server}.value)"
        moves += [
            (f"send_{k}_{j}", f"next({channel}.content) = {k + 1}"),
            (f"serve_{k}_{j}", f"next({server}.value) = {channel}.content" if broken else first),
            (f"serve_{k}_{j}", f"next({channel}.content) = next({server}.value)"),
            (f"hear_{k}_{j}", f"next({client}.heard{j}) = {channel}.content"),
        ]
    newline = "\n"
    main = f"""
MODULE main
VAR
  step : {{{", ".join(names)}}};
{newline.join(instances)}
INVAR
{newline.join(f"  (step = {name} -> {guard}) &" for name, guard in guards.items())}
  TRUE;
TRANS
{newline.join(f"  (step = {name} -> {effect}) &" for name, effect in moves)}
  TRUE;
INVARSPEC NAME agreement := {" & ".join(_agree(k, other) for k in range(clients) for other in range(k))};
"""
    parts = [_server(j, clients) for j in range(servers)]
    parts += [_client(k, clients, servers) for k in range(clients)]
    parts += [_channel(k, j, clients) for k, j in pairs]
    value = bits_of(clients + 1)
    bits = bits_of(len(names)) + servers * (value + 1)
    bits += clients * (2 + 2 + (servers + 1) * value) + len(pairs) * (2 + 4 + value)
    title = f"quorum{clients}{f'x{servers}' if servers != 2 else ''}{'_broken' if broken else ''}"
    command = f"quorum.py {clients}{f' --servers {servers}' if servers != 2 else ''}{' --broken' if broken else ''}"
    verdict = {"agreement": "violated" if broken else "holds"}
    return document(title, about, command, bits, verdict, "\n".join(parts) + main)


def _agree(one: int, other: int) -> str:
    return f"(c{one}.place = done & c{other}.place = done -> c{one}.choice = c{other}.choice)"


def _component(name: str, variables: str, start: str, ports: dict[str, str], moves: list[tuple[str, str]]) -> str:
    """``moves`` are interactions with what the component does in them; in all others it keeps its variables."""
    kept = [item.split(":")[0].strip() for item in variables.split(";") if item.strip()]
    still = " & ".join(f"next({variable}) = {variable}" for variable in kept)
    others = f"!(step in {{{', '.join(interaction for interaction, _ in moves)}}})"
    newline = "\n"
    return f"""
MODULE {name}(step)
VAR
  {variables}
  {" ".join(f"{port} : boolean;" for port in ports)}
INIT {start}
INVAR {" & ".join(f"({port} <-> {meaning})" for port, meaning in ports.items())}
TRANS
{newline.join(f"  (step = {interaction} & {effect}) |" for interaction, effect in moves)}
  ({others} & {still})
"""


def _server(j: int, clients: int) -> str:
    moves = [(f"serve_{k}_{j}", "TRUE") for k in range(clients)]
    return _component(f"Server{j}", f"value : 0..{clients};", "value = 0", {"up": "TRUE"}, moves)


def _channel(k: int, j: int, clients: int) -> str:
    ports = {
        "free": "place = empty",
        "asked": "place = request",
        "answered": "place = answer",
        "full": "place != empty",
    }
    moves = [
        (f"send_{k}_{j}", "next(place) = request"),
        (f"serve_{k}_{j}", "next(place) = answer"),
        (f"lose_{k}_{j}", "next(place) = empty & next(content) = 0"),
        (f"hear_{k}_{j}", "next(place) = empty & next(content) = 0"),
    ]
    variables = f"place : {{empty, request, answer}}; content : 0..{clients};"
    return _component(f"Channel{k}_{j}", variables, "place = empty & content = 0", ports, moves)


def _client(k: int, clients: int, servers: int) -> str:
    heard = [f"heard{j}" for j in range(servers)]
    same = " & ".join(["heard0 != 0", *(f"{name} = heard0" for name in heard[1:])])
    ports = {"asks": "place = asking", "agreed": f"(place = asking & {same})"}

    def kept(changed: str) -> str:
        return " & ".join(f"next({name}) = {name}" for name in ("place", "choice", *heard) if name != changed)

    moves = [(f"send_{k}_{j}", kept("")) for j in range(servers)]
    moves += [(f"hear_{k}_{j}", kept(f"heard{j}")) for j in range(servers)]
    stay = " & ".join(f"next({name}) = {name}" for name in heard)
    moves += [
        (f"decide_{k}", f"next(place) = done & next(choice) = heard0 & {stay}"),
        (f"leave_{k}", f"next(place) = gone & next(choice) = choice & {stay}"),
    ]
    variables = "place : {asking, done, gone}; " + " ".join(f"{name} : 0..{clients};" for name in ("choice", *heard))
    start = " & ".join(["place = asking", "choice = 0", *(f"{name} = 0" for name in heard)])
    return _component(f"Client{k}", variables, start, ports, moves)


if __name__ == "__main__":
    run(
        "Print the model quorum CLIENTS.",
        model,
        {
            "clients": (int, None, "clients, at least 2"),
            "servers": (int, 2, "servers, at least 2"),
            "broken": (bool, False, "servers forget the first value: the property is violated"),
        },
    )

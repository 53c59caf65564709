"""Clients that use a resource in turn, granted by a server; clients may fail when they start.

After CS1 and CSN of agar-lpts-2012, Table 1, whose files are lost: one client (``one``) or all of them (``all``)
fail with probability 1/10. A client that failed uses the resource without asking, once, and then tells the server
that it has finished; the server hears that while nobody has or wants the resource.
"""

from __future__ import annotations

import argparse
import sys

from document import document

FAILURE = "1/10"
WRONG_FAILURE = "1/20"


def system(clients: int, every: bool) -> str:
    """The server and the clients."""
    joint = _joint_states(clients, every)
    parts = "5^N, the clients" if every else "5*3^(N-1), the clients"
    about = (
        f"A server and {clients} clients that use a resource in turn; "
        f"{'every client' if every else 'client 1'} fails with probability {FAILURE} when it starts."
    )
    sizes = [
        f"the server (N+1)^2 = {(clients + 1) ** 2}, a client 3, one that can fail 5, {parts}, "
        f"the system {joint} states, for N = {clients}; all as in Table 1 of agar-lpts-2012",
    ]
    modules = [_server(clients)]
    for number in range(1, clients + 1):
        modules.append(_failing_client(number) if every or number == 1 else _client(number))
    return document(
        about, f"client_server.py {clients} --failing {'all' if every else 'one'}", sizes, "\n".join(modules)
    )


def specification(clients: int, every: bool, wrong: bool = False) -> str:
    """Which client has the resource, and which clients have failed; requests and denials are hidden."""
    failing = range(1, clients + 1) if every else range(1, 2)
    states = 3**clients + clients * 3 ** (clients - 1) if every else 3 * clients + 1
    law = "3^N + N*3^(N-1)" if every else "3N+1"
    failure = WRONG_FAILURE if wrong else FAILURE
    about = (
        f"One client at a time has the resource, and only clients that failed, with probability {failure}, use it "
        f"without having it. {'Wrong: they fail with probability ' + FAILURE + '. ' if wrong else ''}"
        "Requests and denials are hidden: they are not in the alphabet."
    )
    command = (
        f"client_server.py {clients} --failing {'all' if every else 'one'} --{'wrong' if wrong else 'specification'}"
    )
    lines = ["module specification", f"  holder : [0..{clients}];"]
    lines += [f"  f{k} : [0..2]; // not started, sound, failed" for k in failing]
    for k in range(1, clients + 1):
        sound, failed = (f" & f{k}=1", f"(holder=0 & f{k}=2)") if k in failing else ("", "")
        if failed:
            lines.append(f"  [start{k}] f{k}=0 -> 1-{failure} : (f{k}'=1) + {failure} : (f{k}'=2);")
            lines.append(f"  [use{k}] f{k}=2 -> true;")
            lines.append(f"  [cancel{k}] holder=0 & f{k}=2 -> (f{k}'=1);")
        lines.append(f"  [grant{k}] holder=0{sound} -> (holder'={k});")
        lines.append(f"  [use{k}] holder={k} -> true;")
        lines.append(f"  [cancel{k}] holder={k} -> (holder'=0);")
    lines.append("endmodule")
    return document(about, command, [f"{law} = {states} states, for N = {clients}"], "\n".join(lines))


def _command(clients: int, every: bool) -> str:
    return f"client_server.py {clients} --failing {'all' if every else 'one'}"


def _joint_states(clients: int, every: bool) -> int:
    if not every:
        return 4 * clients**2 - 2 * clients + 4
    n = clients
    # Nobody, one or two clients have to do with the server; each of the others is in one of four states.
    return 4**n + 2 * n * 4 ** (n - 1) + (n * (n - 1) * 4 ** (n - 2) if n > 1 else 0)


def _server(clients: int) -> str:
    lines = [
        "module server",
        "  s : [0..2]; // free, asked for, granted",
        f"  i : [0..{clients}]; // the client that asked for it or has it",
        f"  j : [0..{clients}]; // the client that has to be denied",
    ]
    for k in range(1, clients + 1):
        lines.append(f"  [cancel{k}] s=0 -> true; // of a client that had nothing")
        lines.append(f"  [request{k}] s=0 -> (s'=1) & (i'={k});")
        lines.append(f"  [grant{k}] s=1 & i={k} -> (s'=2);")
        lines.append(f"  [request{k}] s=2 & j=0 -> (j'={k});")
        lines.append(f"  [deny{k}] s=2 & j={k} -> (j'=0);")
        lines.append(f"  [cancel{k}] s=2 & i={k} & j=0 -> (s'=0) & (i'=0);")
    lines.append("endmodule\n")
    return "\n".join(lines)


def _client(number: int) -> str:
    k = number
    return f"""\
module client{k}
  c{k} : [0..2]; // idle, has asked, has the resource
  [request{k}] c{k}=0 -> (c{k}'=1);
  [deny{k}] c{k}=1 -> (c{k}'=0);
  [grant{k}] c{k}=1 -> (c{k}'=2);
  [use{k}] c{k}=2 -> true;
  [cancel{k}] c{k}=2 -> (c{k}'=0);
endmodule
"""


def _failing_client(number: int) -> str:
    k = number
    return f"""\
module client{k}
  c{k} : [0..4] init 3; // idle, has asked, uses the resource, not started, failed
  [start{k}] c{k}=3 -> 1-{FAILURE} : (c{k}'=0) + {FAILURE} : (c{k}'=4);
  [use{k}] c{k}=4 -> (c{k}'=2);
  [request{k}] c{k}=0 -> (c{k}'=1);
  [deny{k}] c{k}=1 -> (c{k}'=0);
  [grant{k}] c{k}=1 -> (c{k}'=2);
  [use{k}] c{k}=2 -> true;
  [cancel{k}] c{k}=2 -> (c{k}'=0);
endmodule
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="Print the client-server model CS1 or CSN, or its specification.")
    parser.add_argument("clients", type=int, help="how many clients, at least 1")
    parser.add_argument("--failing", choices=["one", "all"], default="one", help="which clients fail (CS1, CSN)")
    parser.add_argument("--specification", action="store_true", help="print the specification")
    parser.add_argument("--wrong", action="store_true", help="print a specification that is violated")
    arguments = parser.parse_args()
    if arguments.clients < 1:
        parser.error("at least 1 client is needed")
    every = arguments.failing == "all"
    if arguments.specification or arguments.wrong:
        sys.stdout.write(specification(arguments.clients, every, arguments.wrong))
    else:
        sys.stdout.write(system(arguments.clients, every))


if __name__ == "__main__":
    main()

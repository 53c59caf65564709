"""A snooping cache protocol with the states modified, shared and invalid, for any number of nodes.

Each node is a processor with a cache of one line; there are two memory addresses and one bus, which the
nodes use in turn. A node puts its pending command on the bus in its turn, all others snoop. It stands for the
family "msi" of the paper (FMSD 2008, section 7), but the protocol and its text are our own.
"""

from __future__ import annotations

from document import bits_of, document, run

NODE = """
MODULE Node(turn, command, address, data)
VAR
  request : {idle, load, store};      -- what the processor wants ..
  wanted : boolean;                   -- .. at which address
  line : {invalid, shared, modified};
  tag : boolean;
  value : boolean;
  pending : {none, fetch, own, evict};
DEFINE
  snooped := !turn & command in {fetch, own} & address = tag;
  hit := !snooped & tag = wanted & (request = load & line != invalid | request = store & line = modified);
  served := request = idle | hit;
  supplies := line = modified & tag = address;
  bus_command := pending;
  bus_address := pending = evict ? tag : wanted;
ASSIGN
  init(request) := idle;
  next(request) := served ? {idle, load, store} : request;
  init(wanted) := FALSE;
  next(wanted) := served ? {FALSE, TRUE} : wanted;
  init(pending) := none;
  next(pending) := case
    turn & pending != none : none;
    pending = evict & snooped : none;
    pending != none | served | snooped : pending;
    line = modified & tag != wanted : evict;
    request = store : own;
    TRUE : fetch;
  esac;
  init(line) := invalid;
  next(line) := case
    turn & pending = fetch : shared;
    turn & pending = own : modified;
    turn & pending = evict : invalid;
    snooped & command = own : @SNOOP@;
    snooped & line = modified : shared;
    TRUE : line;
  esac;
  init(tag) := FALSE;
  next(tag) := turn & pending in {fetch, own} ? wanted : tag;
  init(value) := FALSE;
  next(value) := case
    turn & pending in {fetch, own} : data;
    hit & request = store : {FALSE, TRUE};
    TRUE : value;
  esac;
"""


def model(nodes: int, broken: bool = False) -> str:
    """``nodes`` caches on one bus, at least 2; ``broken`` forgets to invalidate modified lines."""
    if nodes < 2:
        raise ValueError("a bus has at least 2 nodes")
    about = (
        f"a snooping cache protocol (modified, shared, invalid) with {nodes} nodes, two addresses, one bus whose "
        "turn goes round. A protocol of our own that stands for the msi models of the paper of 2008; the "
        "authors' files are lost. "
    )
    about += "Broken: a cache keeps its modified line when another node takes it over." if broken else ""
    instances = "\n".join(f"  n{k} : Node(turn = {k}, command, address, data);" for k in range(nodes))
    everyone = range(nodes)
    commands = " ".join(f"turn = {k} : n{k}.bus_command;" for k in everyone)
    addresses = " ".join(f"turn = {k} : n{k}.bus_address;" for k in everyone)
    suppliers = " ".join(f"n{k}.supplies : n{k}.value;" for k in everyone)
    owned = " | ".join(f"n{k}.supplies" for k in everyone)
    body = f"""
{NODE.replace("@SNOOP@", "line = modified ? modified : invalid" if broken else "invalid").strip()}

MODULE main
VAR
  turn : 0..{nodes - 1};
  memory : array 0..1 of boolean;
{instances}
DEFINE
  command := case {commands} esac;
  address := case {addresses} esac;
  owned := {owned};
  data := case {suppliers} address : memory[1]; TRUE : memory[0]; esac;
  written := command != none & owned; -- the owner's value goes to memory with every command on its line
ASSIGN
  init(turn) := 0;
  next(turn) := (turn + 1) mod {nodes};
  init(memory[0]) := FALSE;
  next(memory[0]) := written & !address ? data : memory[0];
  init(memory[1]) := FALSE;
  next(memory[1]) := written & address ? data : memory[1];
INVARSPEC NAME exclusive := !(n0.line = modified & n1.line = modified & n0.tag = n1.tag);
INVARSPEC NAME coherent := n0.line = shared & n1.line = shared & n0.tag = n1.tag -> n0.value = n1.value;
"""
    verdicts = {
        "exclusive": "violated" if broken else "holds",
        # two copies that differ take a third node, which shares with one of the two owners
        "coherent": "violated" if broken and nodes > 2 else "holds",
    }
    title = f"msi{nodes}{'_broken' if broken else ''}"
    command = f"msi.py {nodes}{' --broken' if broken else ''}"
    return document(title, about, command, 9 * nodes + bits_of(nodes) + 2, verdicts, body)


if __name__ == "__main__":
    run(
        "Print the model msi N.",
        model,
        {
            "nodes": (int, None, "nodes on the bus, at least 2"),
            "broken": (bool, False, "do not invalidate modified lines: the properties are violated"),
        },
    )

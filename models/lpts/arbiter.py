"""An arbiter that grants one of two resources to one of N users at a time, rescinds it, and resets users that fail.

After MER of agar-lpts-2012, Table 1, a module of NASA's software for Mars Exploration Rovers; the files are lost. All
parts fail with some probability: a user when it starts and while it uses a resource (then it does not answer until
it is reset), the arbiter when it tests itself and when it decides. A message that a resource is given back may get
lost; then the arbiter believes that the user still has it, until the user says that it has nothing, asks again or
is reset. Resources are used through the arbiter. Therefore the specification depends only on which of three classes a
user is in (it has a resource, it is stuck, neither), and an assumption can be small.
"""

from __future__ import annotations

from document import document, flags, run

FAILURE = "1/10"
# A user that got stuck does less than one that did not: only a specification that demands more of it is wrong.
WRONG_FAILURE = "1/5"
RESOURCES = (1, 2)

# What the arbiter does without a user, for one user (a holder or a requester), and for a holder and a requester.
PHASES = (
    *("boot", "ready", "failed", "recovering", "testing"),
    *("asked0", "checking", "refusing0", "granting"),
    *("held", "audit", "auditing", "suspect", "recalling0", "waiting0", "overdue0", "alarm", "stopping0"),
    *("log", "logged"),
    *("asked", "refusing", "recalling", "waiting", "overdue", "lost", "stopping"),
)


def system(users: int) -> str:
    """The arbiter and the users."""
    n = users
    arbiter = 24 * n**2 + 19 * n + 5
    joint = 5 * 5**n + 144 * n * 5 ** (n - 1) + (150 * n * (n - 1) * 5 ** (n - 2) if n > 1 else 0)
    about = f"An arbiter that grants one of two resources to one of {n} users at a time. {_FAILURES}"
    sizes = [
        f"the arbiter 24N^2+19N+5 = {arbiter}, a user 12, the system "
        f"5*5^N + 144N*5^(N-1) + 150N(N-1)*5^(N-2) = {joint} states, for N = {n}; for N = 3, 4, 5 these are the "
        "278, 465, 700 and (rounded) 16k, 120k, 841k of MER in Table 1 of agar-lpts-2012"
    ]
    modules = [_arbiter(n), *(_user(k) for k in range(1, n + 1))]
    return document(about, f"arbiter.py {n}", sizes, "\n".join([_constants(), *modules]))


def specification(users: int, wrong: bool) -> str:
    """Which client has a resource, and whether it got stuck; all that leads to a grant or a reset is not seen."""
    failure = WRONG_FAILURE if wrong else FAILURE
    about = (
        "One user at a time has a resource; while it uses it, it gets stuck with probability "
        f"{failure}{' (wrong: ' + FAILURE + ')' if wrong else ''}, and what it gives back gets lost with probability "
        f"{FAILURE}: then it has to say that it has nothing, be reset or get a resource again."
    )
    lines = [
        f"const double stuck = {failure};",
        f"const double lost = {FAILURE};",
        f"const double failure = {FAILURE};",
        "module specification",
        f"  holder : [0..{users}];",
        "  s : [0..2]; // without a holder: not tested, ready, failed; else: sound, stuck, has given back unheard",
        "  [test] holder=0 & s!=1 -> 1-failure : (s'=1) + failure : (s'=2);",
    ]
    for k in range(1, users + 1):
        lines.append(f"  [use{k}] holder={k} & s=0 -> 1-stuck : true + stuck : (s'=1);")
        lines.append(f"  [nothing{k}] holder={k} & s=2 -> (holder'=0) & (s'=1);")
        lines.append(f"  [reset{k}] holder={k} -> (holder'=0) & (s'=1);")
        for q in RESOURCES:
            lines.append(f"  [grant{k}_{q}] holder=0 & s=1 -> (holder'={k}) & (s'=0);")
            lines.append(f"  [grant{k}_{q}] holder={k} & s=2 -> (s'=0);")
            lines.append(f"  [cancel{k}_{q}] holder={k} & s=0 -> 1-lost : (holder'=0) & (s'=1) + lost : (s'=2);")
    lines.append("endmodule")
    command = f"arbiter.py {users}{flags(not wrong, wrong)}"
    return document(about, command, [f"3N+3 = {3 * users + 3} states, for N = {users}"], "\n".join(lines))


_FAILURES = (
    "A user may fail when it starts and get stuck while it uses a resource, the arbiter may fail its test and decide "
    "against the priorities, and the message that a resource is given back may get lost, each with probability 1/10."
)


def _constants() -> str:
    lines = [f"const double failure = {FAILURE};"]
    lines += [f"const int {name} = {number};" for number, name in enumerate(PHASES)]
    return "\n".join(lines) + "\n"


def _arbiter(users: int) -> str:
    lines = [
        "module arbiter",
        f"  phase : [0..{len(PHASES) - 1}];",
        f"  holder : [0..{users}];",
        "  has : [0..2]; // the resource that the holder has",
        f"  asker : [0..{users}];",
        "  wants : [0..2]; // the resource that the asker wants",
        "  [test] phase=boot | phase=testing -> 1-failure : (phase'=ready) + failure : (phase'=failed);",
        "  [recover] phase=failed -> (phase'=recovering);",
        "  [prepare] phase=recovering -> (phase'=testing);",
        "  // a request while no one has a resource",
        "  [check] phase=asked0 -> (phase'=checking);",
        "  [decide] phase=checking -> 1-failure : (phase'=granting) + failure : (phase'=refusing0);",
        "  // the holder is audited now and then; if it looks bad, its resource is called back or it is reset at once",
        "  [audit] phase=held -> (phase'=audit);",
        "  [read] phase=audit -> (phase'=auditing);",
        "  [judge] phase=auditing -> 1-failure : (phase'=held) + failure : (phase'=suspect);",
        "  [recall] phase=suspect -> (phase'=recalling0);",
        "  [alarm] phase=suspect -> (phase'=alarm) & (has'=0);",
        "  [log] phase=log -> (phase'=logged) & (has'=0);",
        "  [close] phase=logged -> (phase'=ready) & (holder'=0);",
        "  // a request while another user, or the asker itself, is believed to have a resource",
        "  [compare] phase=asked & asker<=holder -> 1-failure : (phase'=recalling) + failure : (phase'=refusing);",
        "  [compare] phase=asked & asker>holder -> failure : (phase'=recalling) + 1-failure : (phase'=refusing);",
        "  [own] phase=waiting & holder=asker -> (phase'=granting) & (holder'=0) & (has'=0);",
        "  [forget] phase=overdue -> (phase'=lost) & (has'=0);",
    ]
    for k in range(1, users + 1):
        lines.append(f"  [use{k}] holder={k} & has>0 -> true;")
        lines.append(f"  [nothing{k}] phase=held & holder={k} -> (phase'=log);")
        lines.append(f"  [silent{k}] phase=waiting0 & holder={k} -> (phase'=overdue0);")
        lines.append(f"  [silent{k}] phase=waiting & holder={k} & asker!={k} -> (phase'=overdue);")
        lines.append(f"  [reset{k}] (phase=overdue0 | phase=alarm) & holder={k} -> (phase'=stopping0) & (has'=0);")
        lines.append(f"  [reset{k}] phase=lost & holder={k} -> (phase'=stopping);")
        lines.append(f"  [restart{k}] phase=stopping0 & holder={k} -> (phase'=ready) & (holder'=0);")
        lines.append(f"  [restart{k}] phase=stopping & holder={k} -> (phase'=granting) & (holder'=0);")
        for q in RESOURCES:
            asks = f"asker={k} & wants={q}"
            done = "(asker'=0) & (wants'=0)"
            has = f"holder={k} & has={q}"
            free = "(holder'=0) & (has'=0)"
            lines += [
                f"  [request{k}_{q}] phase=ready -> (phase'=asked0) & (asker'={k}) & (wants'={q});",
                f"  [request{k}_{q}] phase=held -> (phase'=asked) & (asker'={k}) & (wants'={q});",
                f"  [grant{k}_{q}] phase=granting & {asks} -> (phase'=held) & (holder'={k}) & (has'={q}) & {done};",
                f"  [deny{k}_{q}] phase=refusing0 & {asks} -> (phase'=ready) & {done};",
                f"  [deny{k}_{q}] phase=refusing & {asks} -> (phase'=held) & {done};",
                f"  [rescind{k}_{q}] phase=recalling0 & {has} -> (phase'=waiting0);",
                f"  [rescind{k}_{q}] phase=recalling & {has} -> (phase'=waiting);",
                f"  [cancel{k}_{q}] phase=held & {has} -> 1-failure : (phase'=log) + failure : true;",
                f"  [cancel{k}_{q}] phase=waiting0 & {has} -> 1-failure : (phase'=log) + failure : true;",
                f"  [cancel{k}_{q}] phase=waiting & {has} -> 1-failure : (phase'=granting) & {free} + failure : true;",
            ]
    lines.append("endmodule\n")
    return "\n".join(lines)


def _user(number: int) -> str:
    k = number
    lines = [
        f"module user{k}",
        "  // starts, idle, about to ask for 1 or 2, failed, has asked for 1 or 2, uses 1 or 2,",
        "  // has to give back 1 or 2, stuck",
        f"  u{k} : [0..11];",
        f"  [start{k}] u{k}=0 -> 1-failure : (u{k}'=1) + failure : (u{k}'=4);",
        f"  [repair{k}] u{k}=4 -> (u{k}'=1);",
        f"  [choose{k}] u{k}=1 -> 1/2 : (u{k}'=2) + 1/2 : (u{k}'=3);",
        f"  [use{k}] u{k}>=7 & u{k}<=10 -> 1-failure : true + failure : (u{k}'=11);",
        f"  [nothing{k}] u{k}<=6 -> true;",
        f"  [silent{k}] u{k}<=4 | u{k}=11 -> true;",
        f"  [reset{k}] u{k}<=4 | u{k}=7 | u{k}=8 | u{k}=11 -> (u{k}'=11);",
        f"  [restart{k}] u{k}=11 -> (u{k}'=0);",
    ]
    for q in RESOURCES:
        lines += [
            f"  [request{k}_{q}] u{k}={1 + q} -> (u{k}'={4 + q});",
            f"  [grant{k}_{q}] u{k}={4 + q} -> (u{k}'={6 + q});",
            f"  [deny{k}_{q}] u{k}={4 + q} -> (u{k}'=1);",
            f"  [cancel{k}_{q}] u{k}={6 + q} | u{k}={8 + q} -> (u{k}'=0);",
            f"  [rescind{k}_{q}] u{k}={6 + q} -> (u{k}'={8 + q});",
            f"  [rescind{k}_{q}] u{k}<=6 | u{k}=11 -> true;",
        ]
    lines.append("endmodule\n")
    return "\n".join(lines)


if __name__ == "__main__":
    run("Print the arbiter model MER, or its specification.", system, specification)

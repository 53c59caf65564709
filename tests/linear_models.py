"""Random small models with one LTL property, as text: past operators, inputs, fairness, dead ends."""

from __future__ import annotations

import random

from symag.smv import read_text
from symag.smv.model.flat import FlatSystem


def linear_formula(chance: random.Random, atoms: list[str], temporal: int, *, future: str = "XFGUV") -> str:
    """A formula with at most so many temporal operators (a bounded one counts for its steps)."""
    if temporal == 0 or chance.random() < 0.1:
        kind = chance.choice(["atom", "atom", "not", "&", "|"])
        if kind == "atom":
            return chance.choice(atoms)
        if kind == "not":
            return f"!({chance.choice(atoms)})"
        return f"({chance.choice(atoms)} {kind} {chance.choice(atoms)})"
    kind = chance.choice([*future, *future, *"YZOHST", "not", "&", "|", "->", "<->", "xor", "bounded"])
    if kind == "bounded":
        low = chance.randint(0, min(1, temporal))
        high = chance.randint(low, temporal)
        inner = linear_formula(chance, atoms, temporal - high, future=future)
        return f"{chance.choice('FGOH')} [{low},{high}] ({inner})"
    if kind == "not":
        return f"!({linear_formula(chance, atoms, temporal, future=future)})"
    if kind in ("&", "|", "->", "<->", "xor"):
        split = chance.randint(0, temporal)
        left, right = (linear_formula(chance, atoms, part, future=future) for part in (split, temporal - split))
        if split < temporal - split and chance.random() < 0.5:
            # Equal sub-formulas share a variable of the tableau; ``X F g`` and ``Y O g`` have that of F g and O g.
            right = f"{chance.choice('XYZFH')} ({left})"
        return f"(({left}) {kind} ({right}))"
    if kind in "UVST":
        split = chance.randint(0, temporal - 1)
        left, right = (linear_formula(chance, atoms, part, future=future) for part in (split, temporal - 1 - split))
        return f"(({left}) {kind} ({right}))"
    return f"{kind} ({linear_formula(chance, atoms, temporal - 1, future=future)})"


def linear_model(chance: random.Random, *, temporal: int = 3, future: str = "XFGUV") -> str:
    """The text of a model with a handful of states and one LTLSPEC."""
    lines = ["MODULE main", "VAR a : boolean; b : boolean;"]
    now = ["a", "b"]
    if chance.random() < 0.5:
        lines.append("VAR x : 0..2;")
        now += ["x = 0", "x = 2"]
    with_inputs = list(now)
    if chance.random() < 0.5:
        lines.append("IVAR i : boolean;")
        with_inputs.append("i")
    if chance.random() < 0.15:
        lines.append("FROZENVAR f : boolean;")
        now.append("f")

    def condition(of: list[str]) -> str:
        first, second = chance.choice(of), chance.choice(of)
        return chance.choice([first, f"!({first})", f"({first}) & ({second})", f"({first}) | !({second})"])

    following = [*with_inputs, "next(a)", "!next(b)", "next(a) = b", *(["next(x) != x"] if "x = 0" in now else [])]
    for name in ("a", "b"):
        kind = chance.choice(["free", "next", "next", "choice"])
        if kind == "next":
            lines.append(f"ASSIGN next({name}) := {condition(with_inputs)};")
        elif kind == "choice":
            lines.append(
                f"ASSIGN next({name}) := case {condition(with_inputs)} : {name}; TRUE : {{TRUE, FALSE}}; esac;"
            )
    if "x = 0" in now and chance.random() < 0.6:
        lines.append("ASSIGN next(x) := case x < 2 : {x, x + 1}; TRUE : 0; esac;")
    if chance.random() < 0.5:
        lines.append(f"INIT {condition(now)}")
    if chance.random() < 0.15:
        lines.append(f"INVAR {condition(now)}")
    for _ in range(chance.choice([0, 1, 1, 2])):
        lines.append(f"TRANS ({condition(following)}) | ({condition(following)})")
    if chance.random() < 0.2:
        # Events that keep variables, as interleaved systems have them.
        kept = [f"{condition(with_inputs)} & next({name}) = {name}" for name in ("a", "b")]
        lines.append(f"TRANS ({kept[0]}) | ({kept[1]})")
    if chance.random() < 0.4:
        lines.append(f"JUSTICE {condition(with_inputs)}")
    if chance.random() < 0.2:
        lines.append(f"COMPASSION ({condition(with_inputs)}, {condition(with_inputs)})")
    atoms = [*with_inputs, *(["next(a)"] if chance.random() < 0.2 else [])]
    lines.append(f"LTLSPEC {linear_formula(chance, atoms, chance.randint(1, temporal), future=future)}")
    return "\n".join(lines) + "\n"


_TERMS = ("x", "!x", "y", "TRUE", "{TRUE, FALSE}", "x xor y", "i", "x | i")


def system_of(seed: int, stated: str) -> FlatSystem:
    """A model of four states, inputs, perhaps with fairness and constraints, and what is ``stated`` of it."""
    first, second, other = (_TERMS[seed >> 3 * k & 7] for k in range(3))
    flags = seed >> 9
    return read_text(
        "MODULE main VAR x : boolean; y : boolean; IVAR i : boolean; ASSIGN init(x) := FALSE; "
        f"next(x) := {first}; next(y) := {second};"
        + (f" JUSTICE {other.strip('{}').replace(',', ' |')};" if flags & 1 else "")
        + (" JUSTICE !y;" if flags & 2 else "")
        + (" TRANS x -> next(y) != y" if flags & 4 else "")
        + (" INVAR y -> x" if flags & 8 else "")
        + (" COMPASSION (x, y)" if flags & 16 else "")
        + f" {stated};"
    )

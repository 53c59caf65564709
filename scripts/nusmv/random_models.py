"""Random small SMV models for ``random_properties.py``, with properties that use most of the language.

No expression denotes an error: indices, divisors and shifts stay in range, every ``case`` is exhaustive.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

#: Declarations, each with the boolean atoms and the numbers that it adds; ``IVAR``s are in ``_INPUTS``.
_STATES = {
    "b": "b : boolean;",
    "c": "c : boolean;",
    "x": "x : 0..2;",
    "k": "k : 1..3;",
    "z": "z : -2..1;",
    "e": "e : {p, q, r, s};",
    "m": "m : array 0..2 of boolean;",
    "n": "n : array 1..3 of 0..2;",
    "w": "w : unsigned word[3];",
    "v": "v : signed word[3];",
}
_FROZEN = {"f": "f : boolean;", "g": "g : 0..2;"}
_INPUTS = {"i": "i : boolean;", "j": "j : 0..2;"}
_CHAINS = ("&", "|", "&", "|", "xor", "xnor")


@dataclass(frozen=True, slots=True)
class Writer:
    """Expressions over some variables; ``names`` are those in scope."""

    chance: random.Random
    names: frozenset[str]

    def condition(self, depth: int) -> str:
        """A boolean expression that always has a value."""
        kinds = ["atom", "atom", "not", "chain", "chain", "arrow", "choice", "case", "count"]
        kind = self.chance.choice(kinds) if depth else "atom"
        if kind == "atom":
            return self._atom(depth)
        below = [self.condition(depth - 1) for _ in range(self.chance.randint(2, 5))]
        match kind:
            case "not":
                return f"!({below[0]})"
            case "chain":
                operator = self.chance.choice(_CHAINS)
                return "(" + f" {operator} ".join(below) + ")"
            case "arrow":
                return f"({below[0]} {self.chance.choice(('->', '<->', '=', '!='))} {below[1]})"
            case "choice":
                return f"(({below[0]}) ? {below[1]} : {below[-1]})"
            case "count":
                return f"(count({', '.join(below)}) {self._comparison()} {self.chance.randint(0, 2)})"
        return self._exhaustive([f"({operand})" for operand in (below * 2)[:3]])

    def _exhaustive(self, values: Sequence[str]) -> str:
        """A ``case`` without TRUE whose conditions cover everything, if a variable makes that possible."""
        split = [name for name in ("x", "g", "j") if name in self.names]
        if not split:
            return f"case {self.number(0)} > 0 : {values[0]}; TRUE : {values[1]}; esac"
        name = self.chance.choice(split)
        return "case " + " ".join(f"{name} = {place} : {value};" for place, value in enumerate(values)) + " esac"

    def _atom(self, depth: int) -> str:
        return self.chance.choice(list(self._atoms(depth)))

    def _atoms(self, depth: int) -> Iterator[str]:
        """Every kind of atom that the variables allow."""
        has = self.names.__contains__
        yield from (name for name in ("b", "c", "f", "i") if has(name))
        compared = f"{self.number(depth)} {self._comparison()} {self.number(depth)}"
        yield f"({compared})"
        yield f"({self.number(depth)} in {self._numbers()})"
        if has("m"):
            yield f"m[{self.chance.randint(0, 2)}]"
            yield from (f"m[{name}]" for name in ("x", "g", "j") if has(name))
            yield from (f"m[{name} - 1]" for name in ("k",) if has(name))
        if has("e"):
            yield f"(e in {self._symbols()})"
            yield f"(e {self.chance.choice(('=', '!='))} {self.chance.choice('pqrs')})"
            yield f"({self._exhaustive([self._symbols() for _ in range(3)])} in {self._symbols()})"
        if has("w") or has("v"):
            yield from self._words()

    def _words(self) -> Iterator[str]:
        chance = self.chance
        if "w" in self.names:
            number = chance.randint(0, 7)
            yield f"(w {self._comparison()} 0ud3_{number})"
            yield f"(w[2:1] = 0ub2_{chance.choice(('00', '01', '10', '11'))})"
            yield "bool(w[0:0])"
            yield f"((w {chance.choice(('+', '-', '*', '&', '|', 'xor'))} 0ud3_{number}) = w)"
            yield from (f"((w {chance.choice(('<<', '>>'))} {name}) = w)" for name in ("x", "k") if name in self.names)
            yield f"(toint(w) {self._comparison()} {self.number(0)})"
        if "v" in self.names:
            yield f"(v {self._comparison()} 0sd3_{chance.randint(0, 3)})"
            yield f"(-v {self._comparison()} -0sd3_{chance.randint(0, 3)})"
            yield f"(extend(v, 1) {self._comparison()} 0sd4_{chance.randint(0, 7)})"
            if "w" in self.names:
                yield f"(unsigned(v) {self._comparison()} w)"
                yield f"((w :: unsigned(v)) {self._comparison()} 0ud6_{chance.randint(0, 63)})"

    def _comparison(self) -> str:
        return self.chance.choice(("=", "!=", "<", "<=", ">", ">="))

    def number(self, depth: int) -> str:
        """An integer expression that always has a value."""
        known = [*filter(self.names.__contains__, ("x", "k", "z", "g", "j"))]
        if "n" in self.names:
            known += ["n[2]", *(["n[k]"] if "k" in self.names else []), *(["n[x + 1]"] if "x" in self.names else [])]
        if not known or self.chance.random() < 0.15:
            return str(self.chance.randint(-2, 3))
        one, other = self.chance.choice(known), self.chance.choice(known)
        if not depth:
            return one
        kinds = [one, one, f"({one} + {other})", f"({one} - {other} - 1)", f"({one} * {other})", f"abs({one} - 2)"]
        kinds += [f"max({one}, {other})", f"-({one})", f"({self._exhaustive((one, other, '1'))})"]
        if "k" in self.names:
            kinds += [f"({one} mod k)", f"({one} / k)"]
        return self.chance.choice(kinds)

    def _numbers(self) -> str:
        low = self.chance.randint(-3, 2)
        constants = ", ".join(map(str, self.chance.sample(range(-2, 4), 3)))
        values = f"({low}..{low + self.chance.randint(1, 3)})"
        return self.chance.choice((f"{{{constants}}}", values, f"{{{self.number(0)}, 1}}"))

    def _symbols(self) -> str:
        chosen = self.chance.sample("pqrs", self.chance.randint(2, 4))
        return self.chance.choice((f"{{{', '.join(chosen)}}}", f"({{{chosen[0]}}} union {chosen[1]})"))

    def linear(self, temporal: int, following: Writer | None) -> str:
        """An LTL formula with at most this many temporal operators; ``following`` writes the operand of ``next``."""
        chance = self.chance
        if temporal == 0 or chance.random() < 0.1:
            if following is not None and chance.random() < 0.15:
                return f"next({following.condition(1)})"
            return self.condition(chance.randint(0, 1))
        kind = chance.choice([*"XFGUVXFGU", *"YZOHST", "not", "&", "|", "->", "<->", "bounded", "same"])
        if kind == "bounded":
            low, length = chance.randint(0, 1), chance.randint(0, 2)
            return f"{chance.choice('FGOH')} [{low},{low + length}] ({self.linear(temporal - 1, following)})"
        if kind == "same":
            again = self.linear(temporal - 1, following)
            return f"(({again}) {chance.choice(('->', 'U', 'S'))} {chance.choice('XYOF')} ({again}))"
        if kind == "not":
            return f"!({self.linear(temporal, following)})"
        if kind in "UVST" or kind in ("&", "|", "->", "<->"):
            split = chance.randint(0, temporal - 1)
            left, right = self.linear(split, following), self.linear(temporal - 1 - split, following)
            return f"(({left}) {kind} ({right}))"
        return f"{kind} ({self.linear(temporal - 1, following)})"

    def branching(self, temporal: int) -> str:
        """A CTL formula with at most this many temporal operators."""
        chance = self.chance
        if temporal == 0:
            return self.condition(1)
        kind = chance.choice(("AG", "AF", "AX", "EG", "EF", "EX", "A", "E", "!", "&", "->", "EBF", "ABG"))
        if kind in ("A", "E"):
            split = chance.randint(0, temporal - 1)
            return f"{kind} [ {self.branching(split)} U {self.branching(temporal - 1 - split)} ]"
        if kind in ("&", "->"):
            return f"(({self.branching(temporal - 1)}) {kind} ({self.branching(temporal - 1)}))"
        bounds = f" {chance.randint(0, 1)}..{chance.randint(1, 3)}" if kind in ("EBF", "ABG") else ""
        return f"{kind}{bounds} ({self.branching(temporal - 1)})"


def model(seed: int) -> str:
    """The text of a model with a few hundred states and seven properties."""
    chance = random.Random(seed)
    states = frozenset(chance.sample(sorted(_STATES), chance.randint(2, 4)))
    frozen = frozenset(name for name in _FROZEN if chance.random() < 0.25)
    inputs = frozenset(name for name in _INPUTS if chance.random() < 0.25)
    lines = ["MODULE main"]
    lines += [f"VAR {_STATES[name]}" for name in sorted(states)]
    lines += [f"FROZENVAR {_FROZEN[name]}" for name in sorted(frozen)]
    lines += [f"IVAR {_INPUTS[name]}" for name in sorted(inputs)]
    of_states, everything = Writer(chance, states | frozen), Writer(chance, states | frozen | inputs)
    lines += [f"DEFINE {name} := {of_states.condition(1)};" for name in ("d1", "d2")]
    lines += list(_assignments(chance, everything, states))
    if chance.random() < 0.2:
        lines.append(f"INIT {of_states.condition(1)};")
    if chance.random() < 0.2:
        lines.append(f"TRANS {everything.condition(1)} | next({of_states.condition(1)});")
    if chance.random() < 0.25:
        lines.append(f"JUSTICE {of_states.condition(1)};")
    if chance.random() < 0.1:
        lines.append(f"COMPASSION ({of_states.condition(1)}, {of_states.condition(1)});")
    for _ in range(4):
        lines.append(f"LTLSPEC {everything.linear(chance.randint(1, 6), of_states)};")
    lines.append(f"CTLSPEC {of_states.branching(chance.randint(1, 3))};")
    lines.append(f"INVARSPEC {of_states.condition(2)};")
    lines.append(f"INVARSPEC ({everything.condition(1)}) -> next({of_states.condition(1)} | d1);")
    return "\n".join(lines) + "\n"


def _assignments(chance: random.Random, expressions: Writer, states: frozenset[str]) -> Iterator[str]:
    """Some variables are free, others depend on the state; no value leaves its range."""
    for name in sorted(states & {"b", "c", "x", "e", "w"}):
        if chance.random() < 0.3:
            continue
        if chance.random() < 0.5:
            yield f"ASSIGN init({name}) := {({'b': 'FALSE', 'c': 'TRUE', 'x': '0', 'e': 'p', 'w': '0ud3_0'})[name]};"
        one, other = expressions.condition(1), expressions.condition(1)
        match name:
            case "x":
                values = "case x < 2 : x + 1; TRUE : 0; esac", "{x, 0}"
            case "e":
                values = "case e = p : q; e = q : {r, s}; TRUE : p; esac", "e"
            case "w":
                values = "w + 0ud3_1", "w"
            case _:
                values = other, f"{{TRUE, {name}}}"
        yield f"ASSIGN next({name}) := case {one} : {values[0]}; TRUE : {values[1]}; esac;"

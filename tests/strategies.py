"""Random small SMV models, as text: what the differential tests of all methods feed on.

``models()`` draws a text with one ``INVARSPEC p`` and one ``SPEC AG p`` for each of a few p. Every model
is accepted by NuSMV: no value leaves its range, every case ends in TRUE, no definition is circular. With
``total=True`` every state has a successor (assignments only).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st

from symag.core.values import replace

ENUMERATION = ("red", "green", "blue")


@dataclass(frozen=True)
class Declared:
    """A variable in scope: its name as text, its type's text and its class of type."""

    name: str
    sort: str  # boolean, range, enumeration, unsigned, signed
    type_text: str
    low: int = 0
    high: int = 0
    width: int = 0
    values: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The number of values."""
        return {
            "boolean": 2,
            "range": self.high - self.low + 1,
            "enumeration": len(self.values),
        }.get(self.sort, 1 << self.width)


@dataclass(frozen=True)
class Scope:
    """What an expression may read: variables, boolean and integer defines, and texts under ``next``."""

    variables: tuple[Declared, ...] = ()
    conditions: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    following: tuple[Declared, ...] = ()

    def of_sort(self, sort: str) -> list[Declared]:
        """The variables of one sort; those under ``next`` are spelt so."""
        return [item for item in self.variables if item.sort == sort] + [
            replace(item, name=f"next({item.name})") for item in self.following if item.sort == sort
        ]


@dataclass
class Model:
    """The sections of a module, as texts."""

    lines: list[str] = field(default_factory=list)
    assigns: list[str] = field(default_factory=list)


def _choose(draw, *options):
    return draw(st.sampled_from(options))


def _chance(draw, percent: int) -> bool:
    return draw(st.integers(0, 99)) < percent


def declaration(draw, name: str, *, largest: int = 4, sorts: tuple[str, ...] | None = None) -> Declared:
    """A variable of a random type with at most ``largest`` values."""
    sort = _choose(draw, *(sorts or ("boolean", "boolean", "range", "range", "enumeration", "unsigned", "signed")))
    if sort == "boolean":
        return Declared(name, sort, "boolean")
    if sort == "range":
        low = draw(st.integers(-2, 2))
        high = low + draw(st.integers(0, largest - 1))
        return Declared(name, sort, f"{low}..{high}", low, high)
    if sort == "enumeration":
        count = draw(st.integers(1, 3))
        names = ENUMERATION[:count]
        if _chance(draw, 25):
            names = (*names[:-1], str(draw(st.integers(0, 3))))  # a mixed enumeration
        if _chance(draw, 15):
            names = tuple(str(draw(st.integers(0, 2)) + 3 * place) for place in range(count))  # numbers with gaps
        return Declared(name, sort, "{" + ", ".join(names) + "}", values=names)
    width = draw(st.integers(1, 2))
    return Declared(name, sort, f"{sort} word[{width}]", width=width)


def condition(draw, scope: Scope, depth: int) -> str:
    """A boolean expression."""
    leaves = ["constant"]
    if scope.of_sort("boolean") or scope.conditions:
        leaves += ["boolean"] * 3
    if scope.of_sort("range") or scope.numbers:
        leaves += ["number"] * 2
    if scope.of_sort("enumeration"):
        leaves += ["enumeration"] * 2
    if scope.of_sort("unsigned") or scope.of_sort("signed"):
        leaves += ["word"]
    inner = ["not", "&", "|", "xor", "xnor", "->", "<->", "=", "case", "?", "next"] if depth > 0 else []
    kind = _choose(draw, *leaves, *inner)
    if kind == "next" and scope.following and depth > 0:
        whole = replace(scope, variables=scope.following, following=(), conditions=(), numbers=())
        return f"next({condition(draw, whole, depth - 1)})"
    match kind:
        case "constant" | "next":
            return _choose(draw, "TRUE", "FALSE")
        case "boolean":
            return _choose(draw, *[item.name for item in scope.of_sort("boolean")], *scope.conditions)
        case "number":
            operator = _choose(draw, "=", "!=", "<", "<=", ">", ">=")
            if _chance(draw, 20):
                return f"({number(draw, scope, depth - 1)} in {_numbers(draw)})"
            return f"({number(draw, scope, depth - 1)} {operator} {number(draw, scope, depth - 1)})"
        case "enumeration":
            chosen = _choose(draw, *scope.of_sort("enumeration"))
            if _chance(draw, 30):
                picked = draw(st.lists(st.sampled_from(chosen.values), min_size=1, max_size=2, unique=True))
                return f"({chosen.name} in {{{', '.join(picked)}}})"
            return f"({chosen.name} {_choose(draw, '=', '!=')} {_choose(draw, *chosen.values)})"
        case "word":
            return _word_condition(draw, scope, depth)
        case "not":
            return f"!({condition(draw, scope, depth - 1)})"
        case "case":
            first, second = condition(draw, scope, depth - 1), condition(draw, scope, depth - 1)
            return f"case {first} : {second}; TRUE : {condition(draw, scope, depth - 1)}; esac"
        case "?":
            first, second = condition(draw, scope, depth - 1), condition(draw, scope, depth - 1)
            return f"(({first}) ? ({second}) : ({condition(draw, scope, depth - 1)}))"
        case operator:
            return f"(({condition(draw, scope, depth - 1)}) {operator} ({condition(draw, scope, depth - 1)}))"


def _numbers(draw) -> str:
    found = draw(st.lists(st.integers(-2, 4), min_size=1, max_size=3, unique=True))
    return "{" + ", ".join(map(str, found)) + "}"


def number(draw, scope: Scope, depth: int) -> str:
    """An integer expression; divisors are constants other than zero."""
    atoms = [item.name for item in scope.of_sort("range")] + list(scope.numbers)
    if depth <= 0 or _chance(draw, 40):
        if atoms and _chance(draw, 75):
            return _choose(draw, *atoms)
        return str(draw(st.integers(-2, 4)))
    kind = _choose(draw, "+", "-", "*", "/", "mod", "negate", "abs", "min", "max", "case", "count", "toint")
    match kind:
        case "/" | "mod":
            return f"({number(draw, scope, depth - 1)} {kind} {_choose(draw, '2', '3', '(-2)')})"
        case "negate":
            return f"(- ({number(draw, scope, depth - 1)}))"
        case "abs":
            return f"abs({number(draw, scope, depth - 1)})"
        case "min" | "max":
            return f"{kind}({number(draw, scope, depth - 1)}, {number(draw, scope, depth - 1)})"
        case "case":
            first = condition(draw, scope, depth - 1)
            return f"case {first} : {number(draw, scope, depth - 1)}; TRUE : {number(draw, scope, depth - 1)}; esac"
        case "count":
            return f"count({condition(draw, scope, depth - 1)}, {condition(draw, scope, depth - 1)})"
        case "toint":
            words = scope.of_sort("unsigned") + scope.of_sort("signed")
            inside = _choose(draw, *words).name if words and _chance(draw, 60) else condition(draw, scope, depth - 1)
            return f"toint({inside})"
        case operator:
            return f"({number(draw, scope, depth - 1)} {operator} {number(draw, scope, depth - 1)})"


def word(draw, scope: Scope, sort: str, width: int, depth: int) -> str:
    """A word expression of exactly the given sort and width."""
    atoms = [item for item in scope.of_sort(sort) if item.width == width]
    if depth <= 0 or _chance(draw, 30):
        if atoms and _chance(draw, 80):
            return _choose(draw, *atoms).name
        digits = "".join(_choose(draw, "0", "1") for _ in range(width))
        return f"0{sort[0]}b{width}_{digits}"

    def again() -> str:
        return word(draw, scope, sort, width, depth - 1)

    kind = _choose(
        draw, "+", "-", "*", "/", "mod", "&", "|", "xor", "!", "-1", "<<", ">>", "convert", "resize", "case", "::"
    )
    match kind:
        case "/" | "mod":
            return f"({again()} {kind} 0{sort[0]}b{width}_{'1'.rjust(width, '0')})"
        case "!":
            return f"(! {again()})"
        case "-1":
            return f"(- {again()})"
        case "<<" | ">>":
            return f"({again()} {kind} {draw(st.integers(0, width))})"
        case "convert":
            other = "signed" if sort == "unsigned" else "unsigned"
            return f"{sort}({word(draw, scope, other, width, depth - 1)})"
        case "resize":
            return f"resize({word(draw, scope, sort, draw(st.integers(1, 3)), depth - 1)}, {width})"
        case "case":
            return f"case {condition(draw, scope, depth - 1)} : {again()}; TRUE : {again()}; esac"
        case "::":
            if width == 1:
                bit = word(draw, scope, sort, 2, depth - 1)
                place = draw(st.integers(0, 1))
                selected = f"({bit})[{place}:{place}]"
            else:
                left = word(draw, scope, _choose(draw, "signed", "unsigned"), width - 1, depth - 1)
                selected = f"({left} :: word1({condition(draw, scope, depth - 1)}))"
            return selected if sort == "unsigned" else f"signed({selected})"
        case operator:
            return f"({again()} {operator} {again()})"


def _word_condition(draw, scope: Scope, depth: int) -> str:
    chosen = _choose(draw, *scope.of_sort("unsigned"), *scope.of_sort("signed"))
    left = word(draw, scope, chosen.sort, chosen.width, depth - 1)
    if chosen.width == 1 and chosen.sort == "unsigned" and _chance(draw, 30):
        return f"bool({left})"
    right = word(draw, scope, chosen.sort, chosen.width, depth - 1)
    return f"({left} {_choose(draw, '=', '!=', '<', '<=', '>', '>=')} {right})"


def assigned(draw, target: Declared, scope: Scope, depth: int) -> str:
    """An expression, possibly a set, all of whose values the target can take."""
    if depth > 0 and _chance(draw, 25):
        return f"case {condition(draw, scope, 1)} : {assigned(draw, target, scope, depth - 1)}; " + (
            f"TRUE : {assigned(draw, target, scope, depth - 1)}; esac"
        )
    same = [item.name for item in scope.of_sort(target.sort) if item.type_text == target.type_text]
    if same and _chance(draw, 25):
        return _choose(draw, *same)
    match target.sort:
        case "boolean":
            return "{TRUE, FALSE}" if _chance(draw, 20) else condition(draw, scope, depth)
        case "enumeration":
            picked = draw(st.lists(st.sampled_from(target.values), min_size=1, max_size=3, unique=True))
            if len(picked) == 2 and _chance(draw, 40):
                return f"({picked[0]} union {picked[1]})"
            return picked[0] if len(picked) == 1 else "{" + ", ".join(picked) + "}"
        case "range":
            if _chance(draw, 40):
                found = draw(st.lists(st.integers(target.low, target.high), min_size=1, max_size=3, unique=True))
                return str(found[0]) if len(found) == 1 else "{" + ", ".join(map(str, found)) + "}"
            wanted = number(draw, scope, depth)
            default = draw(st.integers(target.low, target.high))
            return f"case {wanted} >= {target.low} & {wanted} <= {target.high} : {wanted}; TRUE : {default}; esac"
        case _:
            return word(draw, scope, target.sort, target.width, depth)


def _assign_all(draw, model: Model, owned: list[Declared], scope: Scope, free: Scope, depth: int) -> None:
    """Assignments to owned variables; earlier ones may be read where order matters (no circles)."""
    for place, target in enumerate(owned):
        if target.size == 1:
            continue  # NuSMV refuses assignments to variables with one value
        earlier = Scope(variables=(*scope.variables, *owned[:place]))
        kind = _choose(draw, "none", "both", "both", "both", "both", "next", "init", "current")
        if kind == "current":
            model.assigns.append(f"{target.name} := {assigned(draw, target, earlier, depth)};")
        if kind in ("both", "init"):
            model.assigns.append(f"init({target.name}) := {assigned(draw, target, earlier, 1)};")
        if kind in ("both", "next"):
            reading = replace(free, following=earlier.variables if _chance(draw, 30) else ())
            model.assigns.append(f"next({target.name}) := {assigned(draw, target, reading, depth)};")


@st.composite
def models(
    draw,
    *,
    total: bool = False,
    inputs: bool = True,
    frozen: bool = True,
    hierarchy: bool = True,
    processes: bool = True,
    fairness: bool = True,
    largest: int = 128,
    properties: int = 2,
    least: int = 1,
) -> str:
    """A model's text. ``largest`` bounds the number of type-correct states (not counting inputs); ``least`` is
    how many state variables main declares as far as that bound allows."""
    main = Model()
    budget = largest
    state: list[Declared] = []
    for place in range(draw(st.integers(least, max(least, 4)))):
        new = declaration(draw, f"v{place}")
        if new.size <= budget:
            budget //= new.size
            state.append(new)
    constants: list[Declared] = []
    if frozen and budget >= 2 and _chance(draw, 25):
        constants = [declaration(draw, "f0", largest=2, sorts=("boolean", "range"))]
        budget //= constants[0].size
    free: list[Declared] = []
    if inputs and _chance(draw, 40):
        free = [
            declaration(draw, f"i{place}", largest=2, sorts=("boolean", "boolean", "range"))
            for place in range(draw(st.integers(1, 2)))
        ]
    for keyword, group in (("VAR", state), ("FROZENVAR", constants), ("IVAR", free)):
        if group:
            main.lines.append(f"{keyword} " + " ".join(f"{item.name} : {item.type_text};" for item in group))
    modules: list[str] = []
    children: list[Declared] = []
    running: list[str] = []
    if hierarchy and budget >= 2 and _chance(draw, 35):
        as_process = processes and _chance(draw, 40)
        child, modules, children, running = _submodules(draw, [*state, *constants], budget, as_process, main)
        main.lines.extend(child)
    readable = (*constants, *state, *children)
    scope = Scope(variables=readable)
    conditions, numbers = [], []
    if _chance(draw, 50):
        conditions.append("d0")
        main.lines.append(f"DEFINE d0 := {condition(draw, scope, 2)};")
    if _chance(draw, 30):
        numbers.append("d1")
        main.lines.append(f"DEFINE d1 := {number(draw, replace(scope, conditions=tuple(conditions)), 2)};")
    scope = replace(scope, conditions=tuple(conditions), numbers=tuple(numbers))
    with_inputs = replace(scope, variables=(*readable, *free))
    if not running:
        _assign_all(draw, main, state, Scope(variables=tuple(constants)), with_inputs, 2)
    else:
        for target in state:
            if target.size > 1 and _chance(draw, 60):
                main.assigns.append(f"init({target.name}) := {assigned(draw, target, Scope(), 1)};")
    if main.assigns:
        main.lines.append("ASSIGN " + " ".join(main.assigns))
    if _chance(draw, 30):
        main.lines.append(f"INIT {condition(draw, scope, 2)}")
    if not total:
        if _chance(draw, 20):
            main.lines.append(f"INVAR {condition(draw, scope, 2)}")
        if _chance(draw, 40):
            both = replace(with_inputs, following=readable)
            main.lines.append(f"TRANS {condition(draw, both, 3)}")
    if fairness and _chance(draw, 40):
        main.lines.append(f"{_choose(draw, 'FAIRNESS', 'JUSTICE')} {condition(draw, scope, 2)}")
        if running and _chance(draw, 50):
            main.lines.append(f"FAIRNESS {_choose(draw, *running)}.running")
    for _ in range(properties):
        wanted = condition(draw, scope, 3)
        main.lines.append(f"INVARSPEC {wanted}")
        main.lines.append(f"SPEC AG ({wanted})")
    return "\n".join(["MODULE main", *main.lines, *modules]) + "\n"


def _submodules(
    draw, outer: list[Declared], budget: int, as_process: bool, main: Model
) -> tuple[list[str], list[str], list[Declared], list[str]]:
    """One or two instances of a module whose parameter is an expression or (for a process) a variable."""
    booleans = [item for item in outer if item.sort == "boolean" and item.name.startswith("v")]
    local = declaration(draw, "own", largest=2, sorts=("boolean", "range"))
    if as_process and not booleans:
        as_process = False
    count = 2 if budget >= local.size * local.size and _chance(draw, 50) else 1
    parameter = Declared("given", "boolean", "boolean")
    body = Model()
    scope = Scope(variables=(parameter, local))
    _assign_all(draw, body, [local], Scope(), scope, 2)
    if as_process:
        body.assigns.append(f"next(given) := {assigned(draw, parameter, scope, 2)};")
    text = ["MODULE cell(given)", f"VAR own : {local.type_text};"]
    if _chance(draw, 30):
        text.append(f"DEFINE seen := {condition(draw, scope, 1)};")
    if body.assigns:
        text.append("ASSIGN " + " ".join(body.assigns))
    lines, declared, running = [], [], []
    shared = _choose(draw, *booleans).name if booleans else "TRUE"
    for place in range(count):
        actual = shared if as_process else condition(draw, Scope(variables=tuple(outer)), 1)
        lines.append(f"VAR c{place} : {'process ' if as_process else ''}cell({actual});")
        declared.append(replace(local, name=f"c{place}.own"))
        running += [f"c{place}"] if as_process else []
    return lines, text, declared, running

"""Random CTL properties over the conditions of random models."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.strategies import models


@st.composite
def formulas(draw, conditions: list[str], depth: int) -> str:
    """A CTL formula's text."""
    operators = ["!", "&", "|", "->", "<->", "xor", "EX", "AX", "EF", "AF", "EG", "AG", "EU", "AU"]
    operators += ["EBF", "ABF", "EBG", "ABG", "EBU", "ABU"]
    if depth == 0 or draw(st.integers(0, 9)) == 0:
        return f"({draw(st.sampled_from(conditions))})"

    def again() -> str:
        return draw(formulas(conditions, depth - 1))

    operator = draw(st.sampled_from(operators))
    low = draw(st.integers(0, 2))
    bounds = f"{low}..{low + draw(st.integers(0, 2))}"
    match operator:
        case "!" | "EX" | "AX" | "EF" | "AF" | "EG" | "AG":
            return f"{operator} ({again()})"
        case "EU" | "AU":
            return f"{operator[0]} [{again()} U {again()}]"
        case "EBU" | "ABU":
            return f"{operator[0]} [{again()} BU {bounds} {again()}]"
        case "EBF" | "ABF" | "EBG" | "ABG":
            return f"{operator} {bounds} ({again()})"
    return f"({again()} {operator} {again()})"


@st.composite
def ctl_models(draw, *, count: int = 3, depth: int = 3, compute: bool = False, largest: int = 48) -> str:
    """A model with CTL (or COMPUTE) properties instead of its own; often with constraints of fairness."""
    text = draw(models(properties=3, largest=largest))
    lines = text.splitlines()
    conditions = [line.removeprefix("INVARSPEC ") for line in lines if line.startswith("INVARSPEC ")] + ["TRUE"]
    kept = [line for line in lines if not line.startswith(("INVARSPEC", "SPEC"))]
    often = list(conditions)
    declared = next((line for line in kept if line.startswith("IVAR")), "")
    often += [name for name in ("i0", "i1") if f"{name} : boolean" in declared]
    added = []
    for _ in range(draw(st.integers(0, 2))):
        if draw(st.booleans()):
            added.append(f"JUSTICE {draw(st.sampled_from(often))}")
        else:
            added.append(f"COMPASSION ({draw(st.sampled_from(often))}, {draw(st.sampled_from(often))})")
    for _ in range(count):
        if compute:
            start, final = draw(formulas(conditions, 1)), draw(formulas(conditions, 1))
            added.append(f"COMPUTE {draw(st.sampled_from(['MIN', 'MAX']))} [{start}, {final}]")
        else:
            added.append(f"SPEC {draw(formulas(conditions, depth))}")
    return "\n".join([kept[0], *added, *kept[1:]]) + "\n"


@st.composite
def transition_models(draw, *, count: int = 3) -> str:
    """A model with INVARSPECs that read the next state or inputs."""
    text = draw(models(properties=3, largest=48))
    lines = text.splitlines()
    conditions = [line.removeprefix("INVARSPEC ") for line in lines if line.startswith("INVARSPEC ")]
    kept = [line for line in lines if not line.startswith(("INVARSPEC", "SPEC"))]
    declared = next((line for line in kept if line.startswith("IVAR")), "")
    read = [f"({each})" for each in conditions] + [f"next({each})" for each in conditions]
    read += [name for name in ("i0", "i1") if f"{name} : boolean" in declared]
    added = []
    for _ in range(count):
        first, second, third = (draw(st.sampled_from(read)) for _ in range(3))
        operators = st.sampled_from(("&", "|", "->", "xor"))
        added.append(f"INVARSPEC ({first} {draw(operators)} next({draw(st.sampled_from(conditions))}))")
        added.append(f"INVARSPEC (({first} {draw(operators)} {second}) {draw(operators)} {third})")
    return "\n".join([kept[0], *added, *kept[1:]]) + "\n"

"""Coupled flippers: rings of modules whose bits flip in pairs, unless a neighbour's parity is odd.

Every module keeps the number of its set bits even as long as its neighbour does: a step flips two bits
that follow each other in the module's own order, at a free index that all share; a module that sees an odd
neighbour flips only one of them. The cone of influence of the property is the whole system, and the
different orders of the modules make the joint reachable sets hard for BDDs. One part at a time is easy:
the assumption that the neighbour is even is enough.
"""

from __future__ import annotations

from document import bits_of, document, run


def model(size: int, modules: int = 2, broken: bool = False) -> str:
    """``size`` bits in each of ``modules`` modules; ``broken`` starts the last module with an odd number."""
    if size < 4 or modules < 2:
        raise ValueError("at least 4 bits in at least 2 modules")
    about = (
        f"a ring of {modules} modules of {size} bits that flip in pairs, each in an order of its own, at a free index "
        "that all share; a module whose neighbour is odd flips one bit of the pair only. The cone of influence is "
        "the whole system. "
    )
    about += "Broken: the last module starts odd." if broken else "Every module stays even."
    parts = [_module(j, size, broken and j == modules - 1) for j in range(modules)]
    instances = "\n".join(f"  p{j} : Flipper{j}(p{(j + 1) % modules}.odd, i);" for j in range(modules))
    body = (
        "\n".join(parts)
        + f"""
MODULE main
VAR
  i : 0..{size - 2};
{instances}
INVARSPEC NAME even := !p0.odd;
"""
    )
    title = f"parity{size}{f'x{modules}' if modules != 2 else ''}{'_broken' if broken else ''}"
    verdict = "violated" if broken else "holds"
    command = f"parity.py {size}{f' --modules {modules}' if modules != 2 else ''}{' --broken' if broken else ''}"
    return document(title, about, command, size * modules + bits_of(size - 1), {"even": verdict}, body)


def order(j: int, size: int) -> list[int]:
    """The order in which module ``j`` arranges the indices 0 .. size - 2: as they are, or shuffled in a fixed way."""
    if j == 0:
        return list(range(size - 1))
    return sorted(range(size - 1), key=lambda k: ((7919 * (k + 3 * j) ** 2 + 4700 * j * (k + 1)) % 10007, k))


def _module(j: int, size: int, odd: bool) -> str:
    position = order(j, size)
    lines = []
    for k in range(size):
        flips = [f"i = {position[k]}"] if k < size - 1 else []
        flips += [f"i = {position[k - 1]} & !bad"] if k > 0 else []
        lines.append(f"  init(b[{k}]) := {'TRUE' if odd and k == 0 else 'FALSE'};")
        lines.append(f"  next(b[{k}]) := b[{k}] xor ({' | '.join(flips)});")
    newline = "\n"
    return f"""
MODULE Flipper{j}(bad, i)
VAR
  b : array 0..{size - 1} of boolean;
DEFINE
  odd := {" xor ".join(f"b[{k}]" for k in range(size))};
ASSIGN
{newline.join(lines)}
"""


if __name__ == "__main__":
    run(
        "Print the model parity SIZE.",
        model,
        {
            "size": (int, None, "bits of a module, at least 4"),
            "modules": (int, 2, "modules in the ring, at least 2"),
            "broken": (bool, False, "start the last module odd: the property is violated"),
        },
    )

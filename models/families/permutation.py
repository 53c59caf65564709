"""Coupled arrays whose neighbours are swapped, but copied while the other array holds a value twice.

Every array stays a permutation as long as its neighbour does. The cone of influence is the whole system,
and unlike in "parity" a single part is hard already: the sets of permutations have large BDDs.
"""

from __future__ import annotations

from document import bits_of, document, run
from parity import order


def model(size: int, modules: int = 2, broken: bool = False) -> str:
    """``size`` elements in each of ``modules`` arrays; ``broken`` starts the last array with a value twice."""
    if not 3 <= size <= 16 or modules < 2:
        raise ValueError("3 to 16 elements in at least 2 arrays")
    about = (
        f"{modules} arrays of {size} elements; at a free index that all share two neighbours are swapped, in an order "
        "of the array's own, but copied while the next array holds a value twice at its ends. The cone of influence is "
        "the whole system. "
    )
    about += "Broken: the last array starts with a value twice." if broken else "Every array stays a permutation."
    parts = [_module(j, size, broken and j == modules - 1) for j in range(modules)]
    instances = "\n".join(f"  p{j} : Array{j}(p{(j + 1) % modules}.clash, i);" for j in range(modules))
    body = (
        "\n".join(parts)
        + f"""
MODULE main
VAR
  i : 0..{size - 2};
{instances}
INVARSPEC NAME no_clash := !p0.clash;
"""
    )
    title = f"permutation{size}{f'x{modules}' if modules != 2 else ''}{'_broken' if broken else ''}"
    bits = modules * size * bits_of(size) + bits_of(size - 1)
    command = f"permutation.py {size}{f' --modules {modules}' if modules != 2 else ''}{' --broken' if broken else ''}"
    return document(title, about, command, bits, {"no_clash": "violated" if broken else "holds"}, body)


def _module(j: int, size: int, doubled: bool) -> str:
    position = order(j, size)
    lines = []
    for k in range(size):
        first = 0 if doubled and k == size - 1 else k
        lines.append(f"  init(a[{k}]) := {first};")
        rules = [f"i = {position[k]} : a[{k + 1}];"] if k < size - 1 else []
        rules += [f"i = {position[k - 1]} & !copies : a[{k - 1}];"] if k > 0 else []
        lines.append(f"  next(a[{k}]) := case {' '.join(rules)} TRUE : a[{k}]; esac;")
    newline = "\n"
    return f"""
MODULE Array{j}(copies, i)
VAR
  a : array 0..{size - 1} of 0..{size - 1};
DEFINE
  clash := a[0] = a[{size - 1}];
ASSIGN
{newline.join(lines)}
"""


if __name__ == "__main__":
    run(
        "Print the model permutation SIZE.",
        model,
        {
            "size": (int, None, "elements of an array, 3 to 16"),
            "modules": (int, 2, "arrays in the ring, at least 2"),
            "broken": (bool, False, "start the last array with a value twice: the property is violated"),
        },
    )

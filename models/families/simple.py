"""The family "simple" of the paper: two modules whose large arrays do not matter for the property.

The first module copies an input into ``x``; the second owns that input, ``y``, and never changes it. Each
also owns an array of 4-bit elements in which a free index, shared by both, swaps neighbours: the reachable
contents are the permutations, known to be hard for BDDs. After the prose of Nam, Madhusudan and Alur,
"Automatic symbolic compositional verification by learning assumptions" (FMSD 2008), section 7.
"""

from __future__ import annotations

from document import bits_of, document, run


def model(size: int, broken: bool = False) -> str:
    """``size`` elements in each array, 2 to 16; ``broken`` lets the second module's array set ``y``."""
    if not 2 <= size <= 16:
        raise ValueError("the arrays have 2 to 16 elements, as their values are the numbers 0 to 15")
    about = (
        f"two modules, each with an array of {size} elements of 4 bits in which a free index swaps neighbours. "
        'Our own text of the example "simple" in the paper of 2008; the authors\' file is lost. '
    )
    if broken:
        about += f"Broken: y is set when the element {size - 1} comes to the front, and x follows."
    else:
        about += "The arrays do not matter for x: the cone of influence of the property is x and y."
    rule = f"y | a[0] = {size - 1}" if broken else "y"
    body = f"""
MODULE Follower(y, i)
VAR
  x : boolean;
  a : array 0..{size - 1} of 0..15;
ASSIGN
  init(x) := FALSE;
  next(x) := y;
{_swaps(size)}
MODULE Leader(i)
VAR
  y : boolean;
  a : array 0..{size - 1} of 0..15;
ASSIGN
  init(y) := FALSE;
  next(y) := {rule};
{_swaps(size)}
MODULE main
VAR
  i : 0..{size - 1};
  follower : Follower(leader.y, i);
  leader : Leader(i);
INVARSPEC NAME never := !follower.x;
"""
    title = f"simple{size}{'_broken' if broken else ''}"
    verdict = "violated" if broken else "holds"
    command = f"simple.py {size}{' --broken' if broken else ''}"
    return document(title, about, command, 2 + 8 * size + bits_of(size), {"never": verdict}, body)


def _swaps(size: int) -> str:
    """The assignments of one array: the index ``i`` swaps the elements ``i`` and ``i + 1`` modulo the size."""
    lines = []
    for k in range(size):
        after, before = (k + 1) % size, (k - 1) % size
        lines.append(f"  init(a[{k}]) := {k};")
        lines.append(f"  next(a[{k}]) := case i = {k} : a[{after}]; i = {before} : a[{before}]; TRUE : a[{k}]; esac;")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    run(
        "Print the model simple N.",
        model,
        {
            "size": (int, None, "elements of each array, 2 to 16"),
            "broken": (bool, False, "let the array set y: the property is violated"),
        },
    )

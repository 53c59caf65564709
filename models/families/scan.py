"""Two coupled flippers that, once odd, compare themselves bit by bit with their neighbour.

As in the family "parity", a module turns odd only if its neighbour is odd. An odd module keeps its bits and
scans them; the error is that all of them equal the neighbour's bits. As in "parity", no variable order suits
both modules in forward search; backward search starts in the middle of a comparison that no reachable state
begins. The cone of influence is the whole system.
"""

from __future__ import annotations

from document import bits_of, document, run
from parity import order


def model(size: int) -> str:
    """``size`` bits in each of the two modules."""
    if size < 4:
        raise ValueError("a module has at least 4 bits")
    about = (
        f"two modules of {size} bits that flip in pairs, each in an order of its own, at a free index that both share; "
        "a module whose neighbour is odd flips one bit of the pair only, an odd one stops and compares itself bit by "
        "bit with its neighbour. The cone of influence is the whole system. As no module turns odd, none ever compares."
    )
    body = (
        _module(0, size)
        + _module(1, size)
        + f"""
MODULE main
VAR
  i : 0..{size - 2};
  p0 : Scanner0(p1.odd, p1.bit, i);
  p1 : Scanner1(p0.odd, p0.bit, i);
INVARSPEC NAME no_match := !p0.error;
"""
    )
    bits = 2 * (size + 3 + bits_of(size)) + bits_of(size - 1)
    return document(f"scan{size}", about, f"scan.py {size}", bits, {"no_match": "holds"}, body)


def _module(j: int, size: int) -> str:
    position = order(j, size)
    lines = []
    for k in range(size):
        flips = [f"i = {position[k]}"] if k < size - 1 else []
        flips += [f"i = {position[k - 1]} & !bad"] if k > 0 else []
        lines.append(f"  init(b[{k}]) := FALSE;")
        lines.append(f"  next(b[{k}]) := odd ? b[{k}] : b[{k}] xor ({' | '.join(flips)});")
    newline = "\n"
    return f"""
MODULE Scanner{j}(bad, other, i)
VAR
  b : array 0..{size - 1} of boolean;
DEFINE
  odd := {" xor ".join(f"b[{k}]" for k in range(size))};
ASSIGN
{newline.join(lines)}
{comparison(size)}"""


def comparison(size: int) -> str:
    """A module's part that compares ``b`` with ``other`` bit by bit while it is ``odd``; sets ``error`` if equal."""
    bit = " ".join(f"at = {k} : b[{k}];" for k in range(size))
    return f"""VAR
  at : 0..{size - 1};       -- the place that is compared
  scanning : boolean;
  match : boolean;    -- the places before it are equal
  error : boolean;
DEFINE
  bit := case {bit} esac;
ASSIGN
  init(at) := 0;
  next(at) := scanning ? (at + 1) mod {size} : at;
  init(scanning) := FALSE;
  next(scanning) := case
    scanning : at != {size - 1};
    TRUE : odd;
  esac;
  init(match) := TRUE;
  next(match) := scanning ? match & (bit <-> other) : TRUE;
  init(error) := FALSE;
  next(error) := error | scanning & at = {size - 1} & match & (bit <-> other);
"""


if __name__ == "__main__":
    run("Print the model scan SIZE.", model, {"size": (int, None, "bits of a module, at least 4")})

"""A baton on a ring of stations, each with bits that flip in pairs as long as the protocol is kept.

A station holds the baton or waits for it; the holder passes it on at any moment. A station that gets a
second baton while it holds one flips a single bit and so turns odd, and an odd station passes on batons
that it does not have. The cone of influence is the whole system. No set of harmless letters of a single
station proves the property: an assumption must remember which station has the baton, or one part must own
all bits about that.

With ``scan`` an odd station stops and compares its bits with those of the previous station, one in each
step; the error is that all are equal. No variable order suits all stations in forward search, backward
search starts in the middle of a comparison that no reachable state begins, and from three stations on no
two signals are equivalent.
"""

from __future__ import annotations

from document import bits_of, document, run
from parity import order
from scan import comparison


def model(size: int, stations: int = 2, broken: bool = False, scan: bool = False) -> str:
    """``size`` bits in each of ``stations`` stations; ``broken`` starts with two batons; not both with ``scan``."""
    if size < 4 or stations < 2:
        raise ValueError("at least 4 bits in at least 2 stations")
    if broken and scan:
        raise ValueError("broken and scan do not go together")
    about = (
        f"a baton goes round {stations} stations; in each, {size} bits flip in pairs at a free index that all share, "
        "but one bit only when the station is handed a second baton; odd stations hand out batons they do not have. "
        "The cone of influence is the whole system. "
    )
    if scan:
        about += "An odd station stops and compares its bits one by one with those of the station before it. "
    about += "Broken: there are two batons at first." if broken else "Every station stays even."
    parts = [_station(j, size, j == 0 or (broken and j == stations - 1), scan) for j in range(stations)]
    moments = "\n".join(f"  go{j} : boolean;" for j in range(stations))
    before = [f"s{(j - 1) % stations}" for j in range(stations)]
    bits_before = [f", {name}.bit" if scan else "" for name in before]
    instances = "\n".join(
        f"  s{j} : Station{j}({before[j]}.passes, go{j}, i{bits_before[j]});" for j in range(stations)
    )
    claim = "no_match := !s0.error" if scan else "even := !s0.odd"
    body = (
        "\n".join(parts)
        + f"""
MODULE main
VAR
  i : 0..{size - 2};
{moments}
{instances}
INVARSPEC NAME {claim};
"""
    )
    title = f"baton{size}{f'x{stations}' if stations != 2 else ''}{'_broken' if broken else ''}"
    bits = stations * (size + 2 + (3 + bits_of(size) if scan else 0)) + bits_of(size - 1)
    command = f"baton.py {size}{f' --stations {stations}' if stations != 2 else ''}{' --broken' if broken else ''}"
    command += " --scan" if scan else ""
    title += "_scan" if scan else ""
    return document(title, about, command, bits, {claim.split()[0]: "violated" if broken else "holds"}, body)


def _station(j: int, size: int, first: bool, scan: bool) -> str:
    position = order(j, size)
    lines = []
    for k in range(size):
        flips = [f"i = {position[k]}"] if k < size - 1 else []
        flips += [f"i = {position[k - 1]} & !harm"] if k > 0 else []
        flipped = f"b[{k}] xor ({' | '.join(flips)})"
        lines.append(f"  init(b[{k}]) := FALSE;")
        lines.append(f"  next(b[{k}]) := {f'odd ? b[{k}] : ' if scan else ''}{flipped};")
    newline = "\n"
    return f"""
MODULE Station{j}(handed, go, i{", other" if scan else ""})
VAR
  holds : boolean;
  b : array 0..{size - 1} of boolean;
DEFINE
  odd := {" xor ".join(f"b[{k}]" for k in range(size))};
  passes := go & (holds | odd);
  harm := handed & holds;
ASSIGN
  init(holds) := {"TRUE" if first else "FALSE"};
  next(holds) := case
    handed : TRUE;
    passes : FALSE;
    TRUE : holds;
  esac;
{newline.join(lines)}
{comparison(size) if scan else ""}"""


if __name__ == "__main__":
    run(
        "Print the model baton SIZE.",
        model,
        {
            "size": (int, None, "bits of a station, at least 4"),
            "stations": (int, 2, "stations in the ring, at least 2"),
            "broken": (bool, False, "start with two batons: the property is violated"),
            "scan": (bool, False, "let odd stations compare their bits"),
        },
    )

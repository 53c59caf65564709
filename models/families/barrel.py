"""A barrel shifter: a ring of registers that rotates, and frozen references that keep its first contents.

It stands for the family "barrel" of the paper (FMSD 2008, section 7): no variable order keeps the relation
between the registers and their references small. The text is our own.
"""

from __future__ import annotations

from document import document, run


def model(places: int, width: int, broken: bool = False) -> str:
    """``places`` registers of ``width`` bits, both at least 2; ``broken`` makes one of them forget zeros."""
    if places < 2 or width < 2:
        raise ValueError("a barrel has at least 2 places of at least 2 bits")
    top = 2**width - 1
    about = (
        f"a ring of {places} registers of {width} bits that rotates by one place a step; frozen references keep its "
        "first contents. A model of our own that stands for the barrel models of the paper of 2008; the authors' "
        "files are lost. "
    )
    if broken:
        about += f"Broken: place 0 does not take the value {top} over."
    else:
        about += "The ring is always a rotation of the references, which is hard to say in a BDD."
    shifts = []
    for k in range(places):
        source = f"b[{(k - 1) % places}]"
        taken = f"{source} = {top} ? b[0] : {source}" if broken and k == 0 else source
        shifts.append(f"  init(b[{k}]) := r[{k}];\n  next(b[{k}]) := {taken};")
    rotations = [
        "(" + " & ".join(f"b[{(j + k) % places}] = r[{j}]" for j in range(places)) + ")" for k in range(places)
    ]
    newline = "\n"
    body = f"""
MODULE main
VAR
  b : array 0..{places - 1} of 0..{top};
FROZENVAR
  r : array 0..{places - 1} of 0..{top};
ASSIGN
{newline.join(shifts)}
INVARSPEC NAME rotation :=
  {(" |" + newline + "  ").join(rotations)};
"""
    title = f"barrel{places}x{width}{'_broken' if broken else ''}"
    command = f"barrel.py {places} {width}{' --broken' if broken else ''}"
    return document(title, about, command, 2 * places * width, {"rotation": "violated" if broken else "holds"}, body)


if __name__ == "__main__":
    run(
        "Print the model barrel PLACES WIDTH.",
        model,
        {
            "places": (int, None, "registers in the ring, at least 2"),
            "width": (int, None, "bits of a register, at least 2"),
            "broken": (bool, False, "let place 0 lose values: the property is violated"),
        },
    )

"""A table for LaTeX that fits a line: long texts are broken, and further columns follow in a table below.

Widths are shares of the line of the class ``article`` (345 pt), the narrowest common one, for Computer Modern in
scriptsize (7 pt).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

#: Widths of characters; all others are as wide as a digit.
_WIDTHS = {
    **dict.fromkeys("fijlrstI.,:;|!'()[] -/", 0.0095),
    **dict.fromkeys("mwABCDEGHKLMNOPQRTUVWXYZ<>=+~%&@", 0.0195),
}
_DIGIT = 0.0122
#: The space between two columns, and the least width of a column whose texts are broken.
_GAP, _LEAST = 0.0155, 0.14
#: Every further table repeats these columns.
_KEYS = ("model", "property", "method")
_SPECIAL = {
    **{character: "\\" + character for character in "&%$#{}"},
    **{"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"},
    **{"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"{\char34}", "'": r"{\char39}"},
    # A line may be broken after a character that separates the parts of a name.
    **{"_": r"\_\allowbreak{}", "/": r"/\allowbreak{}", "=": r"=\allowbreak{}", ".": r".\allowbreak{}"},
}


def latex(title: str, header: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[bool]) -> str:
    """A ``longtable``, or several, for a document that uses the packages array and longtable.

    ``numbers`` says which columns are aligned right. Linear in the size of the table.
    """
    widths = [max(map(_width, (heading, *(row[k] for row in rows)))) for k, heading in enumerate(header)]
    # Numbers are never broken; a column of longer texts may be narrower than they are.
    least = [width if number else min(width, _LEAST) for width, number in zip(widths, numbers, strict=True)]
    lines = [r"\begingroup\scriptsize\setlength{\tabcolsep}{2.5pt}"]
    for index, columns in enumerate(_groups(header, least)):
        shares = _shares([widths[k] for k in columns], [least[k] for k in columns])
        kinds = "".join(
            rf">{{\raggedright\arraybackslash}}p{{{share:.3f}\linewidth}}"
            if share < widths[k] and not numbers[k]
            else "r"
            if numbers[k]
            else "l"
            for k, share in zip(columns, shares, strict=True)
        )
        caption = title if index == 0 else f"{title} (continued)"
        lines += [rf"\begin{{longtable}}{{{kinds}}}", rf"\caption{{{_escaped(caption)}}}\\", r"\hline"]
        lines += [_row([header[k] for k in columns]), r"\hline", r"\endhead"]
        lines += [_row([row[k] for k in columns]) for row in rows]
        lines += [r"\hline", r"\end{longtable}"]
    return "\n".join([*lines, r"\endgroup", ""])


def _groups(header: Sequence[str], least: Sequence[float]) -> list[list[int]]:
    """The columns of each table, from left to right, as many as fit a line."""
    keys = [k for k, heading in enumerate(header) if heading in _KEYS]
    groups, group = [], list[int]()
    for k in range(len(header)):
        if group and sum(least[c] + _GAP for c in {*group, k}) > 1:
            groups.append(group)
            group = list(keys)
        if k not in group:
            group = sorted((*group, k))
    return [*groups, group]


def _shares(widths: Sequence[float], least: Sequence[float]) -> list[float]:
    """The width of each column: the rest of the line is shared evenly by the columns that need more."""
    shares, left = list(least), 1 - sum(least) - _GAP * len(least)
    growing = sorted((k for k in range(len(widths)) if widths[k] > least[k]), key=lambda k: widths[k])
    while growing and left > 0:
        share = left / len(growing)
        k = growing.pop(0)
        more = min(share, widths[k] - shares[k])
        shares[k] += more
        left -= more
    return shares


def _row(cells: Sequence[str]) -> str:
    return " & ".join(map(_escaped, cells)) + r" \\"


def _width(text: str) -> float:
    return sum(_WIDTHS.get(character, _DIGIT) for character in _printable(text))


def _printable(text: str) -> Iterator[str]:
    """The characters; those that LaTeX needs further packages for become their numbers, such as ``U+2260``."""
    for character in text:
        if character.isprintable() and (character.isascii() or (character.isalpha() and ord(character) < 0x180)):
            yield character
        else:
            yield from f"U+{ord(character):04X}"


def _escaped(text: str) -> str:
    """The text for LaTeX; words longer than the narrowest column may be broken anywhere."""
    written, run = [], 0.0
    for character in _printable(text):
        run += _WIDTHS.get(character, _DIGIT)
        if run > _LEAST * 0.8:
            written.append(r"\allowbreak{}")
            run = 0.0
        written.append(_SPECIAL.get(character, character))
        if character in " _/=.":
            run = 0.0
    return "".join(written)

"""OxiDD with the methods of dd's manager that certify uses. The import raises ImportError without the package oxidd.

It shares the package and the size of its tables with the search by ``--bdd oxidd``, but no code about diagrams.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from typing import Any

from symag.bdd.oxidd_tables import TableSizes

_bcdd = importlib.import_module("oxidd.bcdd")
_AND = importlib.import_module("oxidd.util").BooleanOperator.AND


class OxiddManager:
    """A manager with variables by name, in the order of their declaration. It does not reorder."""

    def __init__(self) -> None:
        self._manager: Any = TableSizes.within(None).manager(_bcdd.BCDDManager)
        self.true = self._manager.true()
        self.false = self._manager.false()
        self._variables: dict[str, Any] = {}
        self._names: list[str] = []

    def declare(self, name: str) -> None:
        """Add a variable at the end of the order."""
        (number,) = self._manager.add_vars(1)
        self._names.append(name)
        self._variables[name] = self._manager.var(number)

    def var(self, name: str) -> Any:
        """The formula of a declared variable."""
        return self._variables[name]

    def apply(self, operator: str, left: Any, right: Any) -> Any:
        """The exclusive or, which is the only ``operator``."""
        assert operator == "xor"
        return left ^ right

    def ite(self, condition: Any, high: Any, low: Any) -> Any:
        """``high`` where ``condition`` holds, else ``low``."""
        return condition.ite(high, low)

    def exist(self, names: Iterable[str], formula: Any) -> Any:
        """The formula with variables quantified away existentially."""
        return formula.exists(self.conjoined(names))

    def and_exists(self, left: Any, right: Any, names: Iterable[str]) -> Any:
        """The conjunction of both formulas with variables quantified away existentially."""
        return left.apply_exists(_AND, right, self.conjoined(names))

    def forall(self, names: Iterable[str], formula: Any) -> Any:
        """The formula with variables quantified away universally."""
        return formula.forall(self.conjoined(names))

    def let(self, by: Mapping[str, Any], formula: Any) -> Any:
        """The formula with variables replaced, all at once, by formulas or by truth values."""
        truths = {True: self.true, False: self.false}
        pairs = [
            (self._variables[name].node_var(), truths[new] if isinstance(new, bool) else new)
            for name, new in by.items()
        ]
        return formula.substitute(_bcdd.BCDDSubstitution(pairs))

    def support(self, formula: Any) -> set[str]:
        """The variables that the formula depends on. Linear in its nodes."""
        names: set[str] = set()
        seen: set[Any] = set()
        stack = [formula]
        while stack:
            here = stack.pop()
            number = here.node_var()
            if number is None or here in seen:
                continue
            seen.add(here)
            names.add(self._names[number])
            stack.extend(here.cofactors())
        return names

    def conjoined(self, names: Iterable[str]) -> Any:
        """The conjunction of variables, which stands for their set."""
        result = self.true
        for name in sorted(names, key=lambda name: self._variables[name].node_var(), reverse=True):
            result = self._variables[name] & result
        return result

"""The flat system of a model: variables, defines, assignments, constraints and properties, all typed.

Properties are numbered and printed as NuSMV does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from symag.core.source import SourceText
from symag.smv.elaboration.assignments import Assignments
from symag.smv.elaboration.checks import References
from symag.smv.elaboration.declared import SELECTOR, HierarchyDeclarations, running_name, single_value
from symag.smv.elaboration.formulas import FormulaTyper
from symag.smv.elaboration.hierarchy import Hierarchy, Scope, instantiate
from symag.smv.elaboration.named import NamedValues
from symag.smv.elaboration.names import InstanceSymbol, NameLookup, path_text
from symag.smv.elaboration.typing import Typer
from symag.smv.language import syntax
from symag.smv.language.recursion import deep_recursion
from symag.smv.language.text import text_of
from symag.smv.model.flat import Constraint, FlatSystem, Property, PropertyKind, Variable, VariableKind
from symag.smv.model.typed import Constant, Expression, is_conjunction
from symag.smv.model.types import LARGEST_WORD_OF_NUSMV, ArrayType, Type, WordType

#: The order in which NuSMV numbers properties.
_ORDER: tuple[PropertyKind, ...] = ("CTL", "COMPUTE", "LTL", "PSL", "INVARSPEC")


class Specifications:
    """Types the properties of a hierarchy."""

    def __init__(self, hierarchy: Hierarchy, typer: Typer, references: References) -> None:
        self.hierarchy = hierarchy
        self.source = hierarchy.source
        self.typer = typer
        self.formulas = FormulaTyper(self.source, typer, references)
        self.names: set[str] = set()

    def all(self) -> tuple[Property, ...]:
        """Every property, in NuSMV's order; raises InputError."""
        properties: list[Property] = []
        for kind in _ORDER:
            for specification, scope in self.hierarchy.specifications:
                if specification.kind == kind:
                    properties.append(self._property(len(properties), specification, scope))
        return tuple(properties)

    def _property(self, index: int, specification: syntax.Specification, scope: Scope) -> Property:
        inner = scope if specification.context is None else self._context(specification.context, scope)
        name = None
        if specification.name is not None:
            name = scope.full(path_text(specification.name))
            if name in self.names:
                raise self.source.error(f"two properties are named '{name}'", specification.name.position)
            self.names.add(name)
        kind, stated = specification.kind, specification.expression
        expression: Expression | None = None
        sequences: Expression | None = None
        unsupported: str | None = None
        if kind == "PSL":
            from symag.smv.elaboration.psl_properties import PslProperties  # for start-up: few models have any

            typed = PslProperties(self.formulas).typed(stated, inner)
            expression, sequences, unsupported = typed.formula, typed.sequences, typed.unsupported
        else:
            expression = self.formulas.typed(kind, stated, inner)
        text = text_of(stated)
        if inner.name:
            text = f"{text} IN {inner.name}"
        line, _ = self.source.location(specification.position)
        return Property(index, kind, name, text.strip(), line, expression, unsupported, sequences)

    def _context(self, context: syntax.Expression, scope: Scope) -> Scope:
        symbol = self.typer.named.names.resolve(context, scope)
        if not isinstance(symbol, InstanceSymbol):
            raise self.source.error(f"'{path_text(context)}' is not an instance of a module", context.position)
        return symbol.scope


def flatten(source: SourceText, modules: tuple[syntax.Module, ...]) -> FlatSystem:
    """Instantiates ``main`` and types all expressions; constraints without common variables are separate ones.

    Raises InputError. Linear in the size of the result.
    """
    with deep_recursion():
        hierarchy = instantiate(source, modules)
        system = _Flattener(hierarchy).system()
    constraints = (*system.init, *system.invar, *system.trans)
    if not any(is_conjunction(constraint.expression) for constraint in constraints):
        return system
    # For start-up: most models have no such constraint.
    from symag.smv.model.conjuncts import with_independent_constraints

    return with_independent_constraints(system)


class _Flattener:
    def __init__(self, hierarchy: Hierarchy) -> None:
        self.hierarchy = hierarchy
        self.source = hierarchy.source
        self.typer = Typer(hierarchy.source)
        self.declarations = HierarchyDeclarations(hierarchy, self.typer.constant_number)
        names = NameLookup(self.declarations, self.typer.number)
        self.named = NamedValues(self.declarations, names, hierarchy.defines, {}, self.typer.any_value)
        self.typer.named = self.named
        self.references = References(hierarchy.source, self.named.defines, self._is_input)

    def _is_input(self, name: str) -> bool:
        return name == SELECTOR or self.declarations.variable_kind(name) is VariableKind.INPUT

    def system(self) -> FlatSystem:
        """The flat system."""
        variables: list[Variable] = []
        if self.hierarchy.processes:
            self._refuse_operational_names()
            selector = self.declarations.variable_type(SELECTOR)
            self._add_variables(SELECTOR, selector, VariableKind.INPUT, 0, variables)
        for variable in self.hierarchy.variables.values():
            of = self.declarations.variable_type(variable.name)
            self._add_variables(variable.name, of, variable.kind, variable.position, variables)
        defines = self._defines()
        assignments = Assignments(self.hierarchy, self.typer, self.references).all()
        conditions = self._conditions()
        compassion = self._compassion()
        properties = Specifications(self.hierarchy, self.typer, self.references).all()
        for name, position in self.named.primed_defines.items():
            self.references.check_primed_define(name, position)
        return FlatSystem(
            self.source,
            tuple(variables),
            defines,
            assignments,
            conditions["INIT"],
            conditions["INVAR"],
            conditions["TRANS"],
            conditions["JUSTICE"],
            compassion,
            properties,
            self._selector(variables),
            (*self.hierarchy.warnings, *self._wide_words(variables), *self._word_arrays(), *self._cut_constant()),
            {
                name: (define.scope.name, define.position, define.section)
                for name, define in self.hierarchy.defines.items()
            },
        )

    def _wide_words(self, variables: Sequence[Variable]) -> Iterator[str]:
        """A warning if there is a word that NuSMV refuses for its width."""
        declared = (
            (variable.position, variable.type.width)
            for variable in variables
            if isinstance(variable.type, WordType) and variable.type.width > LARGEST_WORD_OF_NUSMV
        )
        wide = next(declared, self.typer.rules.wide_word)
        if wide is not None:
            line = self.source.location(wide[0])[0]
            yield f"line {line}: a word of {wide[1]} bits; NuSMV's words have at most {LARGEST_WORD_OF_NUSMV}"

    def _word_arrays(self) -> Iterator[str]:
        """A warning if there is an array over words, with which NuSMV builds no model."""
        for variable in self.hierarchy.variables.values():
            of = variable.type
            while isinstance(of, syntax.ArraySyntax):
                of = of.element
            if isinstance(of, syntax.WordArraySyntax):
                line = self.source.location(variable.position)[0]
                yield f"line {line}: an array over words; NuSMV builds no model with one"
                return

    def _cut_constant(self) -> Iterator[str]:
        """A warning if a positive number is a signed word of one bit, whose values are 0 and -1."""
        if self.typer.rules.cut_constant is not None:
            position, number = self.typer.rules.cut_constant
            line = self.source.location(position)[0]
            yield f"line {line}: swconst({number}, 1) is {-(number % 2)}: one signed bit is 0 or -1"

    def _refuse_operational_names(self) -> None:
        """A model with processes declares neither the selector nor a ``running`` of its own."""
        for name in (SELECTOR, *(running_name(process) for process in self.hierarchy.processes)):
            declared = self.hierarchy.variables.get(name) or self.hierarchy.defines.get(name)
            if declared is not None:
                raise self.source.error(f"'{name}' is declared by the model's processes", declared.position)

    def _selector(self, variables: list[Variable]) -> str | None:
        """The variable that chooses the process, also in a model that was printed flat; None without processes."""
        inputs = (variable.name for variable in variables if variable.kind is VariableKind.INPUT)
        return SELECTOR if SELECTOR in inputs else None

    def _add_variables(self, name: str, of: Type, kind: VariableKind, position: int, variables: list[Variable]) -> None:
        if isinstance(of, ArrayType):
            for index in range(of.low, of.high + 1):
                self._add_variables(f"{name}[{index}]", of.element, kind, position, variables)
            return
        single = single_value(of)
        if single is not None:
            self.named.defines[name] = Constant(single, of, position)
            return
        variables.append(Variable(name, of, kind, position))  # type: ignore[arg-type]  # declared: no expression's type

    def _defines(self) -> Mapping[str, Expression]:
        for name, define in self.hierarchy.defines.items():
            # Ambiguous names are refused where they are declared too, as an enumeration may name the constant.
            self.named.names.lookup(name, name.rpartition(".")[2], define.position)
            self.named.define(name)
        for process in self.hierarchy.processes:
            self.named.defines[running_name(process)] = self.named.running(process, 0)
        return self.named.defines

    def _conditions(self) -> dict[str, tuple[Constraint, ...]]:
        conditions: dict[str, list[Constraint]] = {"INIT": [], "INVAR": [], "TRANS": [], "JUSTICE": []}
        for condition, scope in self.hierarchy.conditions:
            section = condition.section
            if section == "COMPASSION":
                continue
            expression = self.typer.condition(condition.operands[0], scope, f"the expression of {section}")
            if section != "TRANS":
                self.references.refuse_next(expression, section)
            if section in ("INIT", "INVAR"):
                self.references.refuse_inputs(expression, section)
            conditions[section].append(Constraint(expression, condition.position))
        return {section: tuple(constraints) for section, constraints in conditions.items()}

    def _compassion(self) -> tuple[tuple[Constraint, Constraint], ...]:
        pairs = []
        for condition, scope in self.hierarchy.conditions:
            if condition.section == "COMPASSION":
                pair = [
                    self.typer.condition(operand, scope, "the expression of COMPASSION")
                    for operand in condition.operands
                ]
                for expression in pair:
                    self.references.refuse_next(expression, "COMPASSION")
                premise, conclusion = (Constraint(expression, condition.position) for expression in pair)
                pairs.append((premise, conclusion))
        return tuple(pairs)

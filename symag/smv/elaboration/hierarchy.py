"""The instances of modules: every declaration with its full name and the scope of its expressions."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from symag.core.errors import InputError
from symag.core.source import SourceText
from symag.smv.language.syntax import (
    INFINITE_TYPES,
    ArrayLiteral,
    ArraySyntax,
    Assign,
    Condition,
    Constants,
    Declaration,
    Definition,
    Expression,
    InstanceSyntax,
    Isa,
    Module,
    Name,
    Number,
    Operation,
    Specification,
    TypeSyntax,
    not_finite,
)
from symag.smv.model.flat import VariableKind

#: The name of the process that the module main is, in a model with processes.
MAIN_PROCESS = "main"


class Scope(Struct, frozen=True, eq=False):
    """An instance of a module: where the names in its expressions are looked up.

    ``name`` is its full name, empty for main. ``parameters`` maps formal names to actual expressions, whose scope is
    ``outer``. ``process`` is the name of the innermost process around it, or ``main``.
    """

    name: str
    module: str
    parameters: Mapping[str, Expression]
    outer: Scope | None
    process: str

    def full(self, name: str) -> str:
        """The full name of a declaration ``name`` of this instance."""
        return f"{self.name}.{name}" if self.name else name


class DeclaredVariable(Struct, frozen=True, eq=False):
    """A variable or an array of variables."""

    name: str
    type: TypeSyntax
    kind: VariableKind
    position: int
    scope: Scope


class DeclaredDefine(Struct, frozen=True, eq=False):
    """A DEFINE or an array define."""

    value: Expression | ArrayLiteral
    position: int
    section: int
    scope: Scope


class Hierarchy(Struct, frozen=True, eq=False):
    """A whole model, instantiated. Declarations are in the order of the text, those of instances at their place."""

    source: SourceText
    instances: Mapping[str, Scope]
    processes: tuple[str, ...]
    variables: Mapping[str, DeclaredVariable]
    defines: Mapping[str, DeclaredDefine]
    constants: tuple[tuple[Expression, Scope], ...]
    assigns: tuple[tuple[Assign, Scope], ...]
    conditions: tuple[tuple[Condition, Scope], ...]
    specifications: tuple[tuple[Specification, Scope], ...]
    warnings: tuple[str, ...]


def instantiate(source: SourceText, modules: tuple[Module, ...]) -> Hierarchy:
    """Instantiates ``main``. Raises InputError for unknown or recursive modules and for names declared twice."""
    by_name: dict[str, Module] = {}
    for module in modules:
        if module.name in by_name:
            raise source.error(f"module '{module.name}' is declared twice", module.position)
        by_name[module.name] = module
    if "main" not in by_name:
        raise InputError(f"there is no module 'main'{_outermost(modules)}", source.path)
    main = by_name["main"]
    if main.parameters:
        raise source.error("module 'main' cannot have parameters", main.position)
    builder = _Builder(source, by_name)
    scope = Scope("", "main", {}, None, MAIN_PROCESS)
    builder.body(main, scope, ("main",))
    return builder.result()


def _outermost(modules: tuple[Module, ...]) -> str:
    """The end of a message: the modules that no other one has instances of, one of which may be meant as ``main``.

    A module with parameters cannot be ``main``: it is named only if there is no other.
    """
    types = [item.type for module in modules for item in module.items if isinstance(item, Declaration)]
    elements = [type_.element if isinstance(type_, ArraySyntax) else type_ for type_ in types]
    used = {element.module for element in elements if isinstance(element, InstanceSyntax)}
    outer = [module for module in modules if module.name not in used] or list(modules)
    closed = [module for module in outer if not module.parameters]
    names = ", ".join(f"'{module.name}'" for module in closed or outer)
    if not closed:
        return f"; write one with an instance of {names}" if names else ""
    return f"; rename {names} to 'main'" if len(closed) == 1 else f", expected one among {names}"


def declared_name(source: SourceText, expression: Expression) -> str:
    """A constant's name as text, such as ``a`` or ``a.b``."""
    match expression:
        case Name(text):
            return text
        case Operation(".", (base, Name(field))):
            return f"{declared_name(source, base)}.{field}"
    raise source.error("expected a name", expression.position)


def full_name(source: SourceText, expression: Expression, scope: Scope) -> str:
    """The full name of a declaration ``a``, ``a.b`` or ``a[0]``; ``a`` may be a parameter."""
    match expression:
        case Name(text):
            actual = scope.parameters.get(text)
            if actual is None:
                return scope.full(text)
            assert scope.outer is not None
            return full_name(source, actual, scope.outer)
        case Operation("self"):
            return scope.name
        case Operation(".", (base, Name(field))):
            prefix = full_name(source, base, scope)
            return f"{prefix}.{field}" if prefix else field
        case Operation("[]", (base, Number(value))) if not isinstance(value, bool):
            return f"{full_name(source, base, scope)}[{value}]"
        case Operation("[]", (base, Operation("negate", (Number(value),)))) if not isinstance(value, bool):
            return f"{full_name(source, base, scope)}[-{value}]"
    raise source.error("expected a name to declare", expression.position)


class _Builder:
    def __init__(self, source: SourceText, modules: Mapping[str, Module]) -> None:
        self.source = source
        self.modules = modules
        self.instances: dict[str, Scope] = {}
        self.processes: list[str] = []
        self.variables: dict[str, DeclaredVariable] = {}
        self.defines: dict[str, DeclaredDefine] = {}
        self.constants: list[tuple[Expression, Scope]] = []
        self.assigns: list[tuple[Assign, Scope]] = []
        self.conditions: list[tuple[Condition, Scope]] = []
        self.specifications: list[tuple[Specification, Scope]] = []
        self.module_arrays = False

    def result(self) -> Hierarchy:
        warnings = []
        if self.processes:
            warnings.append("processes are deprecated in NuSMV; they are read as interleaving")
        if self.module_arrays:
            warnings.append("NuSMV 2.6 does not read arrays of modules")
        return Hierarchy(
            self.source,
            self.instances,
            (MAIN_PROCESS, *self.processes) if self.processes else (),
            self.variables,
            self.defines,
            tuple(self.constants),
            tuple(self.assigns),
            tuple(self.conditions),
            tuple(self.specifications),
            tuple(warnings),
        )

    def body(self, module: Module, scope: Scope, path: tuple[str, ...]) -> None:
        for item in module.items:
            match item:
                case Declaration():
                    self.declaration(item, scope, path)
                case Definition(name, value, section):
                    full = self.declare(name, scope)
                    self.defines[full] = DeclaredDefine(value, name.position, section, scope)
                case Assign():
                    self.assigns.append((item, scope))
                case Condition():
                    self.conditions.append((item, scope))
                case Specification():
                    self.specifications.append((item, scope))
                case Constants(names):
                    self.constants.extend((name, scope) for name in names)
                case Isa(name, position):
                    inherited = self.module(name, position, path)
                    if inherited.parameters:
                        raise self.source.error(f"ISA module '{name}' cannot have parameters", position)
                    self.body(inherited, scope, (*path, name))

    def declare(self, name: Expression, scope: Scope) -> str:
        if isinstance(name, Name) and name.text in scope.parameters:
            message = f"'{name.text}' is already a parameter of module '{scope.module}'"
            raise self.source.error(message, name.position)
        if isinstance(name, Operation) and name.operator == "self":
            raise self.source.error("'self' is a reserved word and cannot be declared", name.position)
        full = full_name(self.source, name, scope)
        if full in self.variables or full in self.defines or full in self.instances:
            raise self.source.error(f"'{full}' is declared twice", name.position)
        return full

    def module(self, name: str, position: int, path: tuple[str, ...]) -> Module:
        if name not in self.modules:
            if name in INFINITE_TYPES:
                raise self.source.error(not_finite(name), position)
            raise self.source.error(f"module '{name}' is not declared", position)
        if name in path:
            raise self.source.error(f"module '{name}' contains itself", position)
        return self.modules[name]

    def declaration(self, item: Declaration, scope: Scope, path: tuple[str, ...]) -> None:
        full = self.declare(item.name, scope)
        element = item.type
        while isinstance(element, ArraySyntax):
            element = element.element
        if not isinstance(element, InstanceSyntax):
            kind = VariableKind(item.section)
            self.variables[full] = DeclaredVariable(full, item.type, kind, item.name.position, scope)
        elif isinstance(item.type, ArraySyntax):
            self.module_arrays = True
            self.array_of_instances(full, item.type, scope, path)
        else:
            self.instance(full, element, scope, path)

    def array_of_instances(self, full: str, array: ArraySyntax, scope: Scope, path: tuple[str, ...]) -> None:
        low, high = self.literal(array.bounds.low), self.literal(array.bounds.high)
        if low > high:
            raise self.source.error(f"the range {low}..{high} is empty", array.position)
        for index in range(low, high + 1):
            name = f"{full}[{index}]"
            if isinstance(array.element, ArraySyntax):
                self.array_of_instances(name, array.element, scope, path)
            elif isinstance(array.element, InstanceSyntax):
                self.instance(name, array.element, scope, path)

    def literal(self, bound: Expression) -> int:
        match bound:
            case Number(value) if not isinstance(value, bool):
                return value
            case Operation("negate", (Number(value),)) if not isinstance(value, bool):
                return -value
        raise self.source.error("the bounds of an array of modules must be integer constants", bound.position)

    def instance(self, full: str, declared: InstanceSyntax, scope: Scope, path: tuple[str, ...]) -> None:
        module = self.module(declared.module, declared.position, path)
        expected, given = len(module.parameters), len(declared.arguments)
        if expected != given:
            message = f"module '{module.name}' takes {expected} parameters, not {given}"
            raise self.source.error(message, declared.position)
        parameters = dict(zip((name.text for name in module.parameters), declared.arguments, strict=True))
        if len(parameters) < expected:
            raise self.source.error(f"module '{module.name}' has two parameters of one name", module.position)
        process = full if declared.process else scope.process
        inner = Scope(full, module.name, parameters, scope, process)
        self.instances[full] = inner
        if declared.process:
            self.processes.append(full)
        self.body(module, inner, (*path, module.name))

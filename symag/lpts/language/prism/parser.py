"""PRISM's language from tokens to the syntax tree, by recursive descent."""

from __future__ import annotations

from symag.core.source import SourceText
from symag.lpts.language.prism.expression_parser import tokens
from symag.lpts.language.prism.syntax import (
    Assignment,
    Command,
    Constant,
    Expression,
    Formula,
    Label,
    ModelText,
    Module,
    RenamedModule,
    RewardItem,
    Rewards,
    SystemExpression,
    Update,
    Variable,
)
from symag.lpts.language.prism.system_parser import SystemParser

_TYPES = {
    "mdp": "mdp",
    "pa": "mdp",
    "nondeterministic": "mdp",
    "dtmc": "dtmc",
    "probabilistic": "dtmc",
}
_OTHER_TYPES = ("ctmc", "stochastic", "pta", "pomdp", "popta", "smg", "csg", "idtmc", "imdp")


def parse(source: SourceText) -> ModelText:
    """The syntax tree of a model. Raises InputError at the first token that does not fit."""
    return _Parser(source).model()


class _Parser(SystemParser):
    def __init__(self, source: SourceText) -> None:
        super().__init__(tokens(source))
        self.types: list[str] = []
        self.constants: list[Constant] = []
        self.formulas: list[Formula] = []
        self.labels: list[Label] = []
        self.variables: list[Variable] = []
        self.modules: list[Module | RenamedModule] = []
        self.initial: Expression | None = None
        self.system: SystemExpression | None = None
        self.rewards: list[Rewards] = []

    def model(self) -> ModelText:
        declarations = {
            "const": self._constant,
            "rate": self._old_constant,
            "prob": self._old_constant,
            "formula": self._formula,
            "label": self._label,
            "global": self._global,
            "module": self._module,
            "rewards": self._rewards,
            "init": self._initial,
            "system": self._system,
        }
        while self.kind != "end":
            declare = declarations.get(self.text) if self.kind == "symbol" else None
            if declare is None:
                self._type()
                continue
            self.advance()
            declare()
        if not self.modules:
            raise self.expected("a module")
        return ModelText(
            self.types[0] if self.types else "mdp",
            tuple(self.constants),
            tuple(self.formulas),
            tuple(self.labels),
            tuple(self.variables),
            tuple(self.modules),
            self.initial,
            self.system,
            tuple(self.rewards),
        )

    def _type(self) -> None:
        if self.kind == "symbol" and self.text in _OTHER_TYPES:
            message = f"models of type {self.text} are not supported, expected mdp, pa or dtmc"
            raise self.error(message, self.position)
        if self.kind != "symbol" or self.text not in _TYPES:
            raise self.expected("a declaration (const, formula, label, global, module, init, rewards or system)")
        if self.types:
            raise self.error("the type of the model is given twice", self.position)
        self.types.append(_TYPES[self.text])
        self.advance()

    # ------------------------------------------------------------------------------- declarations

    def _constant(self) -> None:
        type_name = "int"
        if self.kind == "symbol" and self.text in ("int", "double", "bool", "rate", "prob"):
            type_name = "double" if self.text in ("rate", "prob") else self.text
            self.advance()
        self._constant_of(type_name)

    def _old_constant(self) -> None:
        self._constant_of("double")

    def _constant_of(self, type_name: str) -> None:
        position = self.position
        name = self.name("the name of a constant")
        value = self.expression() if self.accept("=") else None
        self.symbol(";")
        self.constants.append(Constant(name, type_name, value, position))

    def _formula(self) -> None:
        position = self.position
        name = self.name("the name of a formula")
        self.symbol("=")
        self.formulas.append(Formula(name, self.expression(), position))
        self.symbol(";")

    def _label(self) -> None:
        position = self.position
        name = self.quoted("the name of a label in quotes")
        self.symbol("=")
        self.labels.append(Label(name, self.expression(), position))
        self.symbol(";")

    def _global(self) -> None:
        self.variables.append(self._variable())

    def _variable(self) -> Variable:
        position = self.position
        name = self.name("the name of a variable")
        self.symbol(":")
        low = high = None
        if self.accept("["):
            low = self.expression()
            self.symbol("..")
            high = self.expression()
            self.symbol("]")
        elif not self.accept("bool"):
            raise self.expected("a range [low..high] or bool")
        initial = self.expression() if self.accept("init") else None
        self.symbol(";")
        return Variable(name, low, high, initial, position)

    def _initial(self) -> None:
        if self.initial is not None:
            raise self.error("the initial states are given twice", self.position)
        self.initial = self.expression()
        self.symbol("endinit")

    def _rewards(self) -> None:
        position = self.position
        name = self.quoted("a name") if self.kind == "string" else ""
        items: list[RewardItem] = []
        while not self.accept("endrewards"):
            place, action = self.position, None
            if self.accept("["):
                action = self.name("an action") if self.kind == "name" else ""
                self.symbol("]")
            guard = self.expression()
            self.symbol(":")
            items.append(RewardItem(action, guard, self.expression(), place))
            self.symbol(";")
        self.rewards.append(Rewards(name, tuple(items), position))

    # ------------------------------------------------------------------------------------ modules

    def _module(self) -> None:
        position = self.position
        name = self.name("the name of a module")
        if self.accept("="):
            base = self.name("the name of a module")
            self.symbol("[")
            names = self.listed(self._renaming, "]")
            self.symbol("endmodule")
            self.modules.append(RenamedModule(name, base, names, position))
            return
        variables: list[Variable] = []
        commands: list[Command] = []
        while self.kind == "name":
            variables.append(self._variable())
        while self.at("["):
            commands.append(self._command())
        if not self.accept("endmodule"):
            raise self.expected("a command or 'endmodule'" if commands else "a variable, a command or 'endmodule'")
        self.modules.append(Module(name, tuple(variables), tuple(commands), position))

    def _renaming(self) -> tuple[str, str, int]:
        position = self.position
        old = self.name("the name that is replaced")
        self.symbol("=")
        return old, self.name("the name that replaces it"), position

    def _command(self) -> Command:
        position = self.position
        self.symbol("[")
        action = self.name("an action") if not self.at("]") else ""
        self.symbol("]")
        guard = self.expression()
        self.symbol("->")
        updates = self.listed(self._update, ";", "+")
        without = next((update for update in updates if update.probability is None), None)
        if without is not None and len(updates) > 1:
            raise self.error("expected a probability and ':' before this update", without.position)
        return Command(action, guard, updates, position)

    def _update(self) -> Update:
        position = self.position
        probability = None
        if not self._at_assignment() and not (self.at("true") and not self.at(":", ahead=1)):
            if self.at("["):
                raise self.error("intervals of probabilities are not supported, expected a probability", position)
            probability = self.expression()
            self.symbol(":")
        if self.accept("true"):
            return Update(probability, (), position)
        assignments = [self._assignment()]
        while self.accept("&"):
            assignments.append(self._assignment())
        return Update(probability, tuple(assignments), position)

    def _at_assignment(self) -> bool:
        return self.at("(") and self.at("'", ahead=2)

    def _assignment(self) -> Assignment:
        if not self._at_assignment():
            raise self.expected("an assignment such as (x'=1), or true")
        self.advance()
        position = self.position
        name = self.name("the name of a variable")
        self.symbol("'")
        self.symbol("=")
        value = self.expression()
        self.symbol(")")
        return Assignment(name, value, position)

    def _system(self) -> None:
        if self.system is not None:
            raise self.error("the system is given twice", self.position)
        if self.kind == "string":
            raise self.error("named systems are not supported, expected one system", self.position)
        self.system = self.parallel()
        self.symbol("endsystem")

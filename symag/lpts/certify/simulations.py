"""Re-check of evidence about strong simulation: relations by substitution, trees by replay and by exact flows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from symag.core.limits import Deadline
from symag.lpts.certificates.assumptions import AbstractSystem, SafetyProof, SimulationProof, TreeCounterexample
from symag.lpts.certify import class_tables
from symag.lpts.certify.weights import ProbabilisticAutomaton, ProbabilisticProduct, State, of_another_kind, refused
from symag.lpts.lpts import Lpts
from symag.lpts.problems import Problem, SimulationProblem

#: Up to this many states are checked one by one.
_FEW_STATES = 1000

#: Per node of a tree its moves: the action and the children.
NodeMoves = list[list[tuple[str, list[int]]]]
#: Two distributions by their masses: of states of the product, and of the specification.
_Masses = tuple[tuple[tuple[State, Fraction], ...], tuple[tuple[int, Fraction], ...]]


CERTIFICATE = SimulationProof


def check(problem: Problem, certificate: SimulationProof, deadline: Deadline) -> None:
    """See ``symag.lpts.certify.kinds``."""
    if not isinstance(problem, SimulationProblem) or not isinstance(problem.specification, Lpts):
        raise of_another_kind()
    premise = premise_of(problem.components, certificate, deadline)
    _check_relation(premise, ProbabilisticAutomaton.of(problem.specification), certificate, deadline)


def premise_of(
    components: Sequence[Lpts], proof: SimulationProof | SafetyProof, deadline: Deadline
) -> ProbabilisticProduct:
    """Part 0 composed with its assumptions, after all assumptions were re-checked. Raises CertificationError."""
    if sorted(number for part in proof.parts for number in part) != list(range(len(components))):
        raise refused("the parts are not the components, each once")
    if len(proof.assumptions) != len(proof.parts) - 1:
        raise refused("there is not one assumption for each part but the first")
    beside = proof.beside or tuple(range(len(proof.assumptions)))
    if len(beside) != len(proof.assumptions) or any(not 0 <= part <= k for k, part in enumerate(beside)):
        raise refused("an assumption stands beside no part before its own")
    standing: list[list[ProbabilisticAutomaton]] = [[] for _ in proof.parts]
    for k in range(len(proof.assumptions) - 1, -1, -1):
        abstracted = _composed(components, proof.parts[k + 1], standing[k + 1])
        _check_abstraction(abstracted, proof.assumptions[k], deadline)
        alphabet = sorted({label for system in abstracted for label in system.alphabet})
        standing[beside[k]].insert(0, ProbabilisticAutomaton.of_assumption(proof.assumptions[k], alphabet))
    return ProbabilisticProduct(_composed(components, proof.parts[0], standing[0]))


def _composed(
    components: Sequence[Lpts], part: Sequence[int], standing: Sequence[ProbabilisticAutomaton]
) -> list[ProbabilisticAutomaton]:
    """A part's components and the assumptions beside it."""
    if not part and not standing:
        raise refused("a part has no component, and no assumption stands beside it")
    return [*(ProbabilisticAutomaton.of(components[number]) for number in part), *standing]


def _check_abstraction(
    abstracted: Sequence[ProbabilisticAutomaton], assumption: AbstractSystem, deadline: Deadline
) -> None:
    if len(assumption.classes) > _FEW_STATES and class_tables.fits(abstracted, assumption):
        class_tables.ClassTable(abstracted, assumption).check(deadline)
        return
    product = ProbabilisticProduct(abstracted)
    class_of = {tuple(row): class_ for *row, class_ in assumption.classes.tolist()}
    transitions = {(source, action, tuple(sorted(branches))) for source, action, branches in assumption.transitions}
    if class_of.get((0,) * len(abstracted)) != 0:
        raise refused("the initial state is not in class 0")
    for number, (state, class_) in enumerate(class_of.items()):
        if number % 1000 == 0:
            deadline.check()
        if not product.knows(state):
            raise refused("a class has a state that does not exist")
        for action, distribution in product.moves(state):
            if (class_, action, masses_of_classes(distribution, class_of)) not in transitions:
                raise refused(f"the assumption lacks a transition by {action or 'a move without label'}: premise 2")


def masses_of_classes(
    distribution: Mapping[State, Fraction], class_of: Mapping[State, int]
) -> tuple[tuple[int, Fraction], ...]:
    """The mass of each class, by class. Raises CertificationError for a state without a class."""
    masses: dict[int, Fraction] = {}
    for target, probability in distribution.items():
        if target not in class_of:
            raise refused("a state that can be reached has no class")
        masses[class_of[target]] = masses.get(class_of[target], Fraction(0)) + probability
    return tuple(sorted(masses.items()))


def _check_relation(
    product: ProbabilisticProduct, specification: ProbabilisticAutomaton, proof: SimulationProof, deadline: Deadline
) -> None:
    relation = set(proof.relation)
    states = len(specification.moves)
    if not all(product.knows(state) and 0 <= t < states for state, t in relation):
        raise refused("a pair has a state that does not exist")
    start = next(state for state, _ in relation) if relation else ()
    if ((0,) * len(start), 0) not in relation:
        raise refused("the initial pair is not in the relation")
    marginals = _marginals(proof)
    for number, (state, t) in enumerate(proof.relation):
        if number % 1000 == 0:
            deadline.check()
        for action, mu in product.moves(state):
            if not any(_is_below(mu, nu, relation, marginals) for nu in specification.answers(t, action)):
                raise refused(f"no answer to {action or 'a move without label'} from {state} in {t}")


def _marginals(proof: SimulationProof) -> set[_Masses]:
    """The pairs of distributions that the weight functions relate."""
    pairs = set()
    if proof.total < 1:
        raise refused("masses are counted over nothing")
    for function in proof.weights:
        mu: dict[State, Fraction] = {}
        nu: dict[int, Fraction] = {}
        for number, mass in function:
            if not 0 <= number < len(proof.relation) or mass <= 0:
                raise refused("a weight function gives weight to no pair")
            state, t = proof.relation[number]
            mu[state] = mu.get(state, Fraction(0)) + Fraction(mass, proof.total)
            nu[t] = nu.get(t, Fraction(0)) + Fraction(mass, proof.total)
        pairs.add((tuple(sorted(mu.items())), tuple(sorted(nu.items()))))
    return pairs


def _is_below(
    mu: Mapping[State, Fraction],
    nu: Mapping[int, Fraction],
    relation: set[tuple[State, int]],
    marginals: set[_Masses],
) -> bool:
    if min(len(mu), len(nu)) == 1:
        return all((state, t) in relation for state in mu for t in nu)
    return (tuple(sorted(mu.items())), tuple(sorted(nu.items()))) in marginals


def check_tree(components: Sequence[Lpts], specification: Lpts, tree: TreeCounterexample, deadline: Deadline) -> None:
    """Accept that the components can run the tree and that the specification cannot simulate it.

    Raises CertificationError, and OutOfTimeError.
    """
    moves = check_run(components, tree, deadline)
    if is_simulated(tree, moves, ProbabilisticAutomaton.of(specification), deadline):
        raise refused("the specification simulates the tree")


def check_run(components: Sequence[Lpts], tree: TreeCounterexample, deadline: Deadline) -> NodeMoves:
    """Accept that the components can run the tree; its moves. Raises CertificationError, and OutOfTimeError."""
    product = ProbabilisticProduct([ProbabilisticAutomaton.of(component) for component in components])
    moves = _moves_of_nodes(tree)
    if tree.nodes[0].local != (0,) * len(components):
        raise refused("the tree does not begin in the initial state")
    for number, mine in enumerate(moves):
        deadline.check()
        here = tree.nodes[number].local
        if not product.knows(here):
            raise refused(f"node {number} stands for a state that does not exist")
        real = [(action, mu) for action, mu in product.moves(here)] if mine else []
        for action, children in mine:
            image = {tree.nodes[child].local: tree.nodes[child].probability for child in children}
            if len(image) < len(children) or (action, image) not in real:
                raise refused(f"node {number} has a move by {action or 'no label'} that the system does not have")
    return moves


def _moves_of_nodes(tree: TreeCounterexample) -> NodeMoves:
    """Per node its moves: the action and the children."""
    if not tree.nodes or tree.nodes[0].parent != -1:
        raise refused("the tree has no root")
    moves_of: list[dict[int, tuple[str, list[int]]]] = [{} for _ in tree.nodes]
    for number, node in enumerate(tree.nodes[1:], start=1):
        if not 0 <= node.parent < number or node.action is None:
            raise refused(f"node {number} hangs nowhere")
        action, children = moves_of[node.parent].setdefault(node.move, (node.action, []))
        if action != node.action:
            raise refused(f"a move of node {node.parent} has two actions")
        children.append(number)
    return [[moves[number] for number in sorted(moves)] for moves in moves_of]


def is_simulated(
    tree: TreeCounterexample, moves: NodeMoves, specification: ProbabilisticAutomaton, deadline: Deadline
) -> bool:
    """Whether the specification simulates the tree: from the leaves up, for the states that the root's needs."""
    right_states: list[set[int]] = [set() for _ in tree.nodes]
    right_states[0].add(0)
    for number, mine in enumerate(moves):
        for action, children in mine:
            reached = {u for t in right_states[number] for nu in specification.answers(t, action) for u in nu}
            for child in children:
                right_states[child] |= reached
    related: list[set[int]] = [set() for _ in tree.nodes]
    for number in range(len(moves) - 1, -1, -1):
        deadline.check()
        for t in right_states[number]:
            if all(
                any(
                    can_be_matched({c: tree.nodes[c].probability for c in children}, nu, lambda c, u: u in related[c])
                    for nu in specification.answers(t, action)
                )
                for action, children in moves[number]
            ):
                related[number].add(t)
    return 0 in related[0]


def can_be_matched(mu: Mapping[int, Fraction], nu: Mapping[int, Fraction], related: Callable[[int, int], bool]) -> bool:
    """Whether a weight function exists: masses flow along shortest augmenting paths, in exact fractions."""
    unsent, room = dict(mu), dict(nu)
    sent: dict[tuple[int, int], Fraction] = {}

    def augmenting(start: int) -> list[int] | None:
        """States of both sides in turn, from ``start`` to one that has room; None if there is no such path."""
        paths: dict[tuple[bool, int], list[int]] = {(True, start): [start]}
        waiting = [(True, start)]
        for is_first, state in waiting:
            if not is_first and room[state]:
                return paths[is_first, state]
            following = [t for t in nu if related(state, t)] if is_first else [s for s in mu if sent.get((s, state))]
            for after in following:
                if (not is_first, after) not in paths:
                    paths[not is_first, after] = [*paths[is_first, state], after]
                    waiting.append((not is_first, after))
        return None

    for start in mu:
        while unsent[start]:
            path = augmenting(start)
            if path is None:
                return False
            goal = path[-1]
            amount = min(unsent[start], room[goal], *(sent[path[k + 1], path[k]] for k in range(1, len(path) - 1, 2)))
            unsent[start] -= amount
            room[goal] -= amount
            for k in range(0, len(path), 2):
                sent[path[k], path[k + 1]] = sent.get((path[k], path[k + 1]), Fraction(0)) + amount
                if k:
                    sent[path[k], path[k - 1]] -= amount
    return True

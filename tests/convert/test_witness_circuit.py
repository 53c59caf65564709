"""Certificates as witness circuits: the five conditions of HWMCC'24, asked of a solver from the two files alone."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from pysat.solvers import Solver

from scripts.circuits import random_aiger
from symag.core.errors import CertificationError, UnsupportedError
from symag.core.limits import no_progress
from symag.core.results import Verdict
from symag.core.values import replace
from symag.smv import read_text
from symag.smv.aiger import Aiger, ascii_text, parse
from symag.smv.aiger import read as read_aiger
from symag.smv.certificates.invariants import Induction, WitnessCircuit
from symag.smv.certify import check_certificate
from symag.smv.checking.methods import METHODS
from symag.smv.convert.aiger import to_aiger
from symag.smv.convert.witness_circuit import witness_circuit
from symag.smv.methods.options import SmvOptions

COUNTER = """
MODULE main
VAR x : 0..9; y : {a, b, c}; IVAR go : boolean;
INIT y != c
ASSIGN init(x) := {0, 2}; next(x) := case x >= 8 : 0; go : x + 2; TRUE : {x, 0}; esac;
TRANS next(y) = a | y != a
INVARSPEC x != 5
INVARSPEC x in {0, 2, 4, 6, 8} & y in {a, b, c}
"""


class Copy:
    """One copy of a graph in a solver, over given variables for its inputs and latches."""

    def __init__(self, solver: Solver, graph: Aiger, leaves: dict[int, int], fresh: list[int]) -> None:
        self.values = {0: -1, **leaves}
        for left, a, b in sorted(graph.ands):
            fresh[0] += 1
            own, one, two = fresh[0], self.of(a), self.of(b)
            self.values[left] = own
            for clause in ([-own, one], [-own, two], [own, -one, -two]):
                solver.add_clause(clause)

    def of(self, literal: int) -> int:
        value = self.values[literal & ~1]
        return -value if literal & 1 else value


class Conditions:
    """Two successive copies of the model and of the witness; shared inputs and latches are the same variables."""

    def __init__(self, model: Aiger, bad: int, witness: Aiger) -> None:
        self.model, self.bad, self.witness = model, bad, witness
        self.solver = Solver(name="minisat22")
        self.solver.add_clause([1])
        self.fresh = [1]
        self.shared = {}
        for letter, literals in (("i", witness.inputs), ("l", [latch.literal for latch in witness.latches])):
            for number, literal in enumerate(literals):
                name = witness.symbols.get((letter, number), "")
                if name.startswith("="):
                    self.shared[literal] = int(name[1:])
        self.models, self.witnesses = [], []
        for _ in range(2):
            leaves = {literal: self.new() for literal in self.leaves(model)}
            own = {
                literal: leaves[self.shared[literal]] if literal in self.shared else self.new()
                for literal in self.leaves(witness)
            }
            self.models.append(Copy(self.solver, model, leaves, self.fresh))
            self.witnesses.append(Copy(self.solver, witness, own, self.fresh))

    def leaves(self, graph: Aiger) -> list[int]:
        return [*graph.inputs, *(latch.literal for latch in graph.latches)]

    def new(self) -> int:
        self.fresh[0] += 1
        return self.fresh[0]

    def resets(self, graph: Aiger, copy: Copy, only: set[int]) -> list[int]:
        latches = [latch for latch in graph.latches if latch.literal in only and latch.reset in (0, 1)]
        return [copy.of(latch.literal) if latch.reset else -copy.of(latch.literal) for latch in latches]

    def steps(self, graph: Aiger, copies: list[Copy], only: set[int]) -> list[tuple[int, int]]:
        latches = [latch for latch in graph.latches if latch.literal in only]
        return [(copies[1].of(latch.literal), copies[0].of(latch.next)) for latch in latches]

    def failing(self) -> list[str]:
        """The conditions that do not hold."""
        model, witness = self.model, self.witness
        (m0, m1), (w0, w1) = self.models, self.witnesses
        shared = set(self.shared)
        constrained = [m0.of(literal) for literal in model.constraints]
        own = [w0.of(literal) for literal in witness.constraints]
        later = [m1.of(literal) for literal in model.constraints]
        own_later = [w1.of(literal) for literal in witness.constraints]
        good, good_later = -w0.of(witness.bad[0]), -w1.of(witness.bad[0])
        all_own = {latch.literal for latch in witness.latches}
        reset = [*self.resets(model, m0, set(self.shared.values())), *constrained]
        failed = []
        if any(self.possible([*reset, -each]) for each in [*self.resets(witness, w0, shared), *own]):
            failed.append("reset")
        moved = self.equal(self.steps(model, self.models, set(self.shared.values())))
        step = [moved, *constrained, *later, *own]
        wanted = [self.equal(self.steps(witness, self.witnesses, shared)), *own_later]
        if any(self.possible([*step, -each]) for each in wanted):
            failed.append("transition")
        if self.possible([*constrained, *own, good, m0.of(self.bad)]):
            failed.append("property")
        if self.possible([*self.resets(witness, w0, all_own), *own, -good]):
            failed.append("base")
        moved_own = self.equal(self.steps(witness, self.witnesses, all_own))
        if self.possible([good, moved_own, *own, *own_later, -good_later]):
            failed.append("step")
        return failed

    def equal(self, pairs: list[tuple[int, int]]) -> int:
        """A variable that is true exactly if all pairs are equal."""
        equals = []
        for a, b in pairs:
            each = self.new()
            equals.append(each)
            for clause in ([-each, -a, b], [-each, a, -b], [each, a, b], [each, -a, -b]):
                self.solver.add_clause(clause)
        whole = self.new()
        for each in equals:
            self.solver.add_clause([-whole, each])
        self.solver.add_clause([whole, *(-each for each in equals)])
        return whole

    def possible(self, literals: list[int]) -> bool:
        return self.solver.solve(assumptions=literals)


def failing(model: Aiger, bad: int, witness: Aiger) -> list[str]:
    # What is checked is what a file says.
    return Conditions(model, bad, parse(ascii_text(witness).encode(), "witness.aag")).failing()


def proofs(system, methods=("pdr", "k-induction", "monolithic")):
    for method in methods:
        for checked in system.properties:
            options = SmvOptions(bound=12) if method == "k-induction" else SmvOptions()
            result = METHODS.function(method)(system, checked, options, no_progress)
            certificate = result.certificate
            refused = isinstance(certificate, Induction) and certificate.distinct
            if result.verdict is Verdict.HOLDS and not refused:
                yield checked, certificate


def test_random_graphs(tmp_path: Path) -> None:
    random, seen = Random(5), set()
    for _ in range(40):
        graph = random_aiger.random_graph(random, 5)
        path = tmp_path / "model.aag"
        path.write_text(ascii_text(graph))
        system = read_aiger(path)
        for checked, certificate in proofs(system):
            witness = witness_circuit(system, checked, certificate)
            assert failing(graph, graph.bad[checked.index], witness) == []
            seen.add((certificate.kind, getattr(certificate, "steps", 0) > 1))
    assert seen == {("induction", False), ("induction", True), ("inductive-set", False)}


@pytest.mark.parametrize("method", ["pdr", "k-induction", "monolithic"])
def test_smv_words_and_choices(method: str) -> None:
    system = read_text(COUNTER)
    found = list(proofs(system, (method,)))
    assert found
    for checked, certificate in found:
        exported = to_aiger(system, [checked])
        assert failing(exported.graph, exported.graph.bad[0], witness_circuit(system, checked, certificate)) == []


def test_a_weaker_invariant_fails() -> None:
    system = read_text(COUNTER)
    checked, certificate = next(proofs(system, ("pdr",)))
    assert certificate.clauses
    weaker = replace(certificate, clauses=())
    exported = to_aiger(system, [checked])
    assert failing(exported.graph, exported.graph.bad[0], witness_circuit(system, checked, weaker)) == ["step"]


def as_certificate(system, checked, witness: Aiger) -> WitnessCircuit:
    """The circuit as evidence: shared bits by the model's names, latches that only the export has on their own."""
    exported = to_aiger(system, [checked])
    meaning = {
        literal: (name, index, False) for name, bits in exported.bits.items() for index, literal in enumerate(bits)
    }
    for number, literal in enumerate(exported.graph.inputs):
        name = exported.graph.symbols["i", number]
        if name.endswith("'"):
            word, _, index = name[:-1].partition("[")
            meaning[literal] = (word, int(index[:-1]) if index else 0, True)
    shared = {key: int(name[1:]) for key, name in witness.symbols.items()}
    inputs = tuple(meaning.get(shared.get(("i", k), -1)) for k in range(len(witness.inputs)))
    latches = tuple(meaning.get(shared.get(("l", k), -1)) for k in range(len(witness.latches)))
    return WitnessCircuit(ascii_text(witness), inputs, latches)


@pytest.mark.parametrize("method", ["pdr", "k-induction", "monolithic"])
def test_certify_accepts_a_circuit_and_no_weaker_one(method: str) -> None:
    system = read_text(COUNTER)
    for checked, certificate in proofs(system, (method,)):
        witness = witness_circuit(system, checked, certificate)
        assert check_certificate(system, checked, as_certificate(system, checked, witness))
        # The second property is inductive without help.
        weaker = [replace(witness, bad=(0,))] if checked.index == 0 else []
        for wrong in (replace(witness, bad=(witness.bad[0] ^ 1,)), *weaker):
            with pytest.raises(CertificationError):
                check_certificate(system, checked, as_certificate(system, checked, wrong))


def test_certify_does_not_believe_what_a_circuit_says_of_shared_latches() -> None:
    system = read_text("MODULE main VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := TRUE; INVARSPEC !x")
    lying = "aag 1 0 1 1 0\n2 2\n2\n"
    certificate = WitnessCircuit(lying, (), (("x", 0, False),))
    with pytest.raises(CertificationError):
        check_certificate(system, system.properties[0], certificate)


def test_an_induction_over_paths_without_a_repeated_state_is_refused() -> None:
    system = read_text(COUNTER)
    with pytest.raises(UnsupportedError, match="without a repeated state"):
        witness_circuit(system, system.properties[0], Induction(3, (), (), distinct=True))

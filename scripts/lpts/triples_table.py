"""Bounds of whole systems by assume-guarantee triples, by the product of all components, and by Storm.

    python -m scripts.lpts.triples_table [--storm PYTHON] [--seconds N] [--repeat N] [--show NAME] [NAME ...]

Five families: clients and a server (models/lpts/client_server.py: ASym), a chain of relays (ASym-N), a handshake
(Circ), workers that share jobs (costs), and the csma models of the public suite. Each asks for a bound that the triples
prove exactly; of the whole system it is the best one, except of csma. CPU seconds are
those of the whole command with start, reading, building and re-check, the median of the runs. Storm's, by PYTHON
with stormpy 2, are those of reading, building and checking the same text without its start: `Pmax` or `Rmax` of the
whole system by its sparse engine and by its decision diagrams, and of one triple by its multi-objective engine (*
if it says that there is no scheduler). A cell without an answer in the seconds has -. Exit status 1 if an answer
differs. --show prints the model and the triples of a row.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from scripts.measuring.measure import ROOT, SYMAG, run, suites

STORM = """
import json, sys, time, stormpy
started = time.process_time()
program = stormpy.parse_prism_program(sys.argv[1])
formula = stormpy.parse_properties(sys.argv[2], program)[0]
if sys.argv[3] == "dd":
    model = stormpy.build_symbolic_model(program, [formula])
    result = stormpy.model_checking(model, formula)
    result.filter(stormpy.create_filter_initial_states(model))
    value = result.get_max()
else:
    model = stormpy.build_model(program, [formula])
    result = stormpy.model_checking(model, formula)
    value = result.get_value(model.initial_states[0]) if hasattr(result, "get_value") else None
print(json.dumps([value, model.nr_states, time.process_time() - started]))
"""


@dataclass(frozen=True, slots=True)
class Row:
    """A system: its modules by name, its monitors, triples, and what is asked of it; Storm's query of the whole.

    ``multi`` is a component and Storm's query of its product with the monitors.
    """

    name: str
    modules: dict[str, str]
    monitors: str
    triples: tuple[str, ...]
    goal: str
    bound: Fraction
    storm: str
    multi: tuple[str, str] | None = None
    definitions: str = "mdp\n"
    tight: bool = True  # whether it is the best bound of the whole system

    def model(self) -> str:
        return self.definitions + "".join(self.modules.values())

    def triples_text(self, most: str) -> str:
        lines = "".join(
            f"  {triple};\n" for triple in (*self.triples, f'"system": <> system <{self.goal.format(most)}>')
        )
        return f"{self.monitors}\ntriples\n{lines}endtriples\n"


def monitor(name: str, actions: Sequence[tuple[str, str, str]], size: int = 2) -> str:
    """A complete monitor with the states 0 to ``size``: (action, state, next state); else it stays."""
    lines = [f"module {name}", f"  {name}_m : [0..{size}];"]
    for action in dict.fromkeys(action for action, _, _ in actions):
        moving = [state for other, state, _ in actions if other == action]
        lines += [f"  [{action}] {name}_m={s} -> ({name}_m'={t});" for other, s, t in actions if other == action]
        lines.append(f"  [{action}] {' & '.join(f'{name}_m!={state}' for state in moving)} -> true;")
    return "\n".join([*lines, "endmodule", f'label "{name}" = {name}_m={size};', ""])


def clients(count: int) -> Row:
    command = [sys.executable, "-B", str(ROOT / "models/lpts/client_server.py"), str(count), "--failing", "one"]
    text = run(command, 60).output
    parts = ["module " + part for part in text.split("\nmodule ")[1:]]
    modules = {part.split()[1]: part[: part.index("endmodule")] + "endmodule\n" for part in parts}
    monitors = monitor("rogue", [("grant1", "0", "1"), ("cancel1", "1", "0"), ("use1", "0", "2")])
    monitors += monitor("clash", [("grant2", "0", "1"), ("cancel2", "1", "0"), ("use1", "1", "2")])
    triples = ('<> client1 <P<=0.1 [F "rogue"]>', '<P<=0.1 [F "rogue"]> server <P<=0.1 [F "clash"]>')
    multi = ("server", 'multi(Pmax=? [F "clash"], P<=0.1 [F "rogue"])')
    return Row(
        f"clients {count}",
        modules,
        monitors,
        triples,
        'P<={} [F "clash"]',
        Fraction(1, 10),
        'Pmax=? [F "clash"]',
        multi,
    )


def relays(count: int, work: int = 4) -> Row:
    modules = {"source": "module source\n  sent : bool;\n  [good0] !sent -> (sent'=true);\nendmodule\n"}
    monitors, triples, wrong = "", [], Fraction(0)
    for k in range(1, count + 1):
        bad = f"  [bad{k - 1}] x{k}=0 -> (x{k}'=2);\n" if k > 1 else ""
        modules[f"relay{k}"] = (
            f"module relay{k}\n  x{k} : [0..3];\n  w{k} : [0..{work}];\n  [] w{k}<{work} -> (w{k}'=w{k}+1);\n"
            f"  [good{k - 1}] x{k}=0 -> 99/100 : (x{k}'=1) + 1/100 : (x{k}'=2);\n{bad}"
            f"  [good{k}] x{k}=1 & w{k}={work} -> (x{k}'=3);\n"
            f"  [bad{k}] x{k}=2 & w{k}={work} -> (x{k}'=3);\nendmodule\n"
        )
        monitors += monitor(f"wrong{k}", [(f"bad{k}", "0", "1")], 1)
        assumed = f'P<={wrong} [F "wrong{k - 1}"]' if k > 1 else ""
        before, wrong = wrong, wrong + (1 - wrong) / 100
        triples.append(f'<{assumed}> relay{k} <P<={wrong} [F "wrong{k}"]>')
    query = f'multi(Pmax=? [F "wrong{count}"], P<={float(before)} [F "wrong{count - 1}"])'
    goal = f'[F "wrong{count}"]'
    multi = (f"relay{count}", query)
    return Row(f"relays {count}", modules, monitors, tuple(triples), f"P<={{}} {goal}", wrong, f"Pmax=? {goal}", multi)


def handshake(work: int) -> Row:
    one = (
        f"module one\n  x : [0..6];\n  v : [0..{work}];\n  [] v<{work} -> (v'=v+1);\n"
        "  [start] x=0 -> 49/50 : (x'=1) + 1/50 : (x'=2);\n  [ping] x=1 -> (x'=3);\n  [garbled] x=2 -> (x'=3);\n"
        f"  [pong] x=3 -> (x'=5);\n  [wrong] x=3 -> (x'=4);\n  [crash] x=4 & v={work} -> (x'=6);\nendmodule\n"
    )
    two = (
        f"module two\n  y : [0..3];\n  w : [0..{work}];\n  [] w<{work} -> (w'=w+1);\n"
        "  [ping] y=0 -> 19/20 : (y'=1) + 1/20 : (y'=2);\n  [garbled] y=0 -> (y'=2);\n"
        f"  [pong] y=1 & w={work} -> (y'=3);\n  [wrong] y=2 & w={work} -> (y'=3);\nendmodule\n"
    )
    monitors = "".join(
        monitor(name, [(action, "0", "1")], 1)
        for name, action in (("garbling", "garbled"), ("failing", "wrong"), ("crashed", "crash"))
    )
    triples = (
        '<> one <P<=0.02 [F "garbling"]>',
        '<P<=0.02 [F "garbling"]> two <P<=0.069 [F "failing"]>',
        '<P<=0.069 [F "failing"]> one <P<=0.069 [F "crashed"]>',
    )
    multi = ("two", 'multi(Pmax=? [F "failing"], P<=0.02 [F "garbling"])')
    goal = '[F "crashed"]'
    name = f"handshake {work}"
    return Row(
        name,
        {"one": one, "two": two},
        monitors,
        triples,
        f"P<={{}} {goal}",
        Fraction(69, 1000),
        f"Pmax=? {goal}",
        multi,
    )


def workers(count: int, jobs: int = 20) -> Row:
    takes = "".join(f"  [job{k}] n<{jobs} -> (n'=n+1);\n" for k in range(1, count + 1))
    modules = {"source": f"module source\n  n : [0..{jobs}];\n{takes}endmodule\n"}
    for k in range(1, count + 1):
        modules[f"worker{k}"] = (
            f"module worker{k}\n  x{k} : [0..4];\n  [job{k}] x{k}=0 -> (x{k}'=1);\n"
            f"  [try{k}] x{k}=1 -> 9/10 : (x{k}'=3) + 1/10 : (x{k}'=2);\n  [retry{k}] x{k}=2 -> (x{k}'=1);\n"
            f"  [store{k}] x{k}=3 -> (x{k}'=4);\n  [ready{k}] x{k}=4 -> (x{k}'=0);\nendmodule\n"
        )
    monitors = "module none\n  none_m : bool;\n  [job1] true -> true;\nendmodule\n"
    monitors += 'rewards "jobs"\n  [job1] true : 1;\nendrewards\nrewards "retries"\n  [retry1] true : 1;\nendrewards\n'
    triples = (
        f'<> source <R{{"jobs"}}<={jobs} [C]>',
        f'<R{{"jobs"}}<={jobs} [C]> worker1 <R{{"retries"}}<={Fraction(jobs, 9)} [C]>',
    )
    query = 'R{"retries"}max=? [C]'
    goal = 'R{{"retries"}}<={} [C]'
    return Row(f"workers {count}", modules, monitors, triples, goal, Fraction(jobs, 9), query, None)


#: How long station 1 of the public csma models waits after its second collision: more than six ticks, three slots, only
#: if it draws the largest of four numbers. 0, 2: before it sends; 1, 3: while it sends; 4 to 10: waiting; 12: over.
_WAITING = """module late
  late_m : [0..12];
  [send1] late_m=0 -> (late_m'=1);
  [send1] late_m=2 -> (late_m'=3);
  [send1] late_m>=4 & late_m<=10 -> (late_m'=12);
  [send1] late_m=1 | late_m=3 | late_m>=11 -> true;
  [busy1] late_m=0 -> (late_m'=2);
  [busy1] late_m=2 -> (late_m'=4);
  [busy1] late_m>=4 & late_m<=10 -> (late_m'=12);
  [busy1] late_m=1 | late_m=3 | late_m>=11 -> true;
  [cd] late_m=1 -> (late_m'=2);
  [cd] late_m=3 -> (late_m'=4);
  [cd] late_m!=1 & late_m!=3 -> true;
  [end1] late_m=1 | late_m=3 -> (late_m'=12);
  [end1] late_m!=1 & late_m!=3 -> true;
  [time] late_m>=4 & late_m<=10 -> (late_m'=late_m+1);
  [time] late_m<4 | late_m>10 -> true;
endmodule
label "late" = late_m=11;
"""


def csma(name: str) -> Row:
    """A model of the public suite."""
    definitions, modules = (
        (suites().parent / "prism" / "mdps" / "csma" / f"csma{name}.nm").read_text().split("module", 1)
    )
    triples = ('<> station1 <P<=1/4 [F "late"]>',)
    goal = '[F "late"]'
    return Row(
        f"csma{name}",
        {"all": "module" + modules},
        _WAITING,
        triples,
        f"P<={{}} {goal}",
        Fraction(1, 4),
        f"Pmax=? {goal}",
        definitions=definitions,
        tight=False,
    )


def rows() -> list[Row]:
    return [
        *map(clients, (3, 6)),
        *map(relays, (3, 5)),
        *map(handshake, (10, 100)),
        *map(workers, (2, 5)),
        *map(csma, ("2_4", "3_2", "4_6")),
    ]


@dataclass(frozen=True, slots=True)
class Cell:
    """CPU seconds, None if there is no answer; the answer, and the number of states where it is known."""

    seconds: float | None
    answer: str | float | None = None
    states: int | None = None

    def __str__(self) -> str:
        if self.seconds is None:
            return "-"
        return f"{self.seconds:.2f}{'*' if self.answer is None else ''}"


def ours(model: Path, triples: Path, method: str, seconds: float, repeat: int) -> Cell:
    """symag's verdict of the last question of a file."""
    command = [*SYMAG, "check", str(model), "--triples", str(triples), "--property", "system", "--method", method]
    ran = [run([*command, "--json"], seconds, processor=True)]
    while len(ran) < repeat and not ran[0].stopped and ran[0].seconds < 10:
        ran.append(run([*command, "--json"], seconds, processor=True))
    if ran[0].stopped or ran[0].status not in (0, 10):
        return Cell(None)
    (result,) = json.loads(ran[0].output)["results"]
    states = result["statistics"].get("product_states_max")
    return Cell(statistics.median(done.seconds for done in ran), result["verdict"], states)


def storms(python: str, model: Path, query: str, engine: str, seconds: float, repeat: int) -> Cell:
    """Storm's value."""
    cells: list[Cell] = []
    while not cells or (len(cells) < repeat and cells[0].seconds is not None and cells[0].seconds < 10):
        ran = run([python, "-c", STORM, str(model), query, engine], seconds, processor=True)
        if ran.status != 0:
            return Cell(None)
        value, states, spent = json.loads(ran.output.splitlines()[-1])
        cells.append(Cell(spent, value, states))
    return Cell(statistics.median(cell.seconds or 0.0 for cell in cells), cells[0].answer, cells[0].states)


def measured(row: Row, folder: Path, options: argparse.Namespace) -> bool:
    """Print the line of a row; whether all answers agree."""
    model, triples = folder / "model.nm", folder / "file.triples"
    model.write_text(row.model())
    triples.write_text(row.triples_text(str(row.bound)))
    rule = ours(model, triples, "triples", options.seconds, options.repeat)
    whole = ours(model, triples, "monolithic", options.seconds, options.repeat)
    # Without slack the bound is the best one: a little less does not hold of the system.
    triples.write_text(row.triples_text(str(row.bound * 999 / 1000)))
    less = ours(model, triples, "monolithic", options.seconds, 1) if row.tight else Cell(None)
    sparse = dd = multi = Cell(None)
    if options.storm:
        together = folder / "together.nm"
        together.write_text(row.model() + row.monitors)
        limits = options.seconds, options.repeat
        sparse = storms(options.storm, together, row.storm, "sparse", *limits)
        dd = storms(options.storm, together, row.storm, "dd", *limits)
        if row.multi is not None:
            component, query = row.multi
            alone = folder / "alone.nm"
            alone.write_text("mdp\n" + row.modules[component] + row.monitors)
            multi = storms(options.storm, alone, query, "sparse", *limits)
    bound = float(row.bound)
    # The default precision of Storm's multi-objective engine is 1e-4.
    near = [(cell.answer, 1e-4 if cell is multi else 1e-5 * bound) for cell in (sparse, dd, multi)]
    agree = rule.answer == "holds" and whole.answer in ("holds", None) and less.answer in ("violated", None)
    for value, error in near:
        if isinstance(value, float):
            agree &= value <= bound + error and (value >= bound - error or not row.tight)
    cells = [row.name, str(row.bound), str(sparse.states or whole.states or "-"), str(rule.states)]
    print("|", " | ".join([*cells, str(rule), str(whole), str(sparse), str(dd), str(multi)]), "|", flush=True)
    if not agree:
        answers = ", ".join(str(cell.answer) for cell in (rule, whole, less, sparse, dd, multi))
        print(f"{row.name} differs: {answers}", file=sys.stderr)
    return agree


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only rows whose names contain it")
    parser.add_argument("--storm", metavar="PYTHON")
    parser.add_argument("--seconds", type=float, default=60.0, help="CPU seconds for a cell")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--show", metavar="NAME")
    options = parser.parse_args()
    chosen = [row for row in rows() if not options.names or any(name in row.name for name in options.names)]
    if options.show:
        for row in chosen:
            if row.name == options.show:
                print(row.model() + "\n// ---- the file of triples\n\n" + row.triples_text(str(row.bound)))
        return 0
    print("| system | bound | states, whole | largest product | triples | monolithic | Storm sparse | dd | multi |")
    print("|---|---|---|---|---|---|---|---|---|")
    agree = True
    for row in chosen:
        with tempfile.TemporaryDirectory() as folder:
            agree &= measured(row, Path(folder), options)
    return 0 if agree else 1


if __name__ == "__main__":
    raise SystemExit(main())

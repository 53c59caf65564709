"""Wires chosen by the size of the cut, units that stay whole, and what ``symag partition --why`` says of them."""

from __future__ import annotations

import json
from itertools import chain, combinations, product

from hypothesis import given, settings
from hypothesis import strategies as st

from symag.cli.smv.partition import command
from symag.smv import read_text
from symag.smv.aiger import read as read_aiger
from symag.smv.model.wires import wired
from symag.smv.partition import partitions
from symag.smv.partition.cut_wires import DefineGraph, assigned_partition, choices, cut_wired
from symag.smv.partition.hypergraph import units
from tests.partition.test_partitions import check_partition
from tests.small_systems import small_systems

#: Two stages of a handshake: ``sink`` reads four bits of ``source`` as one bit, which waits for ``ready``.
CHANNEL = """
MODULE main
VAR source : producer(sink.ready); sink : consumer(source.valid);
INVARSPEC !(sink.full & sink.late)
MODULE producer(ready)
VAR a : boolean; b : boolean; c : boolean; d : boolean;
ASSIGN next(a) := ready xor b; next(b) := c; next(c) := d & ready; next(d) := {TRUE, FALSE};
DEFINE valid := a & b | c & d;
MODULE consumer(valid)
VAR full : boolean; late : boolean; n : boolean; m : boolean;
ASSIGN next(full) := valid & ready; next(late) := full xor n; next(n) := m; next(m) := valid;
DEFINE ready := !(full & late) | n & m;
"""


def test_a_channel_is_cut_at_its_signals():
    system = read_text(CHANNEL)
    plain = partitions(system, 2, 1.0)[0]
    cut = cut_wired(system, None, (2,), 1.0)
    assert {name for name, _ in cut.wires} == {"source.valid.wire", "sink.ready.wire"}
    best = partitions(cut.system, 2, 1.0, weightless=[name for name, _ in cut.wires])[0]
    check_partition(best, cut.system, frozenset(name for name, _ in cut.wires))
    assert (plain.io_bits, best.io_bits) == (6, 2)


@settings(max_examples=60, deadline=None)
@given(small_systems(), st.lists(st.integers(0, 1), min_size=12, max_size=12))
def test_no_other_wires_over_one_part_show_fewer_bits(flat, places):
    """Every set of DEFINEs over variables of one part, for random parts of random systems."""
    names = [variable.name for variable in flat.variables]
    parts = [{n for n, place in zip(names, places, strict=False) if place == number} for number in (0, 1)]
    plain = wired(flat, None, "none")
    graph = DefineGraph.of(flat)
    home = {}
    for name in graph.operands:
        for number, part in enumerate(parts):
            if name in graph.over(frozenset(part)):
                home[name] = number
    if not all(parts) or len(home) > 6 or flat.invar or flat.init or flat.trans:
        return
    chosen = [assigned_partition(plain, parts, wires).io_bits for wires in choices(plain, graph, parts)]
    subsets = chain.from_iterable(combinations(sorted(home), size) for size in range(len(home) + 1))
    least = min(assigned_partition(plain, parts, {n: home[n] for n in subset}).io_bits for subset in subsets)
    assert min(chosen) <= least


@settings(max_examples=40, deadline=None)
@given(small_systems(), st.integers(2, 3), st.integers(0, 2), st.sampled_from(["variable", "word", "instance"]))
def test_partitions_with_chosen_wires_are_partitions(flat, count, seed, grain):
    if len(flat.variables) < count:
        return
    cut = cut_wired(flat, None, (count,), None, "metis", seed, grain)
    assert cut.wires == cut_wired(flat, None, (count,), None, "metis", seed, grain).wires
    for partition in partitions(cut.system, count, weightless=[name for name, _ in cut.wires], grain=grain):
        check_partition(partition, cut.system, frozenset(name for name, _ in cut.wires))


INSTANCES = """
MODULE main
VAR x : cell(y.out); y : cell(z.out); z : cell(x.out); lone : boolean;
ASSIGN next(lone) := x.out;
MODULE cell(given)
VAR first : boolean; second : boolean; out : boolean;
ASSIGN next(first) := given; next(second) := first xor second; next(out) := second & given;
"""


def test_instances_stay_whole():
    system = read_text(INSTANCES)
    for partition in partitions(system, 3, grain="instance"):
        for instance, part in product("xyz", partition.parts):
            assert sum(name.startswith(f"{instance}.") for name in part) in (0, 3)
    assert [unit.name for unit in units(system, "instance", 3)] == ["x", "y", "z"]
    assert units(system, "instance", 2) == ()


#: Four latches, two words of two bits each; w0 reads v1, v0 reads w1: by variables the cut goes through the words.
GRAPH = """aag 4 0 4 0 0 1
2 8 0
4 4 0
6 6 0
8 2 0
2
l0 v[0]
l1 v[1]
l2 w[0]
l3 w[1]
"""


def test_words_stay_whole(tmp_path):
    path = tmp_path / "words.aag"
    path.write_text(GRAPH)
    system = read_aiger(str(path))
    assert {frozenset(part) for part in partitions(system, 2, 1.0)[0].parts} != {
        frozenset({"v[0]", "v[1]"}),
        frozenset({"w[0]", "w[1]"}),
    }
    (whole,) = {partition.parts for partition in partitions(system, 2, 1.0, grain="word")}
    assert whole == (("v[0]", "v[1]"), ("w[0]", "w[1]"))


def test_partition_says_why(tmp_path, capsys):
    path = tmp_path / "channel.smv"
    path.write_text(CHANNEL)
    options = [str(path), "--wires", "cut", "--grain", "instance", "--imbalance", "1.0"]
    assert command.main([*options, "--why"], standalone_mode=False) == 0
    lines = capsys.readouterr().out.split("\n")
    assert lines[0].startswith("2 parts, 2 I/O variables (2 bits)")
    why = [line.removeprefix("  why:     ") for line in lines if line.startswith("  why: ")]
    assert why == [
        "instances that stay whole: source (4)",
        "channel source - sink of part 1: shows source.valid.wire; reads sink.ready.wire",
        "wires: source.valid.wire for 4 bits",
        "to move source to part 1 would add 3 I/O bits, and the parts would be out of balance",
        "instances that stay whole: sink (4)",
        "channel sink - source of part 0: shows sink.ready.wire; reads source.valid.wire",
        "wires: sink.ready.wire for 4 bits",
        "to move sink to part 0 would add 3 I/O bits, and the parts would be out of balance",
    ]
    assert command.main([*options, "--json"], standalone_mode=False) == 0
    document = json.loads(capsys.readouterr().out)
    why = [part["why"] for part in document["partition"]["parts"]]
    assert [item["wires"] for item in why] == [
        [{"name": "source.valid.wire", "bits": 4}],
        [{"name": "sink.ready.wire", "bits": 4}],
    ]
    assert why[0]["move"] == {"name": "source", "target": 1, "io_bits": 3, "out_of_balance": True}

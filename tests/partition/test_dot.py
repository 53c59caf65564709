"""The picture of a partition: every variable once, in the cluster of its part; arrows for reading."""

from __future__ import annotations

import re

from symag.smv.model.types import RangeType
from symag.smv.partition import partitions
from symag.smv.partition.dot import dot_text
from tests.small_systems import op, system, var


def test_nodes_clusters_and_arrows() -> None:
    flat = system(
        ["a", "b", 'odd"name', "y"],
        "i",
        types={"a": RangeType(0, 5)},
        assign=[("b", "next", var("a")), ("y", "next", op("and", var('odd"name'), var("i"))), ("a", "next", var("y"))],
    )
    partition = partitions(flat, 2, 1.4)[0]
    text = dot_text(partition)
    clusters = re.findall(r"subgraph cluster_\d+ \{(.*?)\n  \}", text, re.DOTALL)
    nodes = [re.findall(r'^    ("(?:[^"\\]|\\.)*") \[', c, re.MULTILINE) for c in clusters]
    assert nodes == [[f'"{n}"'.replace('odd"', 'odd\\"') for n in part] for part in partition.parts]
    arrows = re.findall(r'^  ("(?:[^"\\]|\\.)*" -> "(?:[^"\\]|\\.)*") \[color="(\S+)"', text, re.MULTILINE)
    assert [a for a, _ in arrows] == ['"a" -> "b"', '"odd\\"name" -> "y"', '"y" -> "a"', '"i" -> "y"']
    crossing = [a for a, colour in arrows if colour != "#bbbbbb"]
    assert [a.split('"')[1] for a in crossing] == list(partition.io)
    assert 'label="a [3]"' in text
    assert "invtriangle" in text
    assert "peripheries" not in text
    marked = [line for line in dot_text(partition, {"b", "i"}).splitlines() if "peripheries=2" in line]
    assert sorted(line.split('"')[1] for line in marked) == ["b", "i"]

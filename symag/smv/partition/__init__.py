"""Cutting a flat system's variables into parts (paper, Section 3)."""

from symag.smv.partition.hypergraph import Hyperedge, Hypergraph, hypergraph
from symag.smv.partition.partitioners import partitions
from symag.smv.partition.parts import Partition, partition_of

__all__ = ["Hyperedge", "Hypergraph", "Partition", "hypergraph", "partition_of", "partitions"]

"""Cutting a flat system's variables into parts (paper, Section 3)."""

from symag.partition.hypergraph import Hyperedge, Hypergraph, hypergraph
from symag.partition.partitioners import partitions
from symag.partition.parts import Partition, partition_of

__all__ = ["Hyperedge", "Hypergraph", "Partition", "hypergraph", "partition_of", "partitions"]

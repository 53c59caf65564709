"""L*: teachers, explicit and symbolic observation tables, counterexamples."""

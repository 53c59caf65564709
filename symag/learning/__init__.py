"""L*: teachers, observation tables explicit and symbolic, counterexamples."""

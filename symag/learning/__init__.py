"""L*: teachers, explicit and symbolic observation tables, counterexamples; separating automata over sets of letters."""

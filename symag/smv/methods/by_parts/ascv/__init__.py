"""The algorithms of Rule-S and Rule-G: learners, premises, counterexamples."""

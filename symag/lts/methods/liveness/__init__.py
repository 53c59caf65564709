"""Progress and assertions by the method ``agar``: modal abstractions of the parts, refined by counterexamples."""

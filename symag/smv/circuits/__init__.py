"""Models as and-inverter graphs, which the SAT engines search. Certificates are re-checked without this package."""

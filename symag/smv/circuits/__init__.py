"""Models as and-inverter graphs: what the SAT engines search. Certificates are re-checked without this package."""

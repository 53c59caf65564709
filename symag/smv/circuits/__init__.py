"""Models as and-inverter graphs for the SAT engines. Certificates are re-checked without this package."""

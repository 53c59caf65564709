"""The models of the coupled and paper suites are read."""

from __future__ import annotations

import symag.smv


def test_a_small_model_is_flat() -> None:
    system = symag.smv.read_text(
        "MODULE cell(up)\nVAR x : boolean;\nASSIGN init(x) := FALSE; next(x) := up.x xor x;\n"
        "MODULE main\nVAR a : cell(b); b : cell(a);\nINVARSPEC !(a.x & b.x)"
    )
    assert [variable.name for variable in system.variables] == ["a.x", "b.x"]
    assert [property.text for property in system.properties] == ["!(a.x & b.x)"]

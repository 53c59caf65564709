"""Progress and assertions: modal abstractions of the parts (the method ``agar``), and automata for assertions."""

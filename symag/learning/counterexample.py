"""The exception of learners for a word that is not a counterexample."""


class NotACounterexample(ValueError):  # noqa: N818 - a statement about the word, not a fault of the program
    """The conjecture already answers correctly for the word that should refine it."""

"""What learners say about a word that teaches them nothing."""


class NotACounterexample(ValueError):  # noqa: N818 - a statement about the word, not a fault of the program
    """The word that was given to refine the conjecture is treated correctly by it."""

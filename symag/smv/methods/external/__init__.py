"""Model checkers that others wrote, as methods: what they say is believed only where our own re-check can follow.

``files`` writes the model for them and reads what they write, ``running`` runs them, ``decision`` is the method.
"""

"""External model checkers as a method: their answers count only where symag's own re-check accepts the evidence.

``files`` writes the model for them and reads their evidence, ``running`` runs them, ``decision`` is the method.
"""

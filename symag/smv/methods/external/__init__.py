"""External model checkers as a method: their answers count only where symag's own re-check accepts the evidence.

``command_line`` reads the command, ``files`` writes the model for it and reads its evidence, ``running`` runs it,
``decision`` is the method.
"""

"""External model checkers as a method: their answers count only where symag's own re-check accepts the evidence.

``command_line`` reads the command, ``files`` writes its model and reads its evidence, ``decision`` is the method.
"""

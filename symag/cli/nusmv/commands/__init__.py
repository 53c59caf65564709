"""The commands of ``-int`` and ``-source``, a family in each file."""

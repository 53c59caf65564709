"""The commands of ``-int`` and ``-source``, related ones in one file."""

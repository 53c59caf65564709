"""What Rule-S and Rule-G share: from a flat system to modules, and from an outcome to a result.

The stages: cone of influence (a smaller flat system), wires (the property and, if asked, defines become
variables that a partition can cut at), encoding, partitions, modules.
"""

from __future__ import annotations

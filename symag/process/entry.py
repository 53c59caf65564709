"""What every process that symag starts runs: ``python -P entry.py MODULE ARGUMENT...``.

It is ``python -m MODULE ARGUMENT...`` without the current folder on ``sys.path``, where a ``click.py`` would take the
place of the library.
"""

import os.path
import runpy
import sys

if __name__ == "__main__":
    folder = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    # Behind everything else: it is needed where symag is not installed, and may hold other modules.
    if folder not in sys.path:
        sys.path.append(folder)
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)

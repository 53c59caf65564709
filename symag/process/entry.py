"""The script of every Python process that symag starts: ``python -P entry.py MODULE ARGUMENT...``.

It does what ``python -m MODULE ARGUMENT...`` does, without the current folder on ``sys.path``: a ``click.py`` there
would replace the library.
"""

import os.path
import runpy
import sys

if __name__ == "__main__":
    folder = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    # At the end of the path: it is needed only if symag is not installed, and may hold other modules.
    if folder not in sys.path:
        sys.path.append(folder)
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)

"""The console script, and ``python -m symag``."""

import os
import sys

import symag


def main() -> None:
    """Run the command line; an interrupt is reported in one line, also while modules are being imported."""
    try:
        if sys.argv[1:] == ["--version"]:
            # Scripts ask this often: no command and no library is imported for it. The command reports errors of
            # standard output.
            try:
                print(f"symag, version {symag.__version__}", flush=True)
                return
            except OSError:
                pass
        # Where an interrupt is caught.
        import gc

        # Models are large trees with hardly any cycles, and so are modules. Python looks for cyclic garbage every 700
        # objects, which costs a tenth of the time.
        gc.set_threshold(100_000, 20, 20)
        # numpy's OpenBLAS would start a thread for each processor (20 ms), and again in every process that is forked;
        # searches are processes that share the processors already.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        # After the quick answer, for start-up.
        import signal

        if sys.argv[1:2] != ["nusmv"]:  # whose shell goes on after an interrupt
            for number in (signal.SIGTERM, signal.SIGHUP):
                if signal.getsignal(number) is signal.SIG_DFL:
                    signal.signal(number, signal.default_int_handler)
        # After the quick answer, and where an interrupt is caught.
        from symag.cli.main import main as command

        command()
    except KeyboardInterrupt:
        print("symag: interrupted", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    if not sys.flags.safe_path:
        # ``python -m`` puts the current folder first, where any file may have the name of a module.
        del sys.path[0]
        sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    main()

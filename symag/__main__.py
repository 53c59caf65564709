"""The console script, and ``python -m symag``."""


def main() -> None:
    """Run the command line; an interrupt while it is still being imported is one, too."""
    try:
        from symag.cli.main import main as command

        command()
    except KeyboardInterrupt:
        import sys

        print("symag: interrupted", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()

"""The re-check of LTL and CTL: tableaux, positions of fair runs, and sets from which states are removed."""

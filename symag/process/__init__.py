"""One computation in a process of its own under limits, races of them, and trees of processes."""

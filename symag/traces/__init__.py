"""Runs as evidence: the trace value, and every format that it is written to and read back from.

``run`` is the value itself, ``report`` what there is to show of it; ``plain``, ``xml``, ``vcd`` and
``html`` are the formats (JSON is ``Trace.to_json`` inside symag's own documents of evidence).
"""

from symag.traces.run import Step, Trace, Value

__all__ = ["Step", "Trace", "Value"]

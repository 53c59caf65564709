"""Every format that runs are written to and read back from.

The trace value itself is ``symag.core.trace``. ``report`` is what there is to show of one; ``plain``, ``xml``,
``vcd`` and ``html`` are the formats (JSON is ``Trace.to_json`` inside symag's own documents of evidence).
"""

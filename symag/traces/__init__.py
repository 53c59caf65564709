"""The formats in which runs are written and read back.

The trace value itself is in ``symag.core.trace``. ``report`` adds the names and texts that are shown with it. The
formats are ``plain``, ``xml``, ``vcd`` and ``html`` (JSON is ``Trace.to_json`` in symag's own documents of evidence).
"""

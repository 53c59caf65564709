"""``symag nusmv``: the command line, the commands and the texts of NuSMV 2.6, with symag's methods.

The output follows NuSMV's line by line, so that a script that calls NuSMV can call this instead:
results on standard output, errors and warnings on standard error, NuSMV's exit statuses.
"""

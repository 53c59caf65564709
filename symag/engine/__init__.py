"""From a model and its properties to answers: methods, child processes under limits, re-checks."""

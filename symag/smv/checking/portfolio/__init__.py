"""Which methods race for an answer, and when each of them runs."""

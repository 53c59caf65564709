"""Rule-S and Rule-G: parts, assumptions, premises, and the learner's teacher."""

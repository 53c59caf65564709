"""FSP's and Aldebaran's text: tokens, syntax trees, evaluation, composites."""

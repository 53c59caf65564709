"""Proves a property of a changed model with the part of an earlier version's proof that still holds."""

#: The method in answers by an earlier proof, and its reason where it has no answer.
NAME = "reuse"
NO_PROOF = "no earlier proof proves the property any more"

"""The formats in which trees and walks of probabilistic systems are written."""

#: The first is that of a folder.
FORMATS = ("json",)
#: What messages call the models.
MODELS = "PRISM models"

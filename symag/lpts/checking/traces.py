"""The formats in which trees and walks of probabilistic systems are written."""

JSON = "json"
#: A page of HTML; that of a tree carries the JSON.
PAGE = "html"
#: The first is the format of the files in a folder.
FORMATS = (JSON, PAGE)
#: The word for these models in messages.
MODELS = "PRISM models"

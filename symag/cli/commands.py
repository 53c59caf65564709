"""The commands of ``symag``."""

from __future__ import annotations

from collections.abc import Mapping

#: Adding a command is one file and one line here: what it does, and its module, which is imported when it is used.
COMMANDS: Mapping[str, tuple[str, str]] = {
    "check": ("Decide the properties of models.", "symag.cli.check"),
    "info": ("Show the size of a model, and its properties.", "symag.cli.info"),
    "convert": ("Write a model in another format.", "symag.cli.convert"),
    "partition": ("Show the parts of an SMV model.", "symag.cli.smv.partition"),
    "facts": ("Print invariants of an SMV model's parts.", "symag.cli.smv.facts"),
    "contracts": ("Check what you say that each part guarantees.", "symag.cli.smv.contracts"),
    "certify": ("Check a certificate again.", "symag.cli.certify"),
    "replay": ("Run a trace again, and show it.", "symag.cli.replay"),
    "simulate": ("Show a run of a model, drawn or chosen by you.", "symag.cli.simulate"),
    "batch": ("Decide all properties of many models.", "symag.cli.batch"),
    "report": ("Show the results of a batch.", "symag.cli.report"),
    "tune": ("Find good settings for SMV models.", "symag.cli.smv.tune"),
    "schema": ("Print the JSON Schema of what a command prints.", "symag.cli.schema"),
    "nusmv": ("Behave as NuSMV: its options, commands, texts.", "symag.cli.nusmv.command"),
    "help": ("Show a page of the manual.", "symag.cli.manual.command"),
}

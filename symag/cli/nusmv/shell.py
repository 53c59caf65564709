"""NuSMV's command interpreter: lines to commands, from a script or from standard input."""

from __future__ import annotations

import os
import random
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TextIO

from symag.cli.nusmv.checking import Checker, Traces
from symag.cli.nusmv.commands.registry import COMMANDS, NOT_SUPPORTED, SEPARATOR, ShellCommand, Stage
from symag.cli.nusmv.environment import Environment
from symag.cli.nusmv.model import SessionModel
from symag.cli.nusmv.properties import PropertyDatabase
from symag.cli.nusmv.streams import CommandError, Quit, Streams
from symag.core.trace import Value

PROMPT = "NuSMV > "
#: The program ends after this many complaints about the end of standard input.
_ENDS_OF_INPUT = 6
_WORD = re.compile(r'"([^"]*)"?|\'([^\']*)\'?|([^\s;"\']+)|(;)')
_SCRIPT_FAILED = 255


@dataclass(slots=True)
class TracePosition:
    """A state of a trace, both numbered from 1."""

    trace: int
    state: int


@dataclass(slots=True)
class Shell:
    """A session: its state, and the functions that run its commands."""

    environment: Environment
    streams: Streams
    model: SessionModel | None = None
    database: PropertyDatabase | None = None
    checker: Checker | None = None
    traces: Traces = field(default_factory=Traces)
    position: TracePosition | None = None
    aliases: dict[str, str] = field(default_factory=dict)
    history: list[str] = field(default_factory=list)
    # As NuSMV's, the random choices are the same in every run.
    random: random.Random = field(default_factory=lambda: random.Random(1))
    started: float = field(default_factory=time.process_time)
    timed: float = field(default_factory=time.process_time)
    input: TextIO | None = None

    def run(self, script: str | None, standard_input: TextIO) -> int:
        """Runs a script, then the commands on standard input until ``quit``; the exit status."""
        self.input = standard_input
        try:
            if script is not None:
                if not os.path.exists(script):
                    self.streams.error("No such file or directory. Exiting...")
                    return _SCRIPT_FAILED
                self.source(script)
            return self._read_commands(standard_input)
        except Quit as end:
            return end.status
        finally:
            self.forget_model()

    def _read_commands(self, standard_input: TextIO) -> int:
        for ends in range(_ENDS_OF_INPUT):
            while True:
                self.streams.write(PROMPT)
                self.streams.flush()
                line = standard_input.readline()
                if not line:
                    break
                self.run_line(line)
            if standard_input.isatty():
                self.streams.line()
                break
            if ends + 1 < _ENDS_OF_INPUT:
                self.streams.error('\nUse "quit" to leave NuSMV.')
        self.streams.line()
        return 0

    def source(self, path: str) -> bool:
        """Runs the commands of a file up to the first that fails; False if one failed.

        With ``on_failure_script_quits`` a failure raises Quit. Raises CommandError if there is no file.
        """
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                lines = file.read().splitlines()
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}") from None
        for line in lines:
            if not self.run_line(line):
                self.streams.error(f"aborting 'source {path}'")
                if self.environment.enabled("on_failure_script_quits"):
                    raise Quit(_SCRIPT_FAILED)
                return False
        return True

    def run_line(self, line: str) -> bool:
        """Runs the commands of one line up to the first that fails; False if one failed. Raises Quit."""
        if line.strip():
            self.history.append(line.rstrip("\n"))
        for words in self._commands(line):
            try:
                self._run(words)
            except CommandError as error:
                if error.text:
                    self.streams.error(error.text)
                return False
            except KeyboardInterrupt:
                self.streams.error("\nsymag: interrupted")
                return False
            finally:
                self.streams.flush()
        return True

    def _commands(self, line: str) -> Iterator[list[str]]:
        """The commands of a line as words: quotes removed, ``$variables`` and aliases replaced."""
        if line.lstrip().startswith("#"):
            return
        words: list[str] = []
        for match in _WORD.finditer(line.partition(" #")[0] if '"' not in line else line):
            if match[4] is not None:
                yield from self._unaliased(words)
                words = []
            else:
                words.append(self._expanded(next(group for group in match.groups() if group is not None)))
        yield from self._unaliased(words)

    def _expanded(self, word: str) -> str:
        return re.sub(r"\$(\w+)", lambda match: self.environment.text(match[1]) or match[0], word)

    def _unaliased(self, words: list[str]) -> Iterator[list[str]]:
        if not words:
            return
        replacement = self.aliases.get(words[0])
        if replacement is None:
            yield words
            return
        first = [next(group for group in match.groups() if group is not None) for match in _WORD.finditer(replacement)]
        yield [*first, *words[1:]]

    def _run(self, words: list[str]) -> None:
        name, *arguments = words
        command = COMMANDS.get(name)
        if command is None:
            if name in NOT_SUPPORTED:
                raise CommandError(f"symag: the command '{name}' is not supported: {NOT_SUPPORTED[name]}")
            raise CommandError(f"unknown command '{name}'")
        options, rest = self._parsed(command, name, arguments)
        if "h" in options:
            raise CommandError(command.usage(name))  # as NuSMV does: it ends a script
        if len(rest) > command.most or len(rest) < command.least:
            raise CommandError(command.usage(name))
        self.require(command.stage)
        with self.streams.into(options.get("o") if command.output else None, command.announced):
            command.load()(self, options, rest)

    def _parsed(self, command: ShellCommand, name: str, arguments: list[str]) -> tuple[dict[str, str], list[str]]:
        """Options by letter (those without an argument have an empty text), and the other words."""
        options: dict[str, str] = {}
        rest = list(arguments)
        while rest and rest[0].startswith("-") and len(rest[0]) > 1:
            letters = rest.pop(0)[1:]
            while letters:
                letter, letters = letters[0], letters[1:]
                if letter != "h" and letter not in command.options:
                    raise CommandError(f"{name}: unknown option {letter}\n{command.usage(name)}")
                if letter == "h" or command.options[letter] is None:
                    options[letter] = ""
                    continue
                if not letters and not rest:
                    raise CommandError(f"{name}: option requires an argument -- {letter}\n{command.usage(name)}")
                text = letters or rest.pop(0)
                again = letter in options and letter in command.repeated
                options[letter] = f"{options[letter]}{SEPARATOR}{text}" if again else text
                letters = ""
        return options, rest

    def require(self, stage: Stage) -> None:
        """Raises CommandError if the model has not reached this stage."""
        if stage is not Stage.NONE and self.model is None:
            raise CommandError('A model must be read before. Use the "read_model" command.')
        model = self.model
        if model is None:
            return
        if stage >= Stage.FLAT and model.flat is None:
            raise CommandError('The hierarchy must be flattened before. Use the "flatten_hierarchy" command.')
        if stage >= Stage.ENCODED and not model.encoded:
            raise CommandError('The variables must be built before. Use the "encode_variables" command.')
        if stage >= Stage.BUILT and not model.built:
            raise CommandError('A model must be built before. Use the "build_model" command.')

    def forget_model(self) -> None:
        """Forget the model, its traces and results; ends the process that decides."""
        if self.checker is not None:
            self.checker.close()
        self.model = self.database = self.checker = self.position = None
        self.traces = Traces()

    def state_at(self, position: TracePosition) -> Mapping[str, Value]:
        """The values of a state of a trace."""
        return self.traces.raw[position.trace - 1].steps[position.state - 1].state

    @property
    def known_model(self) -> SessionModel:
        """The model; for commands whose stage requires one."""
        assert self.model is not None
        return self.model

    @property
    def known_database(self) -> PropertyDatabase:
        """The properties; for commands after ``flatten_hierarchy``."""
        assert self.database is not None
        return self.database

    def known_checker(self) -> Checker:
        """The checker of the present model, made on first use."""
        if self.checker is None:
            model, database = self.known_model, self.known_database
            self.checker = Checker(model, database, self.environment, self.streams, self.traces)
        return self.checker

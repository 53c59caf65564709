"""NuSMV's command interpreter: lines to commands, from a script or from standard input."""

from __future__ import annotations

import os
import random
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TextIO

from symag.cli.nusmv.checking import Checker, Traces
from symag.cli.nusmv.commands.registry import COMMANDS, NOT_SUPPORTED, SEPARATOR, ShellCommand, Stage
from symag.cli.nusmv.environment import Environment
from symag.cli.nusmv.lines import History, commands_of, first_command, with_values
from symag.cli.nusmv.model import SessionModel
from symag.cli.nusmv.properties import PropertyDatabase
from symag.cli.nusmv.reports import unrolled
from symag.cli.nusmv.streams import CommandError, Quit, Streams
from symag.core.trace import Value

PROMPT = "NuSMV > "
#: The program ends after this many complaints about the end of standard input.
_ENDS_OF_INPUT = 6
_MOST_ALIASES = 20
#: Files that source each other end here.
_MOST_NESTED = 50
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
    aliases: dict[str, list[str]] = field(init=False)
    history: History = field(default_factory=History)
    # As NuSMV's, the random choices are the same in every run.
    random: random.Random = field(default_factory=lambda: random.Random(1))
    started: float = field(default_factory=time.process_time)
    timed: float = field(default_factory=time.process_time)
    input: TextIO | None = None
    nested: int = 0

    def __post_init__(self) -> None:
        # What the start-up file that comes with NuSMV defines.
        self.aliases = {} if self.environment.enabled("ignore_init_file") else {"q": ["quit"]}

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
        except CommandError as error:
            self.streams.error(f"{error.text}. Exiting...")
            return _SCRIPT_FAILED
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
                self._run_input(line)
            if standard_input.isatty():
                self.streams.line()
                break
            if ends + 1 < _ENDS_OF_INPUT:
                self.streams.error('\nUse "quit" to leave NuSMV.')
        self.streams.line()
        return 0

    def _run_input(self, line: str) -> None:
        """Runs a line of standard input, and keeps it for later ones. Raises Quit."""
        succeeded = self._run_substituted(line.rstrip("\r\n"), kept=True)
        if not succeeded and self.environment.enabled("on_failure_script_quits"):
            raise Quit(_SCRIPT_FAILED)

    def _run_substituted(self, line: str, *, kept: bool = False) -> bool:
        try:
            text, changed = self.history.substituted(line)
        except CommandError as error:
            self.streams.error(error.text)
            return False
        if kept and changed:
            self.streams.line(text)
        if kept and text.strip():
            self.history.lines.append(text)
        return self.run_line(text)

    def source(self, path: str, prompt: bool = False, echo: bool = False) -> bool:
        """Runs the commands of a file up to the first that fails; False if one failed.

        With ``prompt`` and ``echo`` it prints NuSMV's prompt and the line before each. With ``on_failure_script_quits``
        a failure raises Quit. Raises CommandError if there is no file, or if files source each other without end.
        """
        if self.nested == _MOST_NESTED:
            raise CommandError(f"{path}: more than {_MOST_NESTED} files source each other")
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                lines = file.read().removesuffix("\n").split("\n")
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}") from None
        self.nested += 1
        try:
            succeeded = self._run_lines(lines, prompt, echo)
        finally:
            self.nested -= 1
        if not succeeded:
            self.streams.error(f"aborting 'source {path}'")
            if self.environment.enabled("on_failure_script_quits"):
                raise Quit(_SCRIPT_FAILED)
        return succeeded

    def _run_lines(self, lines: list[str], prompt: bool, echo: bool) -> bool:
        for line in lines:
            if prompt:
                self.streams.write(PROMPT)
            if echo:
                self.streams.line(line)
            if not self._run_substituted(line):
                return False
        if prompt:
            self.streams.write(PROMPT)
        return True

    def run_line(self, line: str) -> bool:
        """Runs the commands of one line up to the first that fails; False if one failed. Raises Quit."""
        try:
            for words in self._commands(line):
                self._run([with_values(word, self.environment) for word in words])
                self.streams.flush()
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
        """The commands of a line as words, with aliases replaced. Raises CommandError."""
        rest = line
        while rest:
            if rest.lstrip().startswith("!"):
                self._run_outside(rest.lstrip()[1:])
                return
            words, rest, balanced = first_command(rest)
            if not balanced:
                self.streams.error("ignoring unbalanced quote ...")
            yield from self._unaliased(words, 0)

    def _run_outside(self, command: str) -> None:
        """``!command``: in the system's shell. Raises CommandError if it fails."""
        self.streams.flush()
        if subprocess.run(["/bin/sh", "-c", command], check=False).returncode != 0:
            raise CommandError("")

    def _unaliased(self, words: list[str], replaced: int) -> Iterator[list[str]]:
        """The commands that words stand for. Raises CommandError if aliases stand for each other."""
        while words and words[0] in self.aliases:
            if replaced == _MOST_ALIASES:
                raise CommandError("error -- alias loop")
            replaced += 1
            name, definition = words[0], self.aliases[words[0]]
            first: list[str] = []
            has_arguments = False
            for text in definition:
                text, changed = self.history.substituted(text)
                has_arguments = has_arguments or changed
                *complete, last = commands_of(text)
                for command in complete:
                    yield from self._unaliased(command, replaced)
                first += last
            words = first if has_arguments else [*first, *words[1:]]
            if definition[0] == name:
                break
        if words:
            yield words

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
        given = ""
        while rest and rest[0].startswith("-") and len(rest[0]) > 1:
            letters = rest.pop(0)[1:]
            while letters:
                letter, letters = letters[0], letters[1:]
                if letter != "h" and letter not in command.options:
                    raise CommandError(f"{name}: unknown option {letter}\n{command.usage(name)}")
                given += letter
                if letter == "h" or command.options[letter] is None:
                    options[letter] = ""
                    continue
                if not letters and not rest:
                    raise CommandError(f"{name}: {letter} requires an argument\n{command.usage(name)}")
                text = letters or rest.pop(0)
                again = letter in options and letter in command.repeated
                options[letter] = f"{options[letter]}{SEPARATOR}{text}" if again else text
                letters = ""
        refusal = command.refusal(name, given)
        if refusal is not None:
            raise CommandError(refusal)
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
        return unrolled(self.traces.raw[position.trace - 1]).steps[position.state - 1].state

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

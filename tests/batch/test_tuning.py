"""Tuning: which settings are tried, which survive, and what is recommended."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from symag.cli.main import group
from symag.cli.smv.tune import _cost
from symag.core.errors import InputError, UsageError
from symag.core.limits import JobLimits
from symag.suites.jobs import Job
from symag.suites.tuning import settings as tuned
from symag.suites.tuning import tuner
from symag.suites.tuning.predictors import LEAST_SETTINGS, correlations, spearman
from symag.suites.tuning.settings import DEFAULT, Setting, settings
from symag.suites.tuning.trials import Measurement, Trial, TunedProperty, Tuning
from symag.suites.tuning.tuner import Tuner

QUESTION = TunedProperty("m.smv", "0", "p")


def test_the_same_seed_tries_the_same_settings() -> None:
    chosen = settings(60, 1, False)
    assert len(set(chosen)) == 60
    assert chosen == settings(60, 1, False) != settings(60, 2, False)
    assert chosen[0] == DEFAULT
    assert {each.method for each in chosen} == {"auto", "rule-g", "rule-s", "monolithic"}
    assert not any("mtkahypar" in each.options for each in chosen)
    assert any("mtkahypar" in each.options for each in settings(60, 1, True))


@pytest.mark.parametrize("setting", settings(40, 3, False), ids=str)
def test_check_takes_every_setting(setting: Setting) -> None:
    command = group.get_command(None, "check")  # type: ignore[arg-type] # the group makes no use of a context
    assert command is not None
    context = command.make_context("check", ["m.smv", "--method", setting.method, *setting.options])
    assert context.params["method"] == setting.method


def faked(
    monkeypatch: pytest.MonkeyPatch, seconds: dict[str, float], later: dict[str, float] | None = None
) -> list[tuple[str, float | None]]:
    """Instead of symag a program that works for the seconds of the setting's seed; returns what was started.

    ``later`` are the seconds from the fourth run on.
    """
    started: list[tuple[str, float | None]] = []

    def command(job: Job, limits: JobLimits, *_: object) -> list[str]:
        name = job.options[1] if job.options else job.method
        started.append((name, limits.cpu))
        runs = [each for each, _ in started].count(name)
        work = seconds[name] if runs < 4 or later is None else later[name]
        report = {"results": [{"verdict": "holds", "value": None, "reason": None, "method": "x", "certified": True}]}
        report["results"][0] |= {"statistics": {}, "certificate": None, "trace": None}
        program = f"""
import time
while time.process_time() < {work}: pass
print({json.dumps(json.dumps({**report, "warnings": []}))})
"""
        return [sys.executable, "-c", program]

    monkeypatch.setattr(Job, "command", command)
    monkeypatch.setattr(Tuner, "_predictors", lambda *_: {})
    return started


@pytest.mark.long
def test_the_hopeless_are_dropped_and_the_best_is_measured_again(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = {"auto": 0.6, "rule-g": 0.4, **{str(k): 0.5 for k in range(10)}, "3": 0.1, "4": 99.0}
    started = faked(monkeypatch, seconds)
    chosen = [DEFAULT, *(Setting("rule-g", ("--seed", str(k))) for k in range(10))]
    tuning = Tuner(chosen, 30, None, 2, lambda _: None).tune(QUESTION, 120)
    assert tuning.best is not None
    assert tuning.best.setting == chosen[4] == tuning.trials[0].setting
    assert len(tuning.trials[0].runs) == 3
    assert 0.1 <= (tuning.best.cost or 0) < 0.3
    # Ran for the 2 s of the first round and never again.
    assert [limit for name, limit in started if name == "4"] == [2.0]
    assert [name for name, _ in started].count("5") == 1
    # Fresh runs of the default, the best, and the best one's method without options, in turn.
    assert [trial.setting for trial in tuning.confirmed] == [DEFAULT, chosen[4], Setting("rule-g")]
    assert all(len(trial.runs) == 3 for trial in tuning.confirmed)
    assert [name for name, limit in started if limit == 30] == ["auto", "3", "rule-g"] * 3
    assert tuning.rounds[0] == (2.0, 11)
    assert len(tuning.trials) == 11


@pytest.mark.long
def test_luck_is_not_sold_as_a_gain(monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting that was fast in every round and is slow in the confirmation is not recommended."""
    seconds = {"auto": 0.3, "rule-g": 0.5, "0": 0.05, "1": 0.5}
    faked(monkeypatch, seconds, {**seconds, "0": 0.6})
    chosen = [DEFAULT, *(Setting("rule-g", ("--seed", str(k))) for k in range(2))]
    tuning = Tuner(chosen, 30, None, 1, lambda _: None).tune(QUESTION, 60)
    assert tuning.trials[0].setting == chosen[1]
    assert tuning.best is not None
    assert tuning.best.setting == DEFAULT


def test_options_of_every_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    started = faked(monkeypatch, {"x": 0.05})
    Tuner([DEFAULT], 30, None, 1, lambda _: None, ("--always", "x")).tune(QUESTION, 60)
    assert {name for name, _ in started} == {"x"}


def test_the_budget_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = {"auto": 0.5, "rule-g": 0.5, **{str(k): 0.5 for k in range(30)}}
    started = faked(monkeypatch, seconds)
    chosen = [DEFAULT, *(Setting("rule-g", ("--seed", str(k))) for k in range(30))]
    tuning = Tuner(chosen, 30, None, 1, lambda _: None).tune(QUESTION, 1.5)
    assert len(started) < 15
    assert tuning.seconds < 20
    assert tuning.default.cost is not None


def test_partitions_do_not_spend_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    predictors = Tuner._predictors
    started = faked(monkeypatch, {"auto": 0.1, "rule-g": 0.1, **{str(k): 0.1 for k in range(40)}})
    monkeypatch.setattr(Tuner, "_predictors", predictors)
    measured: list[str] = []

    def command(*words: str) -> list[str]:
        measured.append(words[1])
        return [sys.executable, "-c", "import time; time.sleep(0.2)"]

    monkeypatch.setattr(tuner, "python_command", command)
    chosen = [DEFAULT, *(Setting("rule-g", ("--seed", str(k))) for k in range(40))]
    tuning = Tuner(chosen, 30, None, 1, lambda _: None).tune(QUESTION, 2)
    assert 1 <= measured.count("partition") < 5
    assert started[0][0] == "auto"
    assert tuning.default.cost is not None
    assert "not run" in [_cost(trial) for trial in tuning.trials]


def test_a_correlation_needs_different_values_and_enough_of_them() -> None:
    numbers = list(range(LEAST_SETTINGS))
    assert spearman(numbers, numbers) == pytest.approx(1)
    assert spearman(numbers, numbers[::-1]) == pytest.approx(-1)
    assert spearman(numbers, [3] * LEAST_SETTINGS) is None
    assert spearman([3] * LEAST_SETTINGS, numbers) is None
    assert spearman(numbers[1:], numbers[1:]) is None


def test_a_perfect_predictor() -> None:
    trials = [
        Trial(
            Setting("rule-g", ("--partitions", "1", "--seed", str(k))),
            (Measurement(float(k), "holds" if k < 9 else None, 10.0),),
            {"mx": k, "io_bits": -k, "cut": 1, "balance": 1.0 + k % 2},
        )
        for k in range(10)
    ]
    found = {(each.method, each.predictor): each.rho for each in correlations(trials)}
    assert found["rule-g", "mx"] == pytest.approx(1)
    assert found["rule-g", "io_bits"] == pytest.approx(-1)
    assert found["rule-g", "cut"] is None
    assert found["rule-s", "mx"] is None


MODEL = (
    "MODULE main\nVAR x : boolean; y : boolean;\nASSIGN init(x) := FALSE; next(x) := x;\nINVARSPEC !x\nINVARSPEC y | !x"
)


@pytest.mark.long
def test_tuned_settings_are_used_by_check(tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    model.write_text(MODEL)
    arguments = ["tune", model, "--property", "1", "--settings", "6", "--budget", "60", "--apply", "--json", "--quiet"]
    done = CliRunner().invoke(group, list(map(str, arguments)), standalone_mode=False)
    assert done.return_value == 0, done.output
    (tuning,) = json.loads(done.stdout)["tunings"]
    assert tuning["property"] == "1"
    assert len(tuning["trials"]) == 6
    file = tuned.beside(str(model))
    stored = tuned.read(file)
    assert stored.property == "1"
    assert tuning["recommended"] == " ".join(stored.options[1:])
    file.write_text(tuned.TunedOptions(("--method", "rule-g", "--parts", "2", "--no-edge-deletion"), "1").text())
    shown = CliRunner().invoke(group, ["check", str(model), "--settings", str(file), "--json"], standalone_mode=False)
    (result,) = json.loads(shown.stdout)["results"]
    assert (result["index"], result["method"], result["verdict"]) == (1, "rule-g", "holds")
    # What stands on the command line comes first.
    again = ["check", str(model), "--settings", str(file), "--json", "--method", "monolithic", "--property", "0"]
    (result,) = json.loads(CliRunner().invoke(group, again, standalone_mode=False).stdout)["results"]
    assert (result["index"], result["method"].partition(" ")[0]) == (0, "monolithic")


@pytest.mark.parametrize(
    "text", ["options = 3", "options = [1]", "option = []", "options = ['", "options=[]\nproperty=1"]
)
def test_a_wrong_file_of_settings(tmp_path: Path, text: str) -> None:
    file = tmp_path / "m.toml"
    file.write_text(text)
    with pytest.raises(InputError, match=r"m.toml: (expected|not TOML)"):
        tuned.read(file)


def test_a_model_without_invariants(tmp_path: Path) -> None:
    model = tmp_path / "m.smv"
    model.write_text("MODULE main VAR x : boolean;")
    done = CliRunner().invoke(group, ["tune", str(model)], standalone_mode=False)
    assert "there is no invariant to tune for" in str(done.exception)


def tune(*arguments: object) -> tuple[object, str, str]:
    """The status or the error, standard output and standard error."""
    done = CliRunner().invoke(group, ["tune", *map(str, arguments), "--quiet"], standalone_mode=False)
    return done.exception or done.return_value, done.stdout, done.stderr


def test_each_of_several_invariants_has_a_file_of_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tmp_path / "m.smv"
    model.write_text(MODEL)
    monkeypatch.setattr(Tuner, "tune", lambda _, question, budget: tuning_of(question))
    status, _, _ = tune(model, "--apply")
    assert status == 0
    assert {file.name: tuned.read(file).property for file in tmp_path.glob("*.toml")} == {
        "m.smv.0.toml": "0",
        "m.smv.1.toml": "1",
    }
    assert tune(model, "--apply", "--property", "1")[0] == 0
    assert tuned.read(tuned.beside(str(model))).property == "1"


@pytest.mark.parametrize("ending", [KeyboardInterrupt(), UsageError("there is no room")])
def test_what_was_tuned_before_an_ending_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: BaseException
) -> None:
    model = tmp_path / "m.smv"
    model.write_text(MODEL)

    def tuning(_: Tuner, question: TunedProperty, budget: float) -> Tuning:
        if question.property == "1":
            raise ending
        return tuning_of(question)

    monkeypatch.setattr(Tuner, "tune", tuning)
    status, printed, _ = tune(model, "--json")
    assert status == (130 if isinstance(ending, KeyboardInterrupt) else 2)
    assert [each["property"] for each in json.loads(printed)["tunings"]] == ["0"]


def tuning_of(question: TunedProperty) -> Tuning:
    """A result without any run of symag."""
    trial = Trial(DEFAULT, (Measurement(1.0, "holds", 10.0),))
    return Tuning(question, (trial,), ((2.0, 1),), (trial,), 3.0)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--always", "'"), '--always "\'": No closing quotation'),
        (("--always", "--wrong"), "no setting can be run: wrong usage: No such option '--wrong'"),
        (("--property", "0", "--property", "nothing"), "there is no invariant called nothing to tune for"),
    ],
)
def test_what_cannot_be_tuned_is_said(tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    model = tmp_path / "m.smv"
    model.write_text(MODEL)
    error, _, _ = tune(model, "--settings", "6", "--budget", "60", *words)
    assert isinstance(error, UsageError)
    assert message in str(error)


def test_more_settings_than_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuned, "_CUT", {"--parts": ("2", "3")})
    monkeypatch.setattr(tuned, "_SEARCH", ("--look-ahead",))
    assert 8 <= len(settings(1000, 0, False)) <= 12

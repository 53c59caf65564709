"""What check and info print with --json fits the schemas in the package."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symag.cli.schema import SCHEMAS, schema_text
from tests.cli.conftest import Symag

jsonschema = pytest.importorskip("jsonschema")


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_command_prints_a_valid_schema(symag: Symag, name: str) -> None:
    ran = symag("schema", name)
    assert ran.status == 0
    jsonschema.Draft202012Validator.check_schema(ran.json)


@pytest.mark.long
@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "models/counter.smv"),
        ("check", "models/counter.smv", "--timeout", "0.000001"),
        ("check", "models/lts/mutual_exclusion.lts"),
        ("check", "models/lpts/client_server3.nm", "--specification", "models/lpts/client_server3_wrong.nm"),
        ("check", "models/counter.smv", "models/none.smv", "models/lts/mutual_exclusion.lts"),
        ("check", "models/none.smv"),
        ("info", "models/counter.smv", "--reachable"),
        ("info", "models/counter.smv", "--reachable", "--timeout", "0.000001"),
        ("info", "models/lts/mer.lts"),
        ("info", "models/lpts/client_server3.nm"),
        ("info", "models/none.smv"),
    ],
)
def test_what_is_printed_fits(symag: Symag, arguments: tuple[str, ...]) -> None:
    found = symag(*arguments, "--json").json
    schema = json.loads(schema_text(arguments[0]))
    jsonschema.validate(found, schema, cls=jsonschema.Draft202012Validator)


def test_the_schema_refuses_what_is_not_in_the_contract(symag: Symag, tmp_path: Path) -> None:
    """The schema says something: a verdict that there is not, a trace without steps, no results at all."""
    found = symag("check", "models/counter.smv", "--json").json
    schema = json.loads(schema_text("check"))
    for spoil in (
        lambda document: document["results"][0].update(verdict="maybe"),
        lambda document: document["results"][1]["trace"].pop("steps"),
        lambda document: document.pop("results"),
        lambda document: document["results"][0].pop("certified"),
        lambda document: document.update(schema=2),
    ):
        document = json.loads(json.dumps(found))
        spoil(document)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(document, schema, cls=jsonschema.Draft202012Validator)

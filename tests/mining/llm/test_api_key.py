"""A key reaches the server and nothing else: no file, no message, no traceback."""

from __future__ import annotations

import traceback

import pytest

from negaudit.errors import NegauditError
from negaudit.mining.llm.miner import mine_llm
from negaudit.mining.llm.server import ServerBackend
from tests.mining.llm.canned_server import Answer

KEY = "sk-very-secret-0123456789"


@pytest.mark.parametrize("variable", ["NEGAUDIT_API_KEY", "OPENAI_API_KEY"])
def test_it_is_sent_and_not_written(claims, canned, asking, tmp_path, monkeypatch, variable):
    monkeypatch.setenv(variable, f"{KEY}\n")
    backend = asking()
    source = mine_llm(claims, backend=backend, k=1, limit=2, journal=tmp_path / "journal")
    assert {asked.headers["authorization"] for asked in canned.asked} == {f"Bearer {KEY}"}
    assert KEY not in (tmp_path / "journal").read_text() + source.metadata.to_json() + repr(vars(backend))


def test_a_server_that_sends_it_back_does_not_get_it_into_the_message(claims, canned, asking, monkeypatch):
    monkeypatch.setenv("NEGAUDIT_API_KEY", KEY)
    canned.script = lambda _: Answer({"error": f"Incorrect API key provided: {KEY}"}, 401)
    with pytest.raises(NegauditError, match="Incorrect API key provided") as error:
        mine_llm(claims, backend=asking(), k=1, limit=2)
    assert KEY not in "".join(traceback.format_exception(error.value))


def test_an_address_with_a_key_in_it_is_refused_without_saying_it():
    for address in (f"http://user:{KEY}@localhost/v1", f"http://localhost/v1?key={KEY}"):
        with pytest.raises(NegauditError) as error:
            ServerBackend(address, "m")
        assert KEY not in str(error.value)
    with pytest.raises(NegauditError, match="expected an address"):
        ServerBackend("localhost:8000", "m")

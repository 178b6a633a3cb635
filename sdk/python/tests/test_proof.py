"""The server's proof, by the vectors that every language is held to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from handraise.locations import Token
from handraise.proof import Challenge, proof_of

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "vectors/proof.jsonl").read_text(encoding="utf-8").splitlines()
]
RIGHT = [case for case in CASES if "proof" in case]
WRONG = [case for case in CASES if "refused" in case]


def accepts(case: dict[str, Any], proof: object, status: int = 200) -> bool:
    token = Token(case["token"], case["token"].split("_")[1])
    challenge = Challenge(token, case["address"], case["nonce"])
    assert json.loads(challenge.body) == {"credential": token.id, "nonce": case["nonce"]}
    return challenge.is_met_by(status, json.dumps({"proof": proof}).encode())


def test_there_are_vectors() -> None:
    assert len(RIGHT) >= 7 and len(WRONG) >= 19


@pytest.mark.parametrize("case", RIGHT, ids=lambda case: case["address"])
def test_a_proof_is_what_the_vectors_say(case: dict[str, Any]) -> None:
    assert proof_of(case["token"], case["nonce"], case["address"]) == case["proof"]
    assert accepts(case, case["proof"])
    assert not accepts(case, case["proof"], status=201)


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case["because"])
def test_every_other_proof_is_refused(case: dict[str, Any]) -> None:
    assert not accepts(case, case["refused"])


@pytest.mark.parametrize("none", [None, 0, {}, []])
def test_what_is_no_text_is_no_proof(none: object) -> None:
    assert not accepts(RIGHT[0], none)

"""The vectors that the libraries of all languages share."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from posthorn_receiver import PayloadError, UsageError, VerificationError, Verifier, sign

FILE = json.loads((Path(__file__).parents[3] / "fixtures/signature-vectors.json").read_text("utf-8"))


def vectors(kind: str) -> list[Any]:
    return [pytest.param(vector, id=vector["id"]) for vector in FILE[kind]]


@pytest.mark.parametrize("vector", vectors("verify"))
def test_a_request_gets_the_verdict_of_its_vector(vector: dict[str, Any]) -> None:
    vector = {**FILE["defaults"], **vector}
    verifier = Verifier(
        vector["secrets"], tolerance_seconds=vector["toleranceSeconds"], now=lambda: vector["now"]
    )
    body = base64.b64decode(vector["bodyBase64"])
    lines = vector.get("headers")
    if lines is None:
        lines = [base64.b64decode(line).decode("latin-1") for line in vector["headersBase64"]]
    right = vector["expect"]
    if right["result"] == "reject":
        with pytest.raises(VerificationError) as rejection:
            verifier.verify(body, lines)
        assert (rejection.value.code, rejection.value.status) == (right["code"], 401)
        return

    verified = verifier.verify(body, lines)

    assert (verified.timestamp, verified.secret_index, verified.part_name) == (
        int(right["timestamp"]),
        right["secretIndex"],
        right["partName"],
    )
    payload = right.get("payload")
    if payload == "event":
        assert verifier.construct_event(body, lines).id == "evt_1"
    elif payload is not None:
        with pytest.raises(PayloadError) as refusal:
            verifier.construct_event(body, lines)
        assert (refusal.value.code, refusal.value.status) == (payload, 400)


@pytest.mark.parametrize("vector", vectors("config"))
def test_a_configuration_error_prevents_startup(vector: dict[str, Any]) -> None:
    options = {"tolerance_seconds": vector["toleranceSeconds"]} if "toleranceSeconds" in vector else {}
    with pytest.raises(UsageError) as refusal:
        Verifier(vector["secrets"], **options)
    assert (refusal.value.code, refusal.value.status) == (vector["expect"]["code"], 500)


@pytest.mark.parametrize("vector", vectors("sign"))
def test_signs_as_the_service_does(vector: dict[str, Any]) -> None:
    body = base64.b64decode(vector["bodyBase64"])
    assert sign(body, vector["secrets"], vector["timestamp"]) == vector["expectHeader"]

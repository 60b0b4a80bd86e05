"""Reads cases as JSON lines and prints a verdict for each, so that another language can compare them with its own.

A case: {"secrets": [base64], "toleranceSeconds": 300, "now": 1700000000, "headers": [base64], "body": base64}
"""

from __future__ import annotations

import json
import sys
from base64 import b64decode
from typing import Any

from posthorn_receiver import Event, Verifier, WebhookError


def verdict_of(case: dict[str, Any]) -> str:
    verdict: list[str] = []
    try:
        secrets = [b64decode(secret).decode() for secret in case["secrets"]]
        headers = [b64decode(line).decode("latin-1") for line in case["headers"]]
        body = b64decode(case["body"])
        verifier = Verifier(secrets, tolerance_seconds=case["toleranceSeconds"], now=lambda: case["now"])
        verified = verifier.verify(body, headers)
        verdict += [str(verified.timestamp), str(verified.secret_index), verified.part_name, verified.parts]
        verdict.append("unknown" if type(verifier.construct_event(body, headers)) is Event else "known")
    except WebhookError as error:
        verdict.append(error.code)
    return " ".join(verdict)


for line in sys.stdin:
    print(verdict_of(json.loads(line)))

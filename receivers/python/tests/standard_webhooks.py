"""Reads requests as JSON lines and prints for each whether the library of Standard Webhooks accepts it.

A request: {"secret": "whsec_…", "headers": {"webhook-id": "…"}, "body": base64}
"""

from __future__ import annotations

import base64
import json
import sys
from typing import Any

from standardwebhooks import Webhook


def verdict(request: dict[str, Any]) -> str:
    try:
        Webhook(request["secret"]).verify(base64.b64decode(request["body"]), request["headers"])
    except Exception as error:
        return str(error)
    return "accepted"


for line in sys.stdin:
    print(verdict(json.loads(line)))

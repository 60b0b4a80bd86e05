"""Verifies the signature of a Posthorn webhook with only Python's standard library."""

import hashlib
import hmac
import re
import time


def verify(body: bytes, header: str, secrets: list[str], tolerance_seconds: int = 300, now: float | None = None) -> None:
    """Raises ValueError unless a signature matches a secret and the time is right."""
    if not secrets or not all(secret.removeprefix("whsec_") for secret in secrets):
        raise RuntimeError("a webhook secret is empty")
    if len(header) > 4096 or re.search(r"[^\t -~]", header):
        raise ValueError("header malformed")

    times, signatures = [], []
    for part in header.split(","):
        name, _, value = part.strip(" \t").partition("=")
        if name == "t":
            times.append(value)
        elif re.fullmatch(r"v1(s[0-9]*)?", name) and re.fullmatch(r"[0-9a-fA-F]{64}", value):
            signatures.append(bytes.fromhex(value))
    if len(times) != 1 or not re.fullmatch(r"[0-9]{1,15}", times[0]) or not signatures:
        raise ValueError("header malformed")

    # The key is the whole secret with its prefix. The message is t, a dot and the body, all as received.
    message = times[0].encode() + b"." + body
    macs = [hmac.new(secret.encode(), message, hashlib.sha256).digest() for secret in secrets]
    # A list, because a generator would stop at the first match and reveal it by its time.
    if not any([hmac.compare_digest(mac, signature) for mac in macs for signature in signatures]):
        raise ValueError("signature mismatch")

    now = time.time() if now is None else now
    if tolerance_seconds and abs(int(now) - int(times[0])) > tolerance_seconds:
        raise ValueError("timestamp outside the tolerance")

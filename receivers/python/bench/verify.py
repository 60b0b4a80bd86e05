"""Compares a verification without parsing with the bare HMAC of the same bytes. Prints the medians of 41 rounds."""

from __future__ import annotations

import hmac
import os
import time
from collections.abc import Callable
from statistics import median

from posthorn_receiver import Verifier, sign

SECRET = "whsec_test_0123456789abcdef0123456789abcdef"


def used_us(work: Callable[[], object], count: int) -> float:
    # Processor time, so that other load on the machine counts less.
    since = time.process_time()
    for _ in range(count):
        work()
    return (time.process_time() - since) * 1e6 / count


verifier = Verifier(SECRET)
print("| Body | `hmac.digest` | `verify` | Ratio |\n|---|---|---|---|")
for size, name in ((512, "0.5 kB"), (65_536, "64 kB")):
    body, now = os.urandom(size), int(time.time())
    header, key, message = sign(body, SECRET, now), SECRET.encode(), f"{now}.".encode() + body
    count = max(20, 4_000_000 // (size + 1500))
    rounds = [
        (
            used_us(lambda: hmac.digest(key, message, "sha256"), count),
            used_us(lambda: verifier.verify(body, header), count),
        )
        for _ in range(41)
    ]
    bare, verify = (median(column) for column in zip(*rounds))
    ratio = median(bare / verify for bare, verify in rounds)
    print(f"| {name} | {bare:.1f} µs | {verify:.1f} µs | {ratio:.2f} |")

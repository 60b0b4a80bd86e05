"""Exits with 0 if everything is installed that the tests need, and prints what is missing or has another version."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

missing = []
for line in (Path(__file__).parent / "requirements.txt").read_text("utf-8").splitlines():
    name, _, pinned = line.partition("==")
    try:
        installed = version(name)
    except PackageNotFoundError:
        installed = "not installed"
    if installed != pinned:
        missing.append(f"{line}: {installed}")
if find_spec("posthorn_receiver") is None:
    missing.append("posthorn_receiver: not installed")
print("\n".join(missing))
sys.exit(1 if missing else 0)

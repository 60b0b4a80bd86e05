"""The types that the package declares are right, and a type checker knows the data of each event."""

from __future__ import annotations

from pathlib import Path

import pytest
from mypy import api


def test_mypy_accepts_the_package_and_narrows_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[1])
    report, fault, status = api.run([])
    assert status == 0, report + fault

"""Checked by mypy in `test_types.py`: what a type checker knows about an event."""

from __future__ import annotations

from posthorn_receiver import EmailBounced, EmailFailed, EmailUnsubscribed, MemoryStore, Processed, Verifier


def recipient_of(verifier: Verifier, body: bytes, header: str) -> str | None:
    event = verifier.construct_event(body, header)
    if isinstance(event, EmailBounced):
        return event.data["recipient"]
    if isinstance(event, EmailFailed):
        stage: str | None = event.data["failure"].get("stage")
        return stage
    if isinstance(event, EmailUnsubscribed):
        event.data["recipent"]  # type: ignore[typeddict-item]
    return event.created_at


def length_of(store: MemoryStore) -> Processed[int]:
    return store.process_once("evt_1", lambda: len("four"))

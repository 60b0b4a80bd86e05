"""Each adapter answers like the others."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import frameworks
import pytest
from frameworks import Send, Sent
from signed import BODY, SECRET, STAGED

import posthorn_receiver
from posthorn_receiver import Event, MemoryStore, UsageError, Verifier, WebhookError, sign

ADAPTERS: dict[str, Callable[..., Send]] = {
    "Flask": frameworks.in_flask,
    "Flask, async view": partial(frameworks.in_flask, is_async=True),
    "Django": frameworks.in_django,
    "Django, async view": partial(frameworks.in_django, is_async=True),
    "FastAPI": frameworks.in_fastapi,
    "FastAPI, endpoint that is not async": partial(frameworks.in_fastapi, is_async=False),
    "Starlette": frameworks.in_starlette,
}


class Receiver:
    """A receiver that remembers what it processed and which errors it reported."""

    def __init__(self, adapter: Callable[..., Send]) -> None:
        self._adapter = adapter
        self.processed: list[str] = []
        self.errors: list[str] = []
        #: The status of the view, None for no response, or what it raises.
        self.outcome: Any = 202
        self.store = MemoryStore()
        self.start(SECRET)

    def start(self, secrets: Any, **options: Any) -> None:
        self._send = self._adapter(
            self._process, Verifier(secrets, **options), self.store, on_error=self._report
        )

    def post(
        self, body: bytes = BODY, header: str | None = None, *, method: str = "POST", **headers: str
    ) -> Sent:
        lines = [sign(body, SECRET) if header is None else header]
        return self.send(method, body, [line for line in lines if line], headers)

    def send(self, method: str, body: bytes, lines: list[str], headers: dict[str, str]) -> Sent:
        return self._send(method, body, lines, headers)

    def _process(self, event: Event) -> int | None:
        self.processed.append(event.id)
        if isinstance(self.outcome, Exception):
            raise self.outcome
        status: int | None = self.outcome
        return status

    def _report(self, error: WebhookError) -> None:
        self.errors.append(error.code)


@pytest.fixture(params=ADAPTERS)
def receiver(request: pytest.FixtureRequest) -> Receiver:
    return Receiver(ADAPTERS[request.param])


def test_a_good_delivery_is_processed_and_proven(receiver: Receiver) -> None:
    assert receiver.post()[:3] == (202, "v1", "acme")
    assert (receiver.processed, receiver.errors) == (["evt_1"], [])


def test_the_answer_header_follows_the_signature_header(receiver: Receiver) -> None:
    receiver.start(SECRET, header_name="X-Acme-Signature")
    answer = receiver.send("POST", BODY, [], {"X-Acme-Signature": sign(BODY, SECRET)})
    assert answer[:2] == (202, "")
    assert answer.headers["X-Acme-Verified"] == "v1"


def test_a_view_needs_no_response(receiver: Receiver) -> None:
    receiver.outcome = None
    sent = receiver.post()
    assert sent[:3] == (200, "v1", "ok\n")
    assert sent.headers["Content-Type"].startswith("text/plain")


def test_a_rotation_is_proven(receiver: Receiver) -> None:
    receiver.start([STAGED, SECRET, SECRET])
    assert receiver.post(BODY, sign(BODY, [SECRET, STAGED]))[:3] == (202, "v1,v1s", "acme")


@pytest.mark.parametrize(
    ("header", "code"),
    [
        (sign(BODY, STAGED), "signature_mismatch"),
        (sign(BODY, SECRET, int(time.time()) - 600), "timestamp_too_old"),
        ("", "header_missing"),
    ],
)
def test_forged_and_stale_deliveries_get_the_same_answer(receiver: Receiver, header: str, code: str) -> None:
    sent = receiver.post(BODY, header)
    assert sent[:3] == (401, "", "invalid signature\n")
    assert (receiver.processed, receiver.errors) == ([], [code])


def test_a_repeated_header_is_refused(receiver: Receiver) -> None:
    header = sign(BODY, SECRET)
    assert receiver.send("POST", BODY, [header, header], {}).status == 401
    # WSGI joins the lines, which makes two t of them.
    assert receiver.errors in (["header_ambiguous"], ["header_malformed"])


def test_a_duplicate_is_processed_once(receiver: Receiver) -> None:
    assert receiver.post().status == 202
    assert receiver.post()[:3] == (200, "v1", "ok\n")
    assert receiver.processed == ["evt_1"]


@pytest.mark.parametrize("status", [500, 503, 404, 302])
def test_an_answer_other_than_2xx_is_kept_and_the_event_runs_again(receiver: Receiver, status: int) -> None:
    receiver.outcome = status
    assert receiver.post()[:3] == (status, "v1", "acme")
    receiver.outcome = 202
    assert receiver.post()[:3] == (202, "v1", "acme")
    assert (receiver.processed, receiver.errors) == (["evt_1", "evt_1"], [])


def test_an_error_of_the_view_reaches_the_framework_and_the_event_runs_again(receiver: Receiver) -> None:
    receiver.outcome = ZeroDivisionError("secret detail")
    try:
        sent = receiver.post()
    except ZeroDivisionError:
        pass
    else:
        assert (sent.status, "secret detail" in sent.text) == (500, False)
    receiver.outcome = None
    assert receiver.post().status == 200
    assert (receiver.processed, receiver.errors) == (["evt_1", "evt_1"], [])


def test_an_event_that_is_being_processed_gets_409(receiver: Receiver) -> None:
    assert receiver.store.claim("evt_1", 60_000, None) == "claimed"
    sent = receiver.post()
    assert sent[:3] == (409, "v1", "in progress\n")
    assert sent.headers["Retry-After"] == "5"
    assert receiver.processed == []


def test_an_unavailable_store_gets_503(receiver: Receiver) -> None:
    def claim(*_: Any) -> Any:
        raise OSError("connection refused")

    receiver.store.claim = claim  # type: ignore[method-assign]
    assert receiver.post()[:3] == (503, "", "not processed\n")
    assert (receiver.processed, receiver.errors) == ([], ["store_unavailable"])


def test_another_body_with_the_same_id_is_reported(receiver: Receiver) -> None:
    receiver.post()
    other = BODY.replace(b"{", b'{"more":true,', 1)
    assert receiver.post(other).status == 200
    assert (receiver.processed, receiver.errors) == (["evt_1"], ["event_changed"])


def test_bodies_that_cannot_be_used_are_refused(receiver: Receiver) -> None:
    for body, status, code in (
        (b"[]", 400, "payload_not_event"),
        (b"", 400, "payload_not_json"),
        (b'"\xff"', 400, "payload_not_json"),
        (b" " * 1_048_577, 413, "payload_too_large"),
    ):
        receiver.errors.clear()
        assert receiver.post(body)[:3] == (status, "", "invalid payload\n")
        assert receiver.errors == [code]


def test_the_largest_body_is_accepted(receiver: Receiver) -> None:
    body = BODY.ljust(1_048_576)
    assert receiver.post(body).status == 202
    receiver.start(SECRET, max_body_bytes=100)
    assert receiver.post(BODY.ljust(100)).status == 200
    assert receiver.post(BODY.ljust(101)).status == 413


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/octet-stream", "application/x-www-form-urlencoded", "x"]
)
def test_every_content_type_is_accepted(receiver: Receiver, content_type: str) -> None:
    assert receiver.send("POST", BODY, [sign(BODY, SECRET)], {"Content-Type": content_type}).status == 202


def test_only_post_is_answered(receiver: Receiver) -> None:
    sent = receiver.post(method="PUT")
    assert (sent.status, sent.headers["Allow"], receiver.processed) == (405, "POST", [])


def test_the_header_can_have_another_name(receiver: Receiver) -> None:
    receiver.start(SECRET, header_name="X-Acme-Signature")
    assert receiver.post().status == 401
    assert receiver.send("POST", BODY, [], {"X-Acme-Signature": sign(BODY, SECRET)}).status == 202


def hides_async(function: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator as it is often written: the function is async, and the result does not say so."""

    @wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return wrapper


@pytest.mark.parametrize(
    ("framework", "adapter", "answer"),
    [
        # Flask itself refuses such views.
        ("django", "Django, async view", (500, [])),
        ("starlette", "FastAPI", (200, ["evt_1"])),
        ("starlette", "Starlette", (200, ["evt_1"])),
    ],
)
def test_an_event_counts_as_processed_only_if_an_async_view_ran(
    framework: str, adapter: str, answer: tuple[int, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = getattr(posthorn_receiver, framework)
    webhook = module.webhook
    monkeypatch.setattr(
        module, "webhook", lambda *options, **more: lambda view: webhook(*options, **more)(hides_async(view))
    )
    receiver = Receiver(ADAPTERS[adapter])
    receiver.outcome = None
    assert (receiver.post().status, receiver.processed) == answer


@pytest.mark.parametrize("adapter", ADAPTERS.values(), ids=ADAPTERS)
def test_a_secret_or_a_view_instead_of_a_verifier_is_explained(adapter: Callable[..., Send]) -> None:
    for wrong in (SECRET, print):
        with pytest.raises(UsageError, match="pass a Verifier") as error:
            adapter(print, wrong)
        assert SECRET not in str(error.value)


def test_errors_go_to_the_log_without_on_error(caplog: pytest.LogCaptureFixture) -> None:
    store = MemoryStore()
    send = frameworks.in_flask(lambda event: None, Verifier(SECRET), store)
    send("POST", BODY, [sign(BODY, STAGED)], {})
    store.claim = lambda *_: 1 / 0  # type: ignore
    send("POST", BODY, [sign(BODY, SECRET)], {})
    assert [(record.name, record.levelname, record.message[:17]) for record in caplog.records] == [
        ("posthorn_receiver", "WARNING", "signature_mismatch"[:17]),
        ("posthorn_receiver", "ERROR", "store_unavailable"),
    ]
    assert "ZeroDivisionError" in caplog.text

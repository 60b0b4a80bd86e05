"""Bodies that arrive in an unusual way, or that something else read before."""

from __future__ import annotations

import asyncio
import io
from contextlib import nullcontext
from typing import Any

import flask
import pytest
from django.db import connection
from django.http import HttpRequest
from django.test import RequestFactory, override_settings
from fastapi import FastAPI, Request
from frameworks import answer_of
from signed import BODY, SECRET

import posthorn_receiver.django
import posthorn_receiver.flask
import posthorn_receiver.starlette
from posthorn_receiver import DatabaseStore, Event, Verifier, WebhookError, sign

HEADER = sign(BODY, SECRET)
SCOPE = {
    "type": "http",
    "method": "POST",
    "path": "/hooks",
    "query_string": b"",
    "headers": [(b"x-service-signature", HEADER.encode()), (b"content-length", str(len(BODY)).encode())],
}


class Log:
    """What a receiver processed, and the codes of its errors."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def process(self, event: Event) -> None:
        self.lines.append(event.id)

    def report(self, error: WebhookError) -> None:
        self.lines.append(error.code)


@pytest.fixture
def log() -> Log:
    return Log()


def flask_app(log: Log, read_before: Any = None, **options: Any) -> flask.Flask:
    app = flask.Flask("tests")
    if read_before:
        app.before_request(read_before)
    decorate = posthorn_receiver.flask.webhook(Verifier(SECRET, **options), on_error=log.report)
    app.post("/hooks")(decorate(lambda event: log.process(event)))
    return app


def post_to_flask(app: flask.Flask, **options: Any) -> int:
    headers = {"X-Service-Signature": HEADER}
    return app.test_client().post("/hooks", headers=headers, **options).status_code


def chunked(body: bytes) -> dict[str, Any]:
    """A body without a length, as servers pass it."""
    return {
        "input_stream": io.BytesIO(body),
        "environ_overrides": {"wsgi.input_terminated": True, "CONTENT_LENGTH": ""},
    }


def test_flask_accepts_a_body_without_a_length_up_to_the_limit(log: Log) -> None:
    app = flask_app(log, max_body_bytes=len(BODY))
    assert post_to_flask(app, **chunked(BODY)) == 200
    assert post_to_flask(app, **chunked(BODY + b" ")) == 413
    assert log.lines == ["evt_1", "payload_too_large"]


def test_flask_does_not_read_all_of_a_body_that_is_too_large(log: Log) -> None:
    body = chunked(b" " * 10_000_000)
    assert post_to_flask(flask_app(log), **body) == 413
    assert body["input_stream"].tell() < 2_000_000


def test_flask_keeps_the_body_for_the_view() -> None:
    app = flask.Flask("tests")

    @app.post("/hooks")
    @posthorn_receiver.flask.webhook(Verifier(SECRET))
    def hooks(event: Event) -> flask.Response:
        return flask.Response(flask.request.get_data(), 200)

    assert app.test_client().post("/hooks", data=BODY, headers={"X-Service-Signature": HEADER}).data == BODY


def test_flask_keeps_json_that_was_parsed_before_and_explains_a_form(log: Log) -> None:
    parsed = flask_app(log, lambda: flask.request.get_json() and None)
    assert post_to_flask(parsed, data=BODY, content_type="application/json") == 200
    form = flask_app(log, lambda: flask.request.form and None)
    assert post_to_flask(form, data=BODY, content_type="application/x-www-form-urlencoded") == 500
    assert log.lines == ["evt_1", "body_already_consumed"]


def post_to_django(log: Log, read_before: Any = None, store: Any = None) -> int:
    request = RequestFactory().post(
        "/hooks", BODY, "application/x-www-form-urlencoded", headers={"X-Service-Signature": HEADER}
    )
    if read_before:
        read_before(request)

    @posthorn_receiver.django.webhook(Verifier(SECRET), store, on_error=log.report)
    def hooks(request: HttpRequest, event: Event) -> None:
        log.process(event)

    status: int = hooks(request).status_code
    return status


def test_django_keeps_a_body_that_was_read_before_and_explains_a_stream(log: Log) -> None:
    assert post_to_django(log, lambda request: request.body) == 200
    assert post_to_django(log, lambda request: request.POST) == 200
    assert post_to_django(log, lambda request: request.read()) == 500
    with override_settings(DATA_UPLOAD_MAX_MEMORY_SIZE=10):
        assert post_to_django(log) == 413
    assert log.lines == ["evt_1", "evt_1", "body_already_consumed", "payload_too_large"]


def test_django_deduplicates_in_its_own_database(log: Log) -> None:
    with connection.cursor() as cursor:
        cursor.execute(DatabaseStore.create_table())
    store = DatabaseStore(lambda: nullcontext(connection))
    assert [post_to_django(log, store=store) for _ in range(3)] == [200, 200, 200]
    assert log.lines == ["evt_1"]
    store.release("evt_1")
    assert store.claim("evt_1", 1000, None) == "done"


def post_to_fastapi(log: Log, body: bytes, *, is_whole: bool = True, read_before: Any = None) -> int:
    app = FastAPI()
    decorate = posthorn_receiver.starlette.webhook(
        Verifier(SECRET, max_body_bytes=len(BODY)), on_error=log.report
    )

    @app.middleware("http")
    async def read(request: Request, call_next: Any) -> Any:
        if read_before:
            await read_before(request)
        return await call_next(request)

    @app.post("/hooks")
    @decorate
    async def hooks(event: Event) -> None:
        log.process(event)

    messages = [
        {"type": "http.request", "body": body[at : at + 1], "more_body": True} for at in range(len(body))
    ]
    if is_whole:
        messages.append({"type": "http.request"})
    return asyncio.run(answer_of(app, SCOPE, messages)).status


async def drain(request: Request) -> None:
    async for _ in request.stream():
        pass


def test_fastapi_reads_a_body_in_pieces_up_to_the_limit(log: Log) -> None:
    assert post_to_fastapi(log, BODY) == 200
    assert post_to_fastapi(log, BODY + b" " * 1000) == 413
    assert log.lines == ["evt_1", "payload_too_large"]


def test_fastapi_does_not_process_a_body_that_was_cut(log: Log) -> None:
    post_to_fastapi(log, BODY, is_whole=False)
    assert log.lines == ["body_missing"]


def test_fastapi_keeps_a_body_that_was_read_before_and_explains_a_stream(log: Log) -> None:
    assert post_to_fastapi(log, BODY, read_before=Request.body) == 200
    assert post_to_fastapi(log, BODY, read_before=drain) == 500
    assert log.lines == ["evt_1", "body_already_consumed"]


def test_an_endpoint_may_use_names_that_only_a_type_checker_imports() -> None:
    async def hooks(event: OnlyForTypeCheckers) -> None: ...  # type: ignore[name-defined]  # noqa: F821

    app = FastAPI()
    app.post("/hooks")(posthorn_receiver.starlette.webhook(Verifier(SECRET))(hooks))
    assert asyncio.run(answer_of(app, SCOPE, [{"type": "http.request", "body": BODY}])).status == 200

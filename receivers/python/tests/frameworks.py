"""A receiver in each framework, for the tests of the adapters. Its view answers with the status that `process` returns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, NamedTuple, Optional

import flask
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import path
from fastapi import Depends, FastAPI
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import posthorn_receiver.django
import posthorn_receiver.flask
import posthorn_receiver.starlette
from posthorn_receiver import Event

Process = Callable[[Event], Optional[int]]


class Sent(NamedTuple):
    status: int
    verified: str
    text: str
    headers: Any


#: Sends a request: method, body, lines of the signature header, other headers.
Send = Callable[[str, bytes, "list[str]", "dict[str, str]"], Sent]


def in_flask(process: Process, *options: Any, is_async: bool = False, **more: Any) -> Send:
    app = flask.Flask("tests")

    def respond(event: Event, tenant: str) -> Any:
        status = process(event)
        return None if status is None else (tenant, status)

    async def respond_async(event: Event, tenant: str) -> Any:
        return respond(event, tenant)

    view = respond_async if is_async else respond
    decorated = posthorn_receiver.flask.webhook(*options, **more)(view)
    app.add_url_rule("/hooks/<tenant>", view_func=decorated, methods=["POST", "PUT"])

    def send(method: str, body: bytes, lines: list[str], headers: dict[str, str]) -> Sent:
        pairs = [*headers.items(), *(("X-Service-Signature", line) for line in lines)]
        response = app.test_client().open("/hooks/acme", method=method, data=body, headers=pairs)
        return Sent(
            response.status_code,
            response.headers.get("X-Service-Verified", ""),
            response.text,
            response.headers,
        )

    return send


urlpatterns: list[Any] = []


def in_django(process: Process, *options: Any, is_async: bool = False, **more: Any) -> Send:
    def respond(request: HttpRequest, event: Event, tenant: str) -> Any:
        assert request.method == "POST"
        status = process(event)
        return None if status is None else HttpResponse(tenant, status=status)

    async def respond_async(request: HttpRequest, event: Event, tenant: str) -> Any:
        return respond(request, event, tenant)

    view = respond_async if is_async else respond
    decorated = posthorn_receiver.django.webhook(*options, **more)(view)
    urls = (path("hooks/<tenant>", decorated),)
    client = Client(enforce_csrf_checks=True)

    def send(method: str, body: bytes, lines: list[str], headers: dict[str, str]) -> Sent:
        if lines:
            headers = {**headers, "X-Service-Signature": ",".join(lines)}
        content_type = headers.get("Content-Type", "application/json")
        with override_settings(ROOT_URLCONF=urls):
            response = client.generic(method, "/hooks/acme", body, content_type, headers=headers)
        return Sent(
            response.status_code,
            response.headers.get("X-Service-Verified", ""),
            response.content.decode(),
            response.headers,
        )

    return send


def in_fastapi(process: Process, *options: Any, is_async: bool = True, **more: Any) -> Send:
    app = FastAPI()

    def tenant_of(tenant: str) -> str:
        return tenant

    def respond(event: Event, request: Request, of: str = Depends(tenant_of)) -> Any:
        assert request.method == "POST"
        status = process(event)
        return {"returned": "no response"} if status is None else Response(of, status)

    async def respond_async(event: Event, request: Request, of: str = Depends(tenant_of)) -> Any:
        return respond(event, request, of)

    endpoint = respond_async if is_async else respond
    decorated = posthorn_receiver.starlette.webhook(*options, **more)(endpoint)
    app.add_api_route("/hooks/{tenant}", decorated, methods=["POST", "PUT"])
    return through_asgi(app)


def in_starlette(process: Process, *options: Any, **more: Any) -> Send:
    async def respond(event: Event, request: Request) -> Any:
        status = process(event)
        return None if status is None else Response(request.path_params["tenant"], status)

    decorated = posthorn_receiver.starlette.webhook(*options, **more)(respond)
    return through_asgi(Starlette(routes=[Route("/hooks/{tenant}", decorated, methods=["POST", "PUT"])]))


def through_asgi(app: Any) -> Send:
    def send(method: str, body: bytes, lines: list[str], headers: dict[str, str]) -> Sent:
        pairs = [*headers.items(), *(("X-Service-Signature", line) for line in lines)]
        scope = {
            "type": "http",
            "method": method,
            "path": "/hooks/acme",
            "query_string": b"",
            "headers": [(name.lower().encode(), value.encode()) for name, value in pairs],
        }
        half = len(body) // 2
        messages = [
            {"type": "http.request", "body": body[:half], "more_body": True},
            {"type": "http.request", "body": body[half:]},
        ]
        return asyncio.run(answer_of(app, scope, messages))

    return send


async def answer_of(app: Any, scope: dict[str, Any], messages: list[dict[str, Any]]) -> Sent:
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return messages.pop(0) if messages else {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    headers = {name.decode().title(): value.decode() for name, value in sent[0]["headers"]}
    text = b"".join(message.get("body", b"") for message in sent[1:]).decode()
    return Sent(sent[0]["status"], headers.get("X-Service-Verified", ""), text, headers)

"""Receives webhooks in Starlette and FastAPI."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable
from typing import Any, get_type_hints

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from .dedupe import DedupeStore
from .errors import PayloadError, UsageError, WebhookError
from .event import Event
from .receiver import Answer, Receiver
from .verifier import Verifier


def webhook(
    verifier: Verifier,
    store: DedupeStore | None = None,
    *,
    on_error: Callable[[WebhookError], object] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Awaitable[Response]]]:
    """Decorates an endpoint, which gets the event as its first argument.

    The endpoint may return None, and it may be async or not. It may also take `request`, and in FastAPI dependencies. If it
    raises or its status is not 2xx, Posthorn sends the event again.

    >>> @app.post("/hooks")
    ... @webhook(Verifier(os.environ["WEBHOOK_SECRET"]))
    ... async def hooks(event: Event): ...

    :param store: if there is one, the endpoint runs once for each event id
    :param on_error: called if a request was not processed; the default writes a log record
    """
    receiver: Receiver[Response] = Receiver(verifier, store, on_error)

    def decorate(endpoint: Callable[..., Any]) -> Callable[..., Awaitable[Response]]:
        takes_request = "request" in inspect.signature(endpoint).parameters

        @functools.wraps(endpoint)
        async def wrapper(request: Request, **others: Any) -> Response:
            if takes_request:
                others["request"] = request

            async def run(event: Event) -> Response | None:
                if inspect.iscoroutinefunction(endpoint):
                    returned = await endpoint(event, **others)
                else:
                    returned = await run_in_threadpool(endpoint, event, **others)
                    # Another decorator may hide that the endpoint is async.
                    if inspect.isawaitable(returned):
                        returned = await returned
                return returned if isinstance(returned, Response) else None

            async def read_body(bytes_max: int) -> bytes:
                return await _body_of(request, bytes_max)

            header = request.headers.getlist(verifier.header_name)
            return _response_of(await receiver.receive_async(request.method, header, read_body, run))

        described: Any = wrapper
        # FastAPI reads this and passes the request and the dependencies.
        described.__signature__ = _signature_for(endpoint)
        return wrapper

    return decorate


def _signature_for(endpoint: Callable[..., Any]) -> inspect.Signature:
    # Resolved here, because FastAPI would resolve the text of annotations in this module.
    try:
        hints = get_type_hints(endpoint, include_extras=True)
    except NameError:
        # A name that only a type checker imports. The event needs no annotation.
        hints = {}
    _, *others = inspect.signature(endpoint).parameters.values()
    keyword = inspect.Parameter.KEYWORD_ONLY
    return inspect.Signature(
        [
            inspect.Parameter("request", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Request),
            *(
                other.replace(kind=keyword, annotation=hints.get(other.name, other.annotation))
                for other in others
                if other.name != "request"
            ),
        ],
        return_annotation=Response,
    )


async def _body_of(request: Request, bytes_max: int) -> bytes:
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) >= bytes_max:
                break
    except ClientDisconnect:
        raise PayloadError("body_missing", "the sender disconnected") from None
    except RuntimeError:
        raise _consumed() from None
    if not body and request.headers.get("Content-Length", "0") != "0":
        # Below middleware, Starlette replaces a body that was read.
        raise _consumed()
    return bytes(body)


def _consumed() -> UsageError:
    return UsageError("body_already_consumed", "use request.body() instead of request.stream() before")


def _response_of(answer: Answer | Response) -> Response:
    if isinstance(answer, Response):
        return answer
    return Response(answer.body, answer.status, dict(answer.headers))

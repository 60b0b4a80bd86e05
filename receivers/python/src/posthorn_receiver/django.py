"""Receives webhooks in Django."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.http.request import RawPostDataException

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
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorates a view, which gets the event as its second argument. It turns off the CSRF check of this view.

    The view may return None, and it may be async. If it raises or its status is not 2xx, Posthorn sends the event again.

    >>> @webhook(Verifier(os.environ["WEBHOOK_SECRET"]))
    ... def hooks(request, event): ...

    :param store: if there is one, the view runs once for each event id
    :param on_error: called if a request was not processed; the default writes a log record
    """
    receiver: Receiver[HttpResponseBase] = Receiver(verifier, store, on_error)

    def decorate(view: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(view)
        def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            def run(event: Event) -> HttpResponseBase | None:
                return _own(view(request, event, *args, **kwargs))

            def read_body(bytes_max: int) -> bytes:
                return _body_of(request, bytes_max)

            header = request.headers.get(verifier.header_name)
            return _response_of(receiver.receive(request.method, header, read_body, run))

        @functools.wraps(view)
        async def async_wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            async def run(event: Event) -> HttpResponseBase | None:
                return _own(await view(request, event, *args, **kwargs))

            async def read_body(bytes_max: int) -> bytes:
                return _body_of(request, bytes_max)

            header = request.headers.get(verifier.header_name)
            return _response_of(await receiver.receive_async(request.method, header, read_body, run))

        chosen: Any = async_wrapper if iscoroutinefunction(view) else wrapper
        chosen.csrf_exempt = True
        return chosen  # type: ignore[no-any-return]

    return decorate


def _body_of(request: HttpRequest, bytes_max: int) -> bytes:
    length = request.headers.get("Content-Length") or ""
    if length.isdecimal() and int(length) >= bytes_max:
        raise PayloadError("payload_too_large")
    try:
        body: bytes = request.body
    except RequestDataTooBig:
        raise PayloadError("payload_too_large", "DATA_UPLOAD_MAX_MEMORY_SIZE") from None
    except RawPostDataException:
        raise UsageError(
            "body_already_consumed", "use request.body instead of request.read() before"
        ) from None
    return body


def _own(returned: object) -> HttpResponseBase | None:
    if inspect.iscoroutine(returned):
        returned.close()
        raise UsageError(
            "option_invalid", "the view is async, but another decorator hides it: mark that with markcoroutinefunction"
        )
    return returned if isinstance(returned, HttpResponseBase) else None


def _response_of(answer: Answer | HttpResponseBase) -> HttpResponseBase:
    if isinstance(answer, HttpResponseBase):
        return answer
    return HttpResponse(answer.body, status=answer.status, headers=dict(answer.headers))

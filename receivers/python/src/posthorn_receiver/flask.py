"""Receives webhooks in Flask."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any

from flask import Response, current_app, request
from werkzeug.exceptions import RequestEntityTooLarge

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
) -> Callable[[Callable[..., Any]], Callable[..., Response]]:
    """Decorates a view, which gets the event as its first argument.

    The view may return None. If it raises or its status is not 2xx, Posthorn sends the event again.

    >>> @app.post("/hooks")
    ... @webhook(Verifier(os.environ["WEBHOOK_SECRET"]))
    ... def hooks(event): ...

    :param store: if there is one, the view runs once for each event id
    :param on_error: called if a request was not processed; the default writes a log record
    """
    receiver: Receiver[Response] = Receiver(verifier, store, on_error)

    def decorate(view: Callable[..., Any]) -> Callable[..., Response]:
        @functools.wraps(view)
        def wrapper(*args: Any, **kwargs: Any) -> Response:
            def run(event: Event) -> Response | None:
                returned = current_app.ensure_sync(view)(event, *args, **kwargs)
                return None if returned is None else current_app.make_response(returned)

            header = request.headers.getlist(verifier.header_name)
            return _response_of(receiver.receive(request.method, header, _read_body, run))

        return wrapper

    return decorate


def _read_body(bytes_max: int) -> bytes:
    if (request.content_length or 0) >= bytes_max:
        raise PayloadError("payload_too_large")
    try:
        # Limits bodies without a length. Before Flask 3.1, only the configuration of the application can.
        with contextlib.suppress(AttributeError):
            request.max_content_length = bytes_max
        body = request.get_data()
    except RequestEntityTooLarge:
        raise PayloadError("payload_too_large") from None
    if not body and request.content_length:
        raise UsageError(
            "body_already_consumed", "call request.get_data() before request.form or request.files"
        )
    return body


def _response_of(answer: Answer | Response) -> Response:
    if isinstance(answer, Response):
        return answer
    return current_app.response_class(answer.body, answer.status, answer.headers)

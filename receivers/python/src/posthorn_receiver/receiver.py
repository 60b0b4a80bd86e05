"""Answers webhooks, independent of any framework. The adapters use it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from .dedupe import DedupeStore, Processed
from .errors import PayloadError, UsageError, VerificationError, WebhookError
from .event import Event, parse_event
from .verifier import Header, Verifier

_log = logging.getLogger("posthorn_receiver")


class Response(Protocol):
    """The response of an application, in any framework."""

    @property
    def status_code(self) -> int: ...

    @property
    def headers(self) -> Any: ...


R = TypeVar("R", bound=Response)


@dataclass(frozen=True)
class Answer:
    """A response of this package, independent of any framework."""

    status: int
    body: str
    headers: Mapping[str, str] = field(default_factory=dict)


class Receiver(Generic[R]):
    """Verifies a request, runs the application once for each event, and answers.

    Every failed verification gets the same 401, which does not tell the sender why. Errors of the application pass through,
    so that the framework reports them.

    :param store: if there is one, the application runs once for each event id
    :param on_error: called if a request was not processed; the default writes a log record
    :raises UsageError: if the verifier is something else, such as a secret
    """

    def __init__(
        self,
        verifier: Verifier,
        store: DedupeStore | None = None,
        on_error: Callable[[WebhookError], object] | None = None,
    ) -> None:
        if not isinstance(verifier, Verifier):
            raise UsageError("option_invalid", "pass a Verifier: @webhook(Verifier(secret))")
        self.verifier = verifier
        self._store = store
        self._on_error = on_error or _write_to_log

    def receive(
        self,
        method: str | None,
        header: Header,
        read_body: Callable[[int], bytes],
        run: Callable[[Event], R | None],
    ) -> Answer | R:
        """Answers a request.

        :param read_body: returns the raw body; it may stop after that many bytes
        :param run: returns the application's response, if there is one; unless it is 2xx, the event is not processed
        """
        if method != "POST":
            return _POST_ONLY
        try:
            delivery = self._open(header, read_body(self.verifier.max_body_bytes + 1))

            def checked() -> R | None:
                return delivery.checked(run(delivery.event))

            if self._store is None:
                return delivery.answer(Processed("processed", checked()))
            return delivery.answer(
                self._store.process_once(
                    delivery.event.id, checked, body=delivery.body, on_warning=self._on_error
                )
            )
        except _NotProcessed as own:
            return own.response  # type: ignore[no-any-return]
        except WebhookError as error:
            return self._refuse(error)

    async def receive_async(
        self,
        method: str | None,
        header: Header,
        read_body: Callable[[int], Awaitable[bytes]],
        run: Callable[[Event], Awaitable[R | None]],
    ) -> Answer | R:
        """Like `receive`, for asyncio."""
        if method != "POST":
            return _POST_ONLY
        try:
            delivery = self._open(header, await read_body(self.verifier.max_body_bytes + 1))

            async def checked() -> R | None:
                return delivery.checked(await run(delivery.event))

            if self._store is None:
                return delivery.answer(Processed("processed", await checked()))
            return delivery.answer(
                await self._store.process_once_async(
                    delivery.event.id, checked, body=delivery.body, on_warning=self._on_error
                )
            )
        except _NotProcessed as own:
            return own.response  # type: ignore[no-any-return]
        except WebhookError as error:
            return self._refuse(error)

    def _open(self, header: Header, body: bytes) -> _Delivery[R]:
        if len(body) > self.verifier.max_body_bytes:
            raise PayloadError("payload_too_large")
        verified = self.verifier.verify(body, header)
        return _Delivery(parse_event(body), body, {self.verifier.verified_name: verified.parts})

    def _refuse(self, error: WebhookError) -> Answer:
        self._on_error(error)
        if error.status == 401:
            return _text(401, "invalid signature")
        return _text(error.status, "invalid payload" if error.status < 500 else "not processed")


class _NotProcessed(Exception):
    """Carries the application's response through `process_once`, which releases the id because this is raised."""

    def __init__(self, response: Any) -> None:
        super().__init__()
        self.response = response


@dataclass(frozen=True)
class _Delivery(Generic[R]):
    event: Event
    body: bytes
    proof: Mapping[str, str]

    def checked(self, response: R | None) -> R | None:
        if response is not None:
            for name, value in self.proof.items():
                response.headers[name] = value
            if response.status_code // 100 != 2:
                raise _NotProcessed(response)
        return response

    def answer(self, processed: Processed[R | None]) -> Answer | R:
        if processed.status == "in_progress":
            return _text(409, "in progress", {**self.proof, "Retry-After": "5"})
        return processed.value or _text(200, "ok", self.proof)


def _write_to_log(error: WebhookError) -> None:
    # Anybody can send requests that fail verification.
    level = logging.WARNING if isinstance(error, (VerificationError, PayloadError)) else logging.ERROR
    _log.log(level, "%s", error, exc_info=error.__cause__)


def _text(status: int, line: str, headers: Mapping[str, str] | None = None) -> Answer:
    return Answer(status, f"{line}\n", {"Content-Type": "text/plain", **(headers or {})})


_POST_ONLY = _text(405, "POST only", {"Allow": "POST"})

"""The body of a webhook, with a class for each type that this version knows."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import PayloadError
from .event_data import (
    EmailBouncedData,
    EmailComplainedData,
    EmailDeferredData,
    EmailDeliveredData,
    EmailFailedData,
    EmailSuppressedData,
    EmailUnsubscribedData,
)


@dataclass(frozen=True)
class Event:
    """The body of a webhook. Its class is `Event` itself if this version does not know the type.

    Answer 2xx to unknown types too, or Posthorn sends them again.

    >>> if isinstance(event, EmailBounced):
    ...     suppress(event.data["recipient"])
    """

    #: Unique. It stays the same when the event is delivered again.
    id: str
    #: For example `email.bounced`. It may be unknown to this version.
    type: str
    #: Ignore fields that `event_data` does not list, and treat an unknown value like its category.
    data: Mapping[str, Any]
    #: When Posthorn created the event (RFC 3339, UTC).
    created_at: str | None


@dataclass(frozen=True)
class EmailDelivered(Event):
    """The recipient's mail server accepted the email. A bounce may still follow."""

    data: EmailDeliveredData


@dataclass(frozen=True)
class EmailBounced(Event):
    """A confirmed permanent failure of the recipient's address."""

    data: EmailBouncedData


@dataclass(frozen=True)
class EmailFailed(Event):
    """The email did not arrive because of an infrastructure, policy or signing failure."""

    data: EmailFailedData


@dataclass(frozen=True)
class EmailUnsubscribed(Event):
    """The recipient unsubscribed or reported the email as spam."""

    data: EmailUnsubscribedData


@dataclass(frozen=True)
class EmailComplained(Event):
    """The recipient reported the email as spam. Only endpoints that name the type get it."""

    data: EmailComplainedData


@dataclass(frozen=True)
class EmailDeferred(Event):
    """The recipient's first deferral: the mail server tries again. Only endpoints that name the type get it."""

    data: EmailDeferredData


@dataclass(frozen=True)
class EmailSuppressed(Event):
    """The email was not sent, because the address is suppressed. Only endpoints that name the type get it."""

    data: EmailSuppressedData


_CLASSES: dict[str, type[Event]] = {
    "email.delivered": EmailDelivered,
    "email.bounced": EmailBounced,
    "email.failed": EmailFailed,
    "email.unsubscribed": EmailUnsubscribed,
    "email.complained": EmailComplained,
    "email.deferred": EmailDeferred,
    "email.suppressed": EmailSuppressed,
}
# Limited because ids become keys in stores and types become labels.
_NAME_CHARACTERS_MAX = 255
# Keeps other escapes and whole surrogate pairs (group 1), and finds escaped halves of a pair.
_HALF_PAIR = re.compile(
    r"(\\(?:[^u]|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}))|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)


def parse_event(body: bytes) -> Event:
    """Parses verified bytes. As usual with `json`, the last of duplicate keys wins.

    :raises PayloadError: if the bytes are not an event
    """
    try:
        # Rejects invalid UTF-8 and removes a byte order mark. Given bytes, `json` would also accept UTF-16.
        text = body.decode("utf-8-sig")
        # Half of a surrogate pair may come from a subject that was cut. As a str it could not be encoded again.
        value = json.loads(
            _HALF_PAIR.sub(lambda match: match[1] or "\\ufffd", text),
            parse_int=_number,
            parse_constant=_refuse_constant,
        )
    except (ValueError, RecursionError):
        # No cause, because it would quote the body, which contains personal addresses.
        raise PayloadError("payload_not_json") from None
    if not isinstance(value, dict):
        raise PayloadError("payload_not_event")
    event_id, event_type = _name_in(value, "id"), _name_in(value, "type")
    data, created_at = value.get("data", {}), value.get("created_at")
    if not isinstance(data, dict):
        raise PayloadError("payload_not_event")
    as_class = _CLASSES.get(event_type, Event)
    return as_class(event_id, event_type, data, created_at if isinstance(created_at, str) else None)


def _name_in(value: dict[str, Any], key: str) -> str:
    name = value.get(key)
    # JavaScript counts a character above U+FFFF twice, and every library must set the same limit.
    if not isinstance(name, str) or not 0 < len(name.encode("utf-16-le")) // 2 <= _NAME_CHARACTERS_MAX:
        raise PayloadError("payload_not_event")
    return name


def _number(digits: str) -> float:
    # `int` refuses thousands of digits, which are valid JSON.
    return int(digits) if len(digits) < 4000 else float(digits)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")

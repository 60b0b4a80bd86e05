"""The errors of this package. Each has a code from a closed list, the same as in Posthorn's other libraries."""

from __future__ import annotations

from typing import Literal

ErrorCode = Literal[
    "header_missing",
    "header_malformed",
    "header_ambiguous",
    "timestamp_missing",
    "timestamp_malformed",
    "signature_missing",
    "signature_mismatch",
    "timestamp_too_old",
    "timestamp_in_future",
    "payload_too_large",
    "payload_not_json",
    "payload_not_event",
    "event_changed",
    "secret_missing",
    "secret_empty",
    "secret_whitespace",
    "secret_too_short",
    "secret_wrong_kind",
    "secrets_too_many",
    "tolerance_invalid",
    "option_invalid",
    "body_missing",
    "body_already_parsed",
    "body_already_consumed",
    "crypto_unavailable",
    "store_unavailable",
]


class WebhookError(Exception):
    """The base class of all errors in this package. Its text says what is wrong and what to do.

    Write the text to your log, never into the response.
    """

    #: The HTTP status to answer with.
    status: int = 500

    def __init__(self, code: ErrorCode, detail: str = "") -> None:
        super().__init__(code, detail)
        self.code: ErrorCode = code
        self.detail = detail

    def __str__(self) -> str:
        words = f"{self.code}: {IN_WORDS[self.code]}"
        return f"{words} ({self.detail})" if self.detail else words


class VerificationError(WebhookError):
    """The request may not come from Posthorn. Answer 401 and do not process it."""

    status = 401


class PayloadError(WebhookError):
    """The body cannot be used. Answer 400, or 413 if it is too large."""

    def __init__(self, code: ErrorCode, detail: str = "") -> None:
        super().__init__(code, detail)
        self.status = 413 if code == "payload_too_large" else 400


class UsageError(WebhookError):
    """A mistake in your program or its configuration. Answer 500 and log it."""


class StoreError(WebhookError):
    """The dedupe store failed. Answer 503, so that Posthorn sends the event again."""

    status = 503


_WHOLE_SECRET = "Use the whole secret (whsec_…), without quotes or a name."
_CLOCK = "If every request fails like this, check the clock of this machine."

IN_WORDS: dict[ErrorCode, str] = {
    "header_missing": "The request has no signature header. Check that it comes from Posthorn and that no proxy removes "
    "it.",
    "header_malformed": "The signature header is not text, is longer than 4,096 bytes, is not ASCII, or has more than "
    "one t.",
    "header_ambiguous": "The request has the signature header more than once.",
    "timestamp_missing": "The signature header has no t.",
    "timestamp_malformed": "t in the signature header is not a number of 1 to 15 digits.",
    "signature_missing": "The signature header has no v1, v1s or v1s2 with 64 hexadecimal characters.",
    "signature_mismatch": "No signature matches. Either the secret is the wrong one, or the body is not the bytes that "
    "arrived: do not decode, trim, convert or serialize it again.",
    "timestamp_too_old": f"The request was signed too long ago. {_CLOCK}",
    "timestamp_in_future": f"The request was signed in the future. {_CLOCK}",
    "payload_too_large": "The body is larger than max_body_bytes.",
    "payload_not_json": "The signature is right, but the body is not JSON.",
    "payload_not_event": "The signature is right, but the body has no id, no type, or data that is not an object.",
    "event_changed": "This event arrived before with another body. The first body counts.",
    "secret_missing": "There is no secret, or it is not a str. Pass the secret of the endpoint (whsec_…).",
    "secret_empty": "A secret is empty, so anybody could sign with it. Is the environment variable set?",
    "secret_whitespace": "A secret contains a space or a line break. A file often ends with one: remove it with "
    f"strip(). {_WHOLE_SECRET}",
    "secret_too_short": f"A secret is too short. secret_prefix is only its beginning. {_WHOLE_SECRET}",
    "secret_wrong_kind": f"This is not the secret of an endpoint. {_WHOLE_SECRET}",
    "secrets_too_many": "There are more than ten secrets.",
    "tolerance_invalid": "tolerance_seconds must be an int of 0 or more. 0 turns the time check off.",
    "option_invalid": "An option has a value that cannot work.",
    "body_missing": "There is no body. Pass the bytes that arrived: request.get_data() in Flask, request.body in Django, "
    "await request.body() in Starlette and FastAPI.",
    "body_already_parsed": "The body is not the bytes that arrived. If you parsed or decoded it, encoding it again may not "
    "restore them. Pass request.get_data() in Flask, request.body in Django, await request.body() in Starlette and "
    "FastAPI.",
    "body_already_consumed": "Something read the body before and did not keep it. Verify the raw body first.",
    "crypto_unavailable": "Python has no HMAC-SHA256.",
    "store_unavailable": "The store of processed events failed. Posthorn sends the event again.",
}

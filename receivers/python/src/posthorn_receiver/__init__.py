"""Verifies Posthorn's signed webhooks. Adapters are in `posthorn_receiver.flask`, `.django` and `.starlette`.

>>> verifier = Verifier(os.environ["WEBHOOK_SECRET"])
>>> event = verifier.construct_event(body, headers)
"""

from .database_store import DatabaseStore
from .dedupe import DedupeStore, Processed
from .errors import (
    ErrorCode,
    PayloadError,
    StoreError,
    UsageError,
    VerificationError,
    WebhookError,
)
from .event import (
    EmailBounced,
    EmailComplained,
    EmailDeferred,
    EmailDelivered,
    EmailFailed,
    EmailSuppressed,
    EmailUnsubscribed,
    Event,
    parse_event,
)
from .memory_store import MemoryStore
from .redis_store import RedisStore
from .verifier import Header, RawBody, SignatureMatch, Verified, Verifier, sign

__all__ = [
    "DatabaseStore",
    "DedupeStore",
    "EmailBounced",
    "EmailComplained",
    "EmailDeferred",
    "EmailDelivered",
    "EmailFailed",
    "EmailSuppressed",
    "EmailUnsubscribed",
    "ErrorCode",
    "Event",
    "Header",
    "MemoryStore",
    "PayloadError",
    "Processed",
    "RawBody",
    "RedisStore",
    "SignatureMatch",
    "StoreError",
    "UsageError",
    "VerificationError",
    "Verified",
    "Verifier",
    "WebhookError",
    "parse_event",
    "sign",
]

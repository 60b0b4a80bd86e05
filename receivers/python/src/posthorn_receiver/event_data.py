"""The data of each event type. Enumerations may get new values: treat an unknown value like its category."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Literal, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired


# A class cannot declare a field with the name of a keyword.
_Sender = TypedDict("_Sender", {"from": str}, total=False)


class EmailEventData(_Sender):
    """The fields that all event types share. Ignore fields that are not listed here."""

    email_id: str
    #: The recipients, at least one.
    to: list[str]
    #: When the outcome happened (RFC 3339, UTC).
    occurred_at: str
    message_id: NotRequired[str]
    subject: NotRequired[str]
    tags: NotRequired[dict[str, str]]
    metadata: NotRequired[dict[str, str | float | bool | None]]
    sent_at: NotRequired[str]


class SmtpResponse(TypedDict):
    """The reply of a mail server."""

    code: int | None
    enhanced_code: str | None
    message: str
    command: NotRequired[str]


class RemoteMta(TypedDict):
    """The mail server of the recipient."""

    name: str
    ip: NotRequired[str]


class Tls(TypedDict):
    """How the connection was encrypted."""

    version: str
    cipher: str


class EmailDeliveredData(EmailEventData):
    """The data of `email.delivered`."""

    remote_mta: NotRequired[RemoteMta]
    smtp_response: NotRequired[SmtpResponse]
    attempts: NotRequired[int]
    tls: NotRequired[Tls | None]


class Bounce(TypedDict):
    """Why an address failed."""

    type: Literal["permanent"]
    #: For example `invalid_recipient`, `invalid_domain` or `mailbox_disabled`.
    category: str
    message: str
    timing: Literal["synchronous", "asynchronous"]
    #: `enhanced_status_code`, `reply_text`, `dns` or `reported`.
    evidence: str
    final_recipient: NotRequired[str]


class EmailBouncedData(EmailEventData):
    """The data of `email.bounced`."""

    recipient: str
    bounce: Bounce
    smtp_response: NotRequired[SmtpResponse]
    remote_mta: NotRequired[RemoteMta]
    reporting_mta: NotRequired[str]
    attempts: NotRequired[int]
    #: One sentence that says what decided this. Missing if the reporter decided.
    decided_by: NotRequired[str]


class Suppression(TypedDict):
    """The entry of the suppression list that stopped the email."""

    #: `bounced`, `complaint`, `unsubscribed` or `manual`.
    reason: str
    since: str


class Failure(TypedDict):
    """Why the email did not arrive."""

    category: Literal["infrastructure", "policy", "signing"]
    reason: str
    stage: NotRequired[str]
    message: str
    retryable: bool
    expired: bool
    blocklist: NotRequired[str]
    final_recipient: NotRequired[str]
    suppression: NotRequired[Suppression]


class EmailFailedData(EmailEventData):
    """The data of `email.failed`."""

    scope: Literal["recipient", "message"]
    failure: Failure
    smtp_response: NotRequired[SmtpResponse]
    remote_mta: NotRequired[RemoteMta]
    reporting_mta: NotRequired[str]
    attempts: NotRequired[int]
    #: One sentence that says what decided this. Missing if the reporter decided.
    decided_by: NotRequired[str]


class UnsubscribeScope(TypedDict):
    """What the recipient wants no more of."""

    #: `all`, `list` or `topic`.
    type: str
    id: NotRequired[str]


class Unsubscribe(TypedDict):
    """How the recipient unsubscribed."""

    #: For example `one_click`, `link` or `complaint`.
    source: str
    scope: UnsubscribeScope
    feedback_type: NotRequired[str]
    user_agent: NotRequired[str]


class EmailUnsubscribedData(EmailEventData):
    """The data of `email.unsubscribed`."""

    recipient: str
    unsubscribe: Unsubscribe


class Complaint(TypedDict):
    """What the report of a complaint says."""

    feedback_type: NotRequired[str]
    user_agent: NotRequired[str]


class EmailComplainedData(EmailEventData):
    """The data of `email.complained`."""

    recipient: str
    complaint: Complaint


class Deferral(TypedDict):
    """Why the email was not delivered yet."""

    category: Literal["infrastructure", "policy", "signing"]
    reason: str
    message: str


class EmailDeferredData(EmailEventData):
    """The data of `email.deferred`."""

    recipient: str
    deferral: Deferral
    smtp_response: NotRequired[SmtpResponse]
    remote_mta: NotRequired[RemoteMta]
    reporting_mta: NotRequired[str]
    attempts: NotRequired[int]


class EmailSuppressedData(EmailEventData):
    """The data of `email.suppressed`."""

    suppression: NotRequired[Suppression]

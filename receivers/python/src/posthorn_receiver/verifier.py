"""Verifies and signs webhooks."""

from __future__ import annotations

import hmac
import math
import re
import time
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple, Union

from .errors import UsageError, VerificationError
from .event import Event, parse_event

#: The bytes as they arrived.
RawBody = Union[bytes, bytearray, memoryview]
#: The value of the signature header, a list of its lines, or all headers as your framework provides them.
Header = Union[str, Sequence[str], Mapping[str, Union[str, Sequence[str]]], None]

# JavaScript's white space, so that every library refuses the same secrets with the same code.
_WHITE_SPACE = re.compile("[\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]")
# Text before `whsec_`, a character that no secret has, another credential, an id, or a missing prefix.
_WRONG_KIND = re.compile(r".whsec_|[^\w+/=-]|\A(?:ph[ak]|whk?)_|\A[^_]{43,44}\Z", re.ASCII)
_TIMESTAMP = re.compile(r"[0-9]{1,15}")
_STAGED = re.compile(r"v1s[0-9]*")
_HEX = re.compile(r"[0-9A-Fa-f]{64}")
_secret_index = itemgetter(1)


class SignatureMatch(NamedTuple):
    """A signature in the header that matches a configured secret."""

    part_name: str
    secret_index: int


class Verified(NamedTuple):
    """The result for a verified request."""

    #: `t`, in Unix seconds.
    timestamp: int
    #: The first configured secret that matched.
    secret_index: int
    #: The part that it matched: `v1`, `v1s`, `v1s2` and so on.
    part_name: str
    #: Every part that matched, in header order. During a rotation there are several.
    matches: tuple[SignatureMatch, ...]

    @property
    def parts(self) -> str:
        """The value of the answer header `X-Service-Verified`: the names of all parts that matched."""
        return ",".join(dict.fromkeys(match.part_name for match in self.matches))


class Verifier:
    """Verifies that webhooks come from Posthorn and were not changed on the way.

    It checks the options at once, so a wrong secret fails at startup and not at the first delivery.

    >>> verifier = Verifier([new_secret, old_secret])
    >>> event = verifier.construct_event(body, headers)

    :param secrets: the secrets of the endpoint, newest first: usually one, and up to ten during a rotation
    :param tolerance_seconds: how far `t` may be from the clock; 0 turns the check off
    :param header_name: the name of the signature header; with X-Acme-Signature, the adapters answer with X-Acme-Verified
    :param max_body_bytes: the largest body that the adapters read
    :param now: the clock in Unix seconds
    :raises UsageError: if an option cannot work
    """

    def __init__(
        self,
        secrets: str | Sequence[str],
        *,
        tolerance_seconds: int = 300,
        header_name: str = "X-Service-Signature",
        max_body_bytes: int = 1_048_576,
        now: Callable[[], float] = time.time,
    ) -> None:
        # Keyed once and then copied, which is faster and keeps the text of the secrets out of this object.
        self._hmacs = [hmac.new(secret.encode(), digestmod="sha256") for secret in _checked(secrets)]
        if type(tolerance_seconds) is not int or tolerance_seconds < 0:
            raise UsageError("tolerance_invalid")
        if not isinstance(header_name, str) or not re.fullmatch(r"[\w-]+", header_name, re.ASCII):
            raise UsageError("option_invalid", "header_name")
        if type(max_body_bytes) is not int or max_body_bytes < 1:
            raise UsageError("option_invalid", "max_body_bytes")
        #: The name of the signature header in lower case.
        self.header_name = header_name.lower()
        prefix = re.fullmatch(r"(.+)-signature", header_name, re.ASCII | re.IGNORECASE)
        #: The name of the answer header that shows which secrets a receiver has.
        self.verified_name = f"{prefix[1]}-Verified" if prefix else "X-Service-Verified"
        self.max_body_bytes = max_body_bytes
        self._tolerance_seconds = tolerance_seconds
        self._now = now

    def verify(self, body: RawBody, header: Header) -> Verified:
        """Checks the signature and then the timestamp.

        :param body: the bytes as they arrived
        :param header: the value of the signature header, a list of its lines, or all headers by name
        :raises VerificationError: if the request may not come from Posthorn
        :raises UsageError: if the body is not the raw body
        """
        timestamp_text, signatures = _parsed(self._line_in(header), self.header_name)
        macs = self._macs_of(timestamp_text, _checked_body(body))
        # Compares every signature with every secret, without stopping at a match.
        matches = []
        for part_name, value in signatures:
            for index, mac in enumerate(macs):
                if hmac.compare_digest(mac, value):
                    matches.append(SignatureMatch(part_name, index))
        if not matches:
            raise VerificationError("signature_mismatch")
        timestamp = int(timestamp_text)
        # Checked last: a timestamp error proves that the secret is right, and forged requests learn nothing of the clock.
        self._check_freshness(timestamp)
        first = min(matches, key=_secret_index)
        return Verified(timestamp, first.secret_index, first.part_name, tuple(matches))

    def construct_event(self, body: RawBody, header: Header) -> Event:
        """Verifies and then parses. A type that this version does not know gives a plain `Event`.

        :raises VerificationError: if the request may not come from Posthorn
        :raises PayloadError: if the body is not an event
        :raises UsageError: if the body is not the raw body
        """
        # A copy unless it is immutable, so that the parsed bytes are those that were verified.
        unchanging = bytes(_checked_body(body))
        self.verify(unchanging, header)
        return parse_event(unchanging)

    def _line_in(self, header: object) -> str:
        if isinstance(header, str):
            return header
        lines = _lines_in(header, self.header_name)
        if len(lines) > 1:
            raise VerificationError("header_ambiguous")
        line = lines[0] if lines else ""
        if not isinstance(line, str):
            raise VerificationError("header_malformed", f"{type(line).__name__} instead of str")
        return line

    def _macs_of(self, timestamp_text: str, body: RawBody) -> list[str]:
        before, macs = f"{timestamp_text}.".encode(), []
        for keyed in self._hmacs:
            mac = keyed.copy()
            mac.update(before)
            mac.update(body)
            macs.append(mac.hexdigest())
        return macs

    def _check_freshness(self, timestamp: int) -> None:
        if self._tolerance_seconds == 0:
            return
        try:
            age_seconds = math.floor(self._now()) - timestamp
        except (TypeError, ValueError, OverflowError):
            raise UsageError("option_invalid", "now must return Unix seconds") from None
        if abs(age_seconds) <= self._tolerance_seconds:
            return
        unit = "; it looks like milliseconds" if timestamp > 100_000_000_000 else ""
        raise VerificationError(
            "timestamp_too_old" if age_seconds > 0 else "timestamp_in_future",
            f"t is {age_seconds} s behind the clock{unit}",
        )


def sign(body: RawBody, secrets: str | Sequence[str], timestamp: int | None = None) -> str:
    """Signs like the service, so that no test has to turn off verification. Returns the value of `X-Service-Signature`.

    >>> header = sign(body, secret)

    :param secrets: the primary secret first, which signs as `v1`, then staged ones (`v1s`, `v1s2`)
    :param timestamp: Unix seconds, default now
    :raises UsageError: if a secret cannot work, or the body is not bytes
    """
    before = f"{int(time.time()) if timestamp is None else timestamp}"
    message = before.encode() + b"." + _checked_body(body)
    parts = [f"t={before}"]
    for index, secret in enumerate(_checked(secrets)):
        name = "v1" if index == 0 else "v1s" if index == 1 else f"v1s{index}"
        parts.append(f"{name}={hmac.new(secret.encode(), message, 'sha256').hexdigest()}")
    return ",".join(parts)


def _checked(secrets: object) -> list[str]:
    """Refuses secrets that can only be a mistake. An empty secret is the worst, because anyone can sign with it."""
    given = list(secrets) if isinstance(secrets, (list, tuple)) else [secrets]
    if not given:
        raise UsageError("secret_missing")
    if len(given) > 10:
        raise UsageError("secrets_too_many")
    if any(secret in ("", "whsec_") for secret in given):
        raise UsageError("secret_empty")
    checked: list[str] = []
    for secret in given:
        if not isinstance(secret, str):
            raise UsageError("secret_missing", f"{type(secret).__name__} instead of str")
        if _WHITE_SPACE.search(secret):
            raise UsageError("secret_whitespace")
        if _WRONG_KIND.search(secret):
            raise UsageError("secret_wrong_kind")
        # `secret_prefix` from the API has 10 characters and must not pass as a secret.
        if len(secret) < 24:
            raise UsageError("secret_too_short")
        checked.append(secret)
    return checked


def _checked_body(body: object) -> RawBody:
    if body is None:
        raise UsageError("body_missing")
    if not isinstance(body, (bytes, bytearray, memoryview)):
        raise UsageError("body_already_parsed", f"{type(body).__name__} instead of bytes")
    return body


def _lines_in(header: object, name: str) -> Sequence[object]:
    if header is None:
        return []
    if isinstance(header, (list, tuple)):
        return header
    items = getattr(header, "items", None)
    if items is None:
        return [header]
    lines: list[object] = []
    # Two spellings of the same name count as two headers, because choosing one would be ambiguous.
    for key, value in items():
        if str(key).lower() == name:
            lines.extend(value if isinstance(value, (list, tuple)) else [value])
    return lines


def _parsed(line: str, header_name: str) -> tuple[str, list[tuple[str, str]]]:
    """Parses `t=<unix-seconds>,v1=<hex>,v1s=<hex>…` into the text of `t` as received and the signatures.

    It ignores other parts, so that the service can extend the header.
    """
    if not line.strip(" \t"):
        raise VerificationError("header_missing", f"expected {header_name}")
    if len(line) > 4096 or not line.isascii() or not line.replace("\t", " ").isprintable():
        raise VerificationError("header_malformed", "too long or not printable ASCII")
    times: list[str] = []
    signatures: list[tuple[str, str]] = []
    for piece in line.split(","):
        name, equals, value = piece.strip(" \t").partition("=")
        if name == "t" and equals:
            times.append(value)
        elif (name == "v1" or _STAGED.fullmatch(name)) and _HEX.fullmatch(value):
            signatures.append((name, value.lower()))
    if len(times) > 1:
        raise VerificationError("header_malformed", "duplicate t")
    if not times:
        raise VerificationError("timestamp_missing")
    if not _TIMESTAMP.fullmatch(times[0]):
        raise VerificationError("timestamp_malformed")
    if not signatures:
        raise VerificationError("signature_missing")
    return times[0], signatures

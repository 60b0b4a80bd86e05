"""A mistake of the program is explained in words, and shows no secret."""

from __future__ import annotations

import pickle
import re
from types import SimpleNamespace
from typing import Any, get_args

import pytest
from signed import BODY, SECRET, STAGED
from werkzeug.datastructures import Headers

from posthorn_receiver import ErrorCode, UsageError, VerificationError, Verifier, WebhookError, sign
from posthorn_receiver.errors import IN_WORDS


@pytest.mark.parametrize("parsed", [{"id": "evt_1"}, [1], 5, SimpleNamespace(id="evt_1"), BODY.decode()])
def test_a_body_that_was_parsed_or_decoded_is_explained(parsed: Any) -> None:
    for use in (Verifier(SECRET).verify, Verifier(SECRET).construct_event):
        with pytest.raises(UsageError, match=r"request\.get_data\(\).*instead of bytes") as error:
            use(parsed, sign(BODY, SECRET))
        assert error.value.code == "body_already_parsed"
    with pytest.raises(UsageError) as error:
        sign(parsed, SECRET)
    assert error.value.code == "body_already_parsed"


def test_no_body_is_explained() -> None:
    nothing: Any = None
    with pytest.raises(UsageError, match="There is no body") as error:
        Verifier(SECRET).verify(nothing, sign(BODY, SECRET))
    assert error.value.code == "body_missing"


@pytest.mark.parametrize("copy", [bytes, bytearray, memoryview])
def test_bytes_are_accepted_in_every_form(copy: Any) -> None:
    assert Verifier(SECRET).construct_event(copy(BODY), sign(BODY, SECRET)).id == "evt_1"
    assert sign(copy(BODY), SECRET, 1) == sign(BODY, SECRET, 1)


def test_a_changed_body_is_explained() -> None:
    sent = '{"subject":"Grüße"}'
    with pytest.raises(VerificationError, match="do not decode, trim, convert"):
        Verifier(SECRET).verify(sent.encode("latin-1"), sign(sent.encode(), SECRET))


@pytest.mark.parametrize(
    ("secret", "words"),
    [
        ("", "is the environment variable set"),
        (None, "there is no secret, or it is not a str"),
        (False, "there is no secret, or it is not a str"),
        (SECRET.encode(), "bytes instead of str"),
        ({SECRET}, "set instead of str"),
        (f"{SECRET}\n", r"strip\(\)"),
        (f"{SECRET}\u00a0", r"strip\(\)"),
        ("whsec_test", "secret_prefix is only its beginning"),
        (f'"{SECRET}"', "without quotes"),
        (f"{SECRET}\udc80", "without quotes"),
        (f"WEBHOOK_SECRET={SECRET}", "or a name"),
    ],
)
def test_a_secret_that_cannot_work_is_explained(secret: Any, words: str) -> None:
    for use in (lambda: Verifier([SECRET, secret]), lambda: sign(BODY, [SECRET, secret])):
        with pytest.raises(UsageError, match=re.compile(words, re.IGNORECASE)) as error:
            use()
        assert SECRET not in f"{error.value} {error.value!r}"
        assert error.value.__cause__ is None


def test_a_verifier_shows_no_secret() -> None:
    verifier = Verifier([SECRET, STAGED])
    assert "whsec_" not in f"{verifier!r} {vars(verifier)!r}"


def test_every_code_is_explained() -> None:
    assert list(IN_WORDS) == list(get_args(ErrorCode))
    for words in IN_WORDS.values():
        assert re.fullmatch(r".{20,}[.?]", words)


def test_an_error_can_be_copied() -> None:
    error = pickle.loads(pickle.dumps(VerificationError("timestamp_too_old", "t is 900 s behind the clock")))
    assert (error.code, error.detail, error.status) == (
        "timestamp_too_old",
        "t is 900 s behind the clock",
        401,
    )


def test_headers_are_found_by_name_in_any_spelling() -> None:
    header, verifier = sign(BODY, SECRET), Verifier(SECRET)
    for headers in (
        {"x-SERVICE-signature": header},
        {"Other": "1", "X-Service-Signature": [header]},
        Headers({"X-Service-Signature": header}),
        header,
        [header],
    ):
        assert verifier.verify(BODY, headers).part_name == "v1"
    renamed = Verifier(SECRET, header_name="X-Acme-Signature")
    assert renamed.verify(BODY, {"X-ACME-Signature": header}).part_name == "v1"


def test_a_header_that_is_not_clear_is_refused() -> None:
    header: Any = sign(BODY, SECRET)
    twice = {"X-Service-Signature": header, "x-service-signature": header}
    for headers, code in (
        (twice, "header_ambiguous"),
        (Headers([("X-Service-Signature", header)] * 2), "header_ambiguous"),
        ({"X-Acme-Signature": header}, "header_missing"),
        (None, "header_missing"),
        (header.encode(), "header_malformed"),
        (f"{header}\n", "header_malformed"),
    ):
        with pytest.raises(VerificationError) as error:
            Verifier(SECRET).verify(BODY, headers)
        assert error.value.code == code
    with pytest.raises(VerificationError, match="expected x-acme-signature"):
        Verifier(SECRET, header_name="X-Acme-Signature").verify(BODY, twice)


@pytest.mark.parametrize(
    "options",
    [
        {"header_name": "x y"},
        {"header_name": "x\n"},
        {"header_name": ""},
        {"header_name": None},
        {"max_body_bytes": 0},
        {"max_body_bytes": "1"},
    ],
)
def test_an_option_that_cannot_work_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as error:
        Verifier(SECRET, **options)
    assert error.value.code == "option_invalid"


@pytest.mark.parametrize("now", [lambda: None, lambda: "1", lambda: float("nan"), lambda: float("inf")])
def test_a_clock_that_cannot_work_is_refused(now: Any) -> None:
    with pytest.raises(UsageError) as error:
        Verifier(SECRET, now=now).verify(BODY, sign(BODY, SECRET))
    assert error.value.code == "option_invalid"


def test_a_verification_fails_before_the_clock_is_read() -> None:
    def now() -> float:
        raise AssertionError("read the clock")

    with pytest.raises(WebhookError) as error:
        Verifier(SECRET, now=now).verify(BODY, sign(BODY, STAGED))
    assert error.value.code == "signature_mismatch"
    assert Verifier(SECRET, now=now, tolerance_seconds=0).verify(BODY, sign(BODY, SECRET, 1)).timestamp == 1

"""Events of every type are kept, and odd JSON gets the same verdict as in JavaScript."""

from __future__ import annotations

import json

import pytest
from signed import BODY

from posthorn_receiver import (
    EmailBounced,
    EmailComplained,
    EmailDeferred,
    EmailDelivered,
    EmailFailed,
    EmailSuppressed,
    EmailUnsubscribed,
    Event,
    PayloadError,
    parse_event,
)


def test_each_known_type_has_a_class() -> None:
    for kind, known in (
        ("email.delivered", EmailDelivered),
        ("email.bounced", EmailBounced),
        ("email.failed", EmailFailed),
        ("email.unsubscribed", EmailUnsubscribed),
        ("email.complained", EmailComplained),
        ("email.deferred", EmailDeferred),
        ("email.suppressed", EmailSuppressed),
    ):
        assert type(parse_event(json.dumps({"id": "evt_1", "type": kind}).encode())) is known
    assert parse_event(BODY).data["recipient"] == "ann@example.org"


def test_an_unknown_type_is_kept() -> None:
    later = b'{"id":"evt_2","type":"email.opened","data":{"a":1},"created_at":"2026-01-02T03:04:05.678Z","more":true}'
    assert parse_event(later) == Event("evt_2", "email.opened", {"a": 1}, "2026-01-02T03:04:05.678Z")
    assert parse_event(b'{"id":"evt_2","type":"__class__","created_at":5}') == Event(
        "evt_2", "__class__", {}, None
    )


def test_half_of_a_surrogate_pair_can_be_stored() -> None:
    cut = rb'{"id":"evt_\udc00","type":"t","data":{"subject":"a \ud83d","whole":"\ud83d\uDE00","text":"\\ud83d"}}'
    event = parse_event(cut)
    assert event.id == "evt_\ufffd"
    assert event.data == {"subject": "a \ufffd", "whole": "😀", "text": "\\ud83d"}
    json.dumps(event.data, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    "odd",
    [
        b'{"id":"e","type":"t","data":NaN}',
        b'{"id":"e","type":"t","a":Infinity}',
        b'{"id":"e","type":"t","a":-Infinity}',
        b'{"id":"e","type":"t","a":01}',
        b'{"id":"e","type":"t","a":"\x01"}',
        '{"id":"e","type":"t"}'.encode("utf-16"),
        b'\xef\xbb\xbf\xef\xbb\xbf{"id":"e","type":"t"}',
        b'{"id":"\xed\xa0\x80","type":"t"}',
        b"[" * 1_000_000,
        b"",
    ],
)
def test_bytes_that_are_not_json_are_refused_without_quoting_them(odd: bytes) -> None:
    with pytest.raises(PayloadError) as error:
        parse_event(odd)
    assert (error.value.code, error.value.__cause__) == ("payload_not_json", None)
    assert error.value.__suppress_context__


@pytest.mark.parametrize(
    "odd", ['"data":[]', '"data":null', '"data":"x"', '"id":5', '"type":""', f'"id":"{"😀" * 127}aa"']
)
def test_json_that_is_not_an_event_is_refused(odd: str) -> None:
    with pytest.raises(PayloadError) as error:
        parse_event(f'{{"id":"e","type":"t",{odd}}}'.encode())
    assert (error.value.code, error.value.status) == ("payload_not_event", 400)


def test_limits_of_json_in_python_do_not_apply() -> None:
    digits = "9" * 5000
    data = parse_event(
        f'{{"id":"e","type":"t","data":{{"a":{digits},"b":1e999,"c":{2**70},"d":-0}}}}'.encode()
    ).data
    assert data == {"a": float("inf"), "b": float("inf"), "c": 2**70, "d": 0}
    longest = f"{'😀' * 127}a"
    assert parse_event(f'{{"id":"{longest}","type":"t"}}'.encode()).id == longest

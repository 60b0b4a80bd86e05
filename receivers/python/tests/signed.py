"""What the tests sign, and with which secrets."""

from __future__ import annotations

SECRET = "whsec_test_0123456789abcdef0123456789abcdef"
STAGED = "whsec_test_fedcba9876543210fedcba9876543210"
BODY = b'{"id":"evt_1","type":"email.bounced","data":{"recipient":"ann@example.org"}}'

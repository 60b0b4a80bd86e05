# frozen_string_literal: true

require "minitest/autorun"
require_relative "../lib/posthorn/receiver"

R = Posthorn::Receiver

SECRET = "whsec_test_0123456789abcdef0123456789abcdef"
STAGED = "whsec_test_fedcba9876543210fedcba9876543210"
BODY = '{"id":"evt_1","type":"email.bounced","data":{"recipient":"ann@example.org"}}'

# Runs the block and returns the error, which must have this class and code.
def assert_refused(error_class, code, &)
  error = assert_raises(error_class, &)
  assert_equal code, error.code
  error
end

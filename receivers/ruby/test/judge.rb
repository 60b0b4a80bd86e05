# frozen_string_literal: true

# Reads cases as JSON lines and prints a verdict for each, so that another language can compare them with its own.
# A case: {"secrets": [base64], "toleranceSeconds": 300, "now": 1700000000, "headers": [base64], "body": base64}

require "json"
require_relative "../lib/posthorn/receiver"

def verdict_of(test_case)
  secrets = test_case["secrets"].map { |secret| secret.unpack1("m").force_encoding(Encoding::UTF_8) }
  headers = test_case["headers"].map { |line| line.unpack1("m") }
  body = test_case["body"].unpack1("m")
  verifier = Posthorn::Receiver::Verifier.new(
    secrets, tolerance_seconds: test_case["toleranceSeconds"], now: -> { test_case["now"] }
  )
  verified = verifier.verify(body, headers)
  verdict = [verified.timestamp, verified.secret_index, verified.part_name, verified.parts]
  verdict << (Posthorn::Receiver::Event.parse(body).known? ? "known" : "unknown")
rescue Posthorn::Receiver::Error => error
  [*verdict, error.code]
end

$stdin.each_line { |line| puts verdict_of(JSON.parse(line)).join(" ") }

# frozen_string_literal: true

module Posthorn
  module Receiver
    # The base class of all errors in this library. Its message explains the code in words: write it to your log, and never
    # into a response.
    class Error < StandardError
      # @return [Symbol] a key of {CODES}
      attr_reader :code

      def initialize(code, detail = nil)
        @code = code
        super("#{code}: #{CODES.fetch(code)}#{" (#{detail})" if detail}")
      end

      # @return [Integer] the HTTP status to answer with
      def status = 500
    end

    # The request may not come from Posthorn. Answer 401 and do not process it.
    class VerificationError < Error
      def status = 401
    end

    # The body cannot be used. Answer 400, or 413 if it is too large.
    class PayloadError < Error
      def status = code == :payload_too_large ? 413 : 400
    end

    # A mistake in your program or its configuration. Answer 500 and log it.
    class UsageError < Error
    end

    # The store of processed events failed. Answer 503, so that Posthorn sends the event again. `cause` is its error.
    class StoreError < Error
      def status = 503
    end

    # The codes of all errors: the same closed list as in Posthorn's other libraries.
    CODES = {
      header_missing: "The request has no signature header. Check that it comes from Posthorn and that no proxy removes " \
                      "it.",
      header_malformed: "The signature header is longer than 4,096 bytes, is not ASCII, or has more than one t.",
      header_ambiguous: "The request has the signature header more than once.",
      timestamp_missing: "The signature header has no t.",
      timestamp_malformed: "t in the signature header is not a number of 1 to 15 digits.",
      signature_missing: "The signature header has no v1, v1s or v1s2 with 64 hexadecimal characters.",
      signature_mismatch: "No signature matches. Either the secret is the wrong one, or the body is not the bytes that " \
                          "arrived: do not encode, strip, convert or serialize it again.",
      timestamp_too_old: "The request was signed too long ago. If every request fails like this, check the clock of this " \
                         "machine.",
      timestamp_in_future: "The request was signed in the future. If every request fails like this, check the clock of " \
                           "this machine.",
      payload_too_large: "The body is larger than max_body_bytes.",
      payload_not_json: "The signature is right, but the body is not JSON.",
      payload_not_event: "The signature is right, but the body has no id, no type, or data that is not an object.",
      event_changed: "This event arrived before with another body. The first body counts.",
      secret_missing: "There is no secret, or it is not text. Pass the secret of the endpoint (whsec_…). Is the " \
                      "environment variable set?",
      secret_empty: "A secret is empty, so anybody could sign with it. Is the environment variable set?",
      secret_whitespace: "A secret contains a space or a line break. A file often ends with one: remove it with strip. Use " \
                         "the whole secret (whsec_…), without quotes or a name.",
      secret_too_short: "A secret is too short. secret_prefix is only its beginning. Use the whole secret (whsec_…), " \
                        "without quotes or a name.",
      secret_wrong_kind: "This is not the secret of an endpoint. Use the whole secret (whsec_…), without quotes or a name.",
      secrets_too_many: "There are more than ten secrets.",
      tolerance_invalid: "tolerance_seconds must be an Integer of 0 or more. 0 turns the time check off.",
      option_invalid: "An option has a value that cannot work.",
      body_missing: "There is no body. Pass the raw body as a String: request.body.read, or request.raw_post in Rails.",
      body_already_parsed: "The body was already parsed, and serializing it again does not restore the signed bytes. Pass " \
                           "the raw body as a String: request.body.read, or request.raw_post in Rails.",
      body_already_consumed: "Something read the body before and did not rewind it. Verify the raw body first.",
      crypto_unavailable: "This Ruby has no HMAC-SHA256. Check its OpenSSL.",
      store_unavailable: "The store of processed events failed. Events may be processed again."
    }.freeze
  end
end

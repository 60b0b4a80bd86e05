# frozen_string_literal: true

require "openssl"

module Posthorn
  module Receiver
    # The result for a verified request. `timestamp` is `t` in Unix seconds. `secret_index` is the first configured secret
    # that matched, and `part_name` the part that it matched: `v1`, `v1s`, `v1s2` and so on. `matches` has every
    # `[part_name, secret_index]` in header order: several during a rotation.
    Verified = Struct.new(:timestamp, :secret_index, :part_name, :matches) do
      # The value of the answer header `X-Service-Verified`: the names of all parts that matched, in header order.
      def parts = matches.map(&:first).uniq.join(",")
    end

    # Verifies that webhooks come from Posthorn and were not changed on the way. Threads can share it.
    #
    #     verifier = Posthorn::Receiver::Verifier.new(ENV["WEBHOOK_SECRET"])
    #     event = verifier.construct_event(request.body.read, request.env)
    class Verifier
      # @return [String] the name of the signature header in lower case
      attr_reader :header_name
      # @return [String] the name of the answer header that shows which secrets a receiver has, in lower case
      attr_reader :verified_name
      # @return [Integer] the largest body that handlers read
      attr_reader :max_body_bytes

      # Checks the options at once, so a wrong secret fails at startup and not at the first delivery.
      #
      # @param secrets [String, Array<String>] the secrets of the endpoint, newest first: usually one, and up to ten
      # @param tolerance_seconds [Integer] how far `t` may be from the clock; 0 turns the check off
      # @param header_name [String] with `X-Acme-Signature`, handlers answer with `X-Acme-Verified`
      # @param now [#call] the clock, which returns a Time or Unix seconds
      # @raise [UsageError]
      def initialize(secrets, tolerance_seconds: 300, header_name: "X-Service-Signature", max_body_bytes: 1_048_576,
                     now: -> { Time.now })
        @keys = Secrets.check(secrets).map { |secret| Hmac.new(secret) }
        unless tolerance_seconds.is_a?(Integer) && tolerance_seconds >= 0
          raise UsageError, :tolerance_invalid
        end
        raise UsageError.new(:option_invalid, "header_name") unless /\A[\w-]+\z/.match?(header_name)
        raise UsageError.new(:option_invalid, "max_body_bytes") unless max_body_bytes.is_a?(Integer) && max_body_bytes.positive?

        @tolerance_seconds = tolerance_seconds
        @header_name = header_name.downcase.freeze
        @verified_name = @header_name.match?(/.-signature\z/) ? @header_name.sub(/signature\z/, "verified").freeze : "x-service-verified"
        @rack_name = "HTTP_#{header_name.upcase.tr("-", "_")}"
        @max_body_bytes = max_body_bytes
        @now = now
      end

      # Checks the signature and then the timestamp.
      #
      # @param body [String] the bytes as they arrived, whatever the encoding of the String
      # @param header [String, Array<String>, Hash, nil] the value of the signature header, a list of its lines, all headers
      #   by name, or a Rack environment
      # @return [Verified]
      # @raise [VerificationError] if the request may not come from Posthorn
      # @raise [UsageError] if the body is not the raw body
      def verify(body, header)
        time, signatures = SignatureHeader.parse(line_of(header), @header_name)
        matches = matches(signatures, @keys.map { |key| key.hexdigest("#{time}.", checked(body)) })
        part_name, secret_index = matches.min_by(&:last)
        raise VerificationError.new(:signature_mismatch, conversion_of(body)) unless secret_index

        # Checked last: a timestamp error proves that the secret is right, and forged requests learn nothing of the clock.
        check_freshness(time.to_i)
        Verified.new(time.to_i, secret_index, part_name, matches).freeze
      end

      # Verifies and then parses. The type of the event may be unknown to this version: see {Event#known?}.
      #
      # @return [Event]
      # @raise [VerificationError] if the request may not come from Posthorn
      # @raise [PayloadError] if the body is not an event
      # @raise [UsageError] if the body is not the raw body
      def construct_event(body, header)
        verify(body, header)
        Event.parse(body)
      end

      # Keeps the secrets out of logs and consoles.
      def inspect = "#<#{self.class} #{@keys.length} secrets, #{@header_name}>"

      private

      # Compares every signature with every secret, without stopping at a match.
      def matches(signatures, macs)
        signatures.each_with_object([]) do |(part_name, value), matches|
          macs.each_with_index do |mac, index|
            matches << [part_name, index] if OpenSSL.fixed_length_secure_compare(mac, value)
          end
        end
      end

      def line_of(header)
        lines =
          case header
          when String, Array, nil then Array(header)
          else lines_in(header)
          end
        raise VerificationError, :header_ambiguous if lines.length > 1

        line = lines.fetch(0, "")
        line.is_a?(String) ? line : raise(VerificationError, :header_malformed)
      end

      def lines_in(headers)
        raise UsageError.new(:option_invalid, "headers of #{headers.class}") unless headers.respond_to?(:to_h)

        # Two spellings of the same name count as two headers, because choosing one would be ambiguous.
        headers.to_h.flat_map do |name, value|
          name.to_s == @rack_name || name.to_s.downcase == @header_name ? Array(value) : []
        end
      end

      def checked(body)
        return body if body.is_a?(String)
        raise UsageError, :body_missing if body.nil?
        raise UsageError.new(:body_missing, "this is a #{body.class}: read it") if body.respond_to?(:read)

        raise UsageError.new(:body_already_parsed, body.class)
      end

      def conversion_of(body)
        raw = [Encoding::BINARY, Encoding::UTF_8, Encoding::US_ASCII].include?(body.encoding)
        "the body is text in #{body.encoding}, so it may have been converted" unless raw
      end

      def check_freshness(timestamp)
        return if @tolerance_seconds.zero?

        now = @now.call
        unless now.is_a?(Time) || now.is_a?(Integer)
          raise UsageError.new(:option_invalid, "now must return a Time or Unix seconds")
        end

        age_seconds = now.to_i - timestamp
        return if age_seconds.abs <= @tolerance_seconds

        unit = "; it looks like milliseconds" if timestamp > 100_000_000_000
        raise VerificationError.new(
          age_seconds.positive? ? :timestamp_too_old : :timestamp_in_future,
          "t is #{age_seconds} s behind the clock#{unit}"
        )
      end
    end

    # The value of `X-Service-Signature`, signed like the service, so that no test has to turn off verification.
    #
    #     header = Posthorn::Receiver.sign(body, secret)
    #
    # @param secrets [String, Array<String>] the primary secret first, which signs as `v1`, then staged ones (`v1s`, `v1s2`)
    # @param timestamp [Integer] Unix seconds
    # @raise [UsageError]
    def self.sign(body, secrets, timestamp: Time.now.to_i)
      signatures = Secrets.check(secrets).each_with_index.map do |secret, index|
        "v1#{"s" if index.positive?}#{index if index > 1}=#{Hmac.new(secret).hexdigest("#{timestamp}.", body)}"
      end
      ["t=#{timestamp}", *signatures].join(",")
    end

    # @private
    module SignatureHeader
      # Parses `t=<unix-seconds>,v1=<hex>,v1s=<hex>…`. It ignores other parts, so that the service can extend the header.
      #
      # @return [Array(String, Array)] the text of `t` as received, and the signatures: `[[part_name, hex], …]`
      def self.parse(line, header_name)
        line = line.b
        raise VerificationError.new(:header_missing, "expected #{header_name}") if line.count("^ \t").zero?
        if line.bytesize > 4096 || line.count("^\t -~").positive?
          raise VerificationError.new(:header_malformed, "too long or not ASCII")
        end

        times, signatures = read(line)
        raise VerificationError.new(:header_malformed, "duplicate t") if times.length > 1
        raise VerificationError, :timestamp_missing if times.empty?

        raise VerificationError, :timestamp_malformed unless /\A\d{1,15}\z/.match?(times.first)
        raise VerificationError, :signature_missing if signatures.empty?

        [times.first, signatures]
      end

      def self.read(line)
        times = []
        signatures = []
        line.split(",") do |piece|
          piece.strip!
          name, value = piece.split("=", 2)
          if name == "t" && value
            times << value
          elsif /\Av1(s\d*)?\z/.match?(name) && /\A\h{64}\z/.match?(value)
            signatures << [name, value.downcase]
          end
        end
        [times, signatures]
      end
      private_class_method :read
    end
    private_constant :SignatureHeader

    # @private
    module Secrets
      # JavaScript's white space, so that every library refuses the same secrets with the same code.
      WHITE_SPACE = /[\s\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF]/
      # Text before `whsec_`, a character that no secret has, another credential, an id, or a missing prefix.
      WRONG_KIND = %r{.whsec_|[^\w+/=-]|\A(ph[ak]|whk?)_|\A[^_]{43,44}\z}

      # Refuses secrets that can only be a mistake. An empty secret is the worst, because anyone can sign with it.
      def self.check(secrets)
        list = secrets.is_a?(Array) ? secrets : [secrets]
        raise UsageError, :secret_missing if list.empty?
        raise UsageError, :secrets_too_many if list.length > 10
        raise UsageError, :secret_empty if list.include?("") || list.include?("whsec_")

        list.map { |secret| checked(secret) }
      end

      def self.checked(secret)
        raise UsageError, :secret_missing unless secret.is_a?(String)

        text = secret.encode(Encoding::UTF_8)
        raise UsageError, :secret_wrong_kind unless text.valid_encoding?
        raise UsageError, :secret_whitespace if WHITE_SPACE.match?(text)
        raise UsageError, :secret_wrong_kind if WRONG_KIND.match?(text)
        # `secret_prefix` from the API has 10 characters and must not pass as a secret.
        raise UsageError, :secret_too_short if text.length < 24

        text
      rescue EncodingError
        raise UsageError, :secret_wrong_kind, cause: nil
      end
      private_class_method :checked
    end
    private_constant :Secrets

    # @private
    # HMAC-SHA256 with one key. It prepares the key once, and copies that state for each message.
    class Hmac
      def initialize(key)
        @keyed = OpenSSL::HMAC.new(key, "SHA256")
      end

      def hexdigest(*pieces)
        hmac = @keyed.dup
        pieces.each { |piece| hmac << piece }
        hmac.hexdigest
      end
    end
    private_constant :Hmac
  end
end

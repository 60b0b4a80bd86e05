# frozen_string_literal: true

require "json"

module Posthorn
  module Receiver
    # The body of a webhook. All keys in `data` are Symbols, so it works with pattern matching:
    #
    #     case event
    #     in { type: "email.bounced", data: { recipient: } } then suppress(recipient)
    #     else # other types, and types that are newer than this version
    #     end
    #
    # `id` is unique and stays the same when the event is delivered again. `created_at` is when Posthorn created the event
    # (RFC 3339, UTC), or nil. Ignore fields in `data` that `sig/` does not list, and treat an unknown value like its
    # category.
    Event = Struct.new(:id, :type, :data, :created_at, keyword_init: true) do
      # @return [Boolean] whether this version knows the type; answer 2xx to unknown types too
      def known? = EVENT_TYPES.include?(type)

      # The recipient's mail server accepted the email. A bounce may still follow.
      # @return [Hash, nil] the data, or nil if the event has another type
      def delivered = data_of("email.delivered")

      # A confirmed permanent failure of the recipient's address.
      # @return [Hash, nil] the data, or nil if the event has another type
      def bounced = data_of("email.bounced")

      # The email did not arrive because of an infrastructure, policy or signing failure.
      # @return [Hash, nil] the data, or nil if the event has another type
      def failed = data_of("email.failed")

      # The recipient unsubscribed or reported the email as spam.
      # @return [Hash, nil] the data, or nil if the event has another type
      def unsubscribed = data_of("email.unsubscribed")

      # The recipient reported the email as spam. Only endpoints that name the type get it.
      # @return [Hash, nil] the data, or nil if the event has another type
      def complained = data_of("email.complained")

      # The recipient's first deferral: the mail server tries again. Only endpoints that name the type get it.
      # @return [Hash, nil] the data, or nil if the event has another type
      def deferred = data_of("email.deferred")

      # The email was not sent, because the address is suppressed. Only endpoints that name the type get it.
      # @return [Hash, nil] the data, or nil if the event has another type
      def suppressed = data_of("email.suppressed")

      private

      def data_of(type) = (data if self.type == type)
    end

    # The types that this version knows. Posthorn may add more.
    EVENT_TYPES = %w[
      email.delivered email.bounced email.failed email.unsubscribed email.complained email.deferred email.suppressed
    ].freeze

    # Parses verified bytes. As usual in Ruby, the last of duplicate keys wins.
    #
    # @param bytes [String]
    # @return [Event]
    # @raise [PayloadError]
    def Event.parse(bytes)
      value = StrictJson.parse(bytes)
      data = value.is_a?(Hash) ? value.fetch(:data, {}) : nil
      raise PayloadError, :payload_not_event unless data.is_a?(Hash) && StrictJson.name?(value[:id]) && StrictJson.name?(value[:type])

      created_at = value[:created_at]
      new(id: value[:id], type: value[:type], data:, created_at: created_at.is_a?(String) ? created_at : nil).freeze
    end

    # @private
    # Accepts the same texts as the JSON parser of JavaScript, up to 100 levels deep.
    module StrictJson
      # Ruby's parser also accepts comments, and escapes that JSON does not have.
      TOKENS = /
        \G(?> [ \t\r\n{}\[\],:]+
          | "(?: [^"\\\x00-\x1F]++ | \\["\\\/bfnrt] | \\u\h{4} )*+"
          | -?(?: 0 | [1-9]\d* )(?: \.\d+ )?(?: [eE][+-]?\d+ )?
          | true | false | null ){1,1000}
      /x
      # An escaped half of a surrogate pair is the only match of 6 characters: pairs have 12, and other escapes start with 2.
      ESCAPE = /\\u[dD][89abAB]\h\h\\u[dD][c-fC-F]\h\h|\\u[dD][89a-fA-F]\h\h|\\./
      BYTE_ORDER_MARK = "\uFEFF"
      # Limited because ids become keys in stores and types become labels. JavaScript counts characters like UTF-16.
      NAME_CHARACTERS_MAX = 255

      def self.parse(bytes)
        json = bytes.dup.force_encoding(Encoding::UTF_8)
        raise PayloadError, :payload_not_json unless json.valid_encoding?

        json = json.delete_prefix(BYTE_ORDER_MARK)
        raise PayloadError, :payload_not_json unless json.gsub(TOKENS, "").empty?

        # Half of a surrogate pair is valid JSON, and may come from a subject that was cut.
        json = json.gsub(ESCAPE) { |escape| escape.length == 6 ? '\ufffd' : escape } if json.match?(/\\u[dD][89a-fA-F]/)
        JSON.parse(json, symbolize_names: true, create_additions: false, allow_duplicate_key: true)
      rescue JSON::ParserError
        # No cause, because it would quote the body, which contains personal addresses.
        raise PayloadError, :payload_not_json, cause: nil
      end

      def self.name?(value)
        value.is_a?(String) && !value.empty? && value.encode(Encoding::UTF_16LE).bytesize <= NAME_CHARACTERS_MAX * 2
      end
    end
    private_constant :StrictJson
  end
end

# frozen_string_literal: true

require "stringio"

module Posthorn
  module Receiver
    # Answers webhooks. The adapters use it.
    #
    #     handler = Posthorn::Receiver::Handler.new(Posthorn::Receiver::Verifier.new(ENV["WEBHOOK_SECRET"]))
    class Handler
      # @param verifier [Verifier]
      # @param dedupe [Deduplicator, nil] runs your code once for each event id, even if it is delivered several times
      # @param on_error [#call] called with an Error if a request was refused
      def initialize(verifier, dedupe: nil, on_error: ->(error) { warn(error.message) })
        @verifier = verifier
        @dedupe = dedupe
        @on_error = on_error
      end

      # Every adapter answers requests with this method. Every failed verification gets the same 401, which does not tell the
      # sender why. Errors of the block are raised, so that the framework reports them.
      #
      # @param env [Hash] the Rack environment
      # @yieldparam event [Event]
      # @yieldparam verified [Verified]
      # @yieldreturn [Array] the application's own Rack response; unless it is 2xx, the event counts as not processed
      # @return [Array] a Rack response
      def receive(env)
        return text(405, "POST only", "allow" => "POST") unless env["REQUEST_METHOD"] == "POST"

        begin
          body = body_of(env)
          verified = @verifier.verify(body, env)
          event = Event.parse(body)
        rescue Error => error
          return refusal(error)
        end
        proof = proof_of(verified)
        run_once(event, body, proof) { yield event, verified } || text(200, "ok", proof)
      end

      # @return [Hash] the answer header that shows which secrets verified
      def proof_of(verified) = { @verifier.verified_name => verified.parts }

      private

      # Returns the application's response, or nil for a duplicate.
      def run_once(event, body, proof, &run)
        catch do |not_processed|
          checked = lambda do
            response = run.call
            # Leaves `process_once` without success, so it releases the id.
            throw not_processed, response unless (200..299).cover?(response[0])
            response
          end
          next checked.call unless @dedupe

          processed = @dedupe.process_once(event.id, body:, &checked)
          next text(409, "in progress", proof.merge("retry-after" => "5")) if processed.status == :in_progress

          processed.value
        end
      rescue StoreError => error
        refusal(error)
      end

      def body_of(env)
        bytes_max = @verifier.max_body_bytes
        # Rails keeps the bytes there if it read them.
        body = env["RAW_POST_DATA"] || read(env, bytes_max + 1)
        raise PayloadError, :payload_too_large if body.bytesize > bytes_max
        raise UsageError, :body_already_consumed if body.empty? && env["CONTENT_LENGTH"].to_i.positive?

        body
      end

      def read(env, bytes_max)
        input = env["rack.input"] || StringIO.new
        input.rewind if input.respond_to?(:rewind)
        body = input.read(bytes_max) || ""
        # Lets the application read the body too. In Rack 3, not every input can rewind.
        input.respond_to?(:rewind) ? input.rewind : env["rack.input"] = StringIO.new(body)
        body
      end

      def refusal(error)
        @on_error.call(error)
        return text(401, "invalid signature") if error.status == 401

        text(error.status, error.status < 500 ? "invalid payload" : "not processed")
      end

      def text(status, line, headers = {})
        [status, { "content-type" => "text/plain" }.merge(headers), ["#{line}\n"]]
      end
    end
  end
end

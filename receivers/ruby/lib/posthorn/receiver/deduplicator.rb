# frozen_string_literal: true

require "openssl"

module Posthorn
  module Receiver
    # The result of {Deduplicator#process_once}. `status` is `:processed`, `:duplicate` or `:in_progress`. `value` is what
    # your block returned, if it ran. `recorded` is false if the store failed after your block succeeded; then the event may
    # run again.
    Processed = Struct.new(:status, :value, :recorded, keyword_init: true)

    # Processes each event once, even if it is delivered several times.
    #
    #     once = Posthorn::Receiver::Deduplicator.new(Posthorn::Receiver::RedisStore.new(Redis.new))
    #     once.process_once(event.id, body:) { update_contact(event) }
    #
    # A store has four methods. {MemoryStore}, {RedisStore} and {DatabaseStore} have them:
    #
    # - `claim(id, lease_ms, digest)` claims the id unless it is claimed or done, and stores the digest. It must be atomic.
    #   Returns `:claimed`, `:in_progress` or `:done`.
    # - `complete(id, ttl_ms, digest)` marks the id as done.
    # - `release(id)` releases the id unless it is done.
    # - `digest_of(id)` returns the digest of an id that is claimed or done, or nil.
    class Deduplicator
      # @param ttl_seconds [Numeric] how long to remember an id; 30 days cover all retries and replays
      # @param lease_seconds [Numeric] when a claim expires if its process dies; must be longer than your code takes
      # @param on_warning [#call] called with a PayloadError if an id arrives with a different body, which Posthorn never
      #   sends, and with a StoreError if the store fails after your block succeeded
      # @raise [UsageError] if a time is shorter than a millisecond
      def initialize(store, ttl_seconds: 30 * 86_400, lease_seconds: 60, on_warning: ->(warning) { warn(warning.message) })
        @store = store
        @ttl_ms = milliseconds(ttl_seconds)
        @lease_ms = milliseconds(lease_seconds)
        @on_warning = on_warning
      end

      # Runs the block unless it already succeeded for this id. If it raises or its process dies, the next delivery runs it
      # again. Only the id decides; a different body causes a warning.
      #
      # @param body [String, nil] the verified body; its digest is stored
      # @return [Processed]
      # @raise [StoreError] if the store cannot say whether the event was processed
      def process_once(id, body: nil, &block)
        digest = OpenSSL::Digest::SHA256.hexdigest(body) if body
        lease_end = monotonic_ms + @lease_ms
        claim = claim(id, digest)
        if claim != :claimed
          warn_of_another_body(id, digest)
          return Processed.new(status: claim == :done ? :duplicate : claim)
        end
        value = run(id, lease_end, &block)
        Processed.new(status: :processed, value:, recorded: recorded?(id, digest))
      end

      private

      # Whole, because Redis refuses others.
      def milliseconds(seconds)
        return (seconds * 1000).to_i if seconds.is_a?(Numeric) && seconds * 1000 >= 1

        raise UsageError.new(:option_invalid, "ttl_seconds and lease_seconds must be numbers above 0")
      end

      def claim(id, digest)
        @store.claim(id, @lease_ms, digest)
      rescue StandardError
        raise StoreError, :store_unavailable
      end

      def run(id, lease_end)
        value = yield
        returned = true
        value
      ensure
        # Also after `throw`. After the lease, another process may have claimed the id, so do not release it.
        attempt { @store.release(id) } if !returned && monotonic_ms < lease_end
      end

      def recorded?(id, digest)
        @store.complete(id, @ttl_ms, digest)
        true
      rescue StandardError => error
        detail = "#{id} was processed, but not recorded: #{error.message}"
        @on_warning.call(StoreError.new(:store_unavailable, detail))
        false
      end

      def warn_of_another_body(id, digest)
        # A failing store is ignored, because the result does not depend on the digest.
        known = attempt { @store.digest_of(id) } if digest
        @on_warning.call(PayloadError.new(:event_changed, id)) if known && known != digest
      end

      def attempt
        yield
      rescue StandardError
        nil
      end

      def monotonic_ms = Process.clock_gettime(Process::CLOCK_MONOTONIC, :millisecond)
    end
  end
end

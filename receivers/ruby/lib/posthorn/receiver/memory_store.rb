# frozen_string_literal: true

module Posthorn
  module Receiver
    # Remembers events in the memory of this process: for tests, and for servers with a single process.
    class MemoryStore
      Entry = Struct.new(:done, :ends_at_ms, :digest)
      private_constant :Entry

      # @param max [Integer] how many ids to remember; the oldest are forgotten first
      def initialize(max: 10_000)
        @max = max
        # Ordered by the last change.
        @entries = {}
        @mutex = Mutex.new
      end

      def claim(id, lease_ms, digest = nil)
        @mutex.synchronize do
          entry = @entries[id]
          next entry.done ? :done : :in_progress if entry && entry.ends_at_ms > now_ms

          put(id, Entry.new(false, now_ms + lease_ms, digest))
          :claimed
        end
      end

      def complete(id, ttl_ms, digest = nil)
        @mutex.synchronize { put(id, Entry.new(true, now_ms + ttl_ms, digest)) }
      end

      def release(id)
        @mutex.synchronize { @entries.delete(id) if @entries[id]&.done == false }
      end

      def digest_of(id)
        @mutex.synchronize { @entries[id]&.digest }
      end

      private

      def put(id, entry)
        @entries.delete(id)
        @entries[id] = entry
        @entries.each do |oldest, old|
          break if @entries.size <= @max

          # Keep work in progress, even if the store then exceeds `max`.
          @entries.delete(oldest) if old.done || old.ends_at_ms <= now_ms
        end
      end

      def now_ms = Process.clock_gettime(Process::CLOCK_MONOTONIC, :millisecond)
    end
  end
end

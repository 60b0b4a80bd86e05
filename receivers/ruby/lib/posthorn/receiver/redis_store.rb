# frozen_string_literal: true

module Posthorn
  module Receiver
    # Remembers events in Redis, which removes them when they expire.
    #
    #     store = Posthorn::Receiver::RedisStore.new(Redis.new(url: ENV["REDIS_URL"]))
    class RedisStore
      # Checks and deletes in one step, because another process could complete the id in between.
      RELEASE = <<~LUA
        local held = redis.call('get', KEYS[1])
        if held and string.sub(held, 1, 7) == 'claimed' then return redis.call('del', KEYS[1]) end
        return 0
      LUA
      private_constant :RELEASE

      # @param redis [#call, #with] a client of the gems `redis` or `redis-client`, or a ConnectionPool of clients
      def initialize(redis, prefix: "posthorn:")
        @redis = redis
        @prefix = prefix
      end

      def claim(id, lease_ms, digest = nil)
        taken = call("SET", @prefix + id, value_of("claimed", digest), "NX", "PX", lease_ms.to_s)
        return :claimed if taken

        call("GET", @prefix + id).to_s.start_with?("done") ? :done : :in_progress
      end

      def complete(id, ttl_ms, digest = nil)
        call("SET", @prefix + id, value_of("done", digest), "PX", ttl_ms.to_s)
      end

      def release(id)
        call("EVAL", RELEASE, "1", @prefix + id)
      end

      def digest_of(id) = call("GET", @prefix + id).to_s.split(":")[1]

      private

      def call(*command)
        @redis.respond_to?(:call) ? @redis.call(*command) : @redis.with { |client| client.call(*command) }
      end

      # For example `done`, or `done:` with the digest.
      def value_of(state, digest) = [state, digest].compact.join(":")
    end
  end
end

# frozen_string_literal: true

require "test_helper"
require "active_record"
require "connection_pool"
require "pg"
require "redis"
require "securerandom"
require "sqlite3"
require "tmpdir"

# Every store keeps the same promises.
class DedupeTest < Minitest::Test
  # The run passes these addresses if it has the servers.
  POSTGRES = ENV.fetch("POSTHORN_TEST_POSTGRES_URL", "")
  REDIS = ENV.fetch("POSTHORN_TEST_REDIS_SOCKET", "")

  def self.active_record(address)
    base = Class.new(ActiveRecord::Base) { self.abstract_class = true }
    const_set("Base#{base.object_id}", base)
    base.establish_connection(address)
    table = "dedupe_#{SecureRandom.hex(8)}"
    base.connection.execute(R::DatabaseStore.create_table(table))
    R::DatabaseStore.new(base, table:)
  end

  STORES = {
    memory: -> { R::MemoryStore.new },
    sqlite: lambda do
      database = SQLite3::Database.new(":memory:")
      database.execute(R::DatabaseStore.create_table)
      R::DatabaseStore.new(database)
    end,
    active_record_with_sqlite: -> { active_record(adapter: "sqlite3", database: ":memory:") }
  }
  unless POSTGRES.empty?
    STORES[:postgres] = lambda do
      connection = PG.connect(POSTGRES)
      connection.set_notice_processor {}
      table = "dedupe_#{SecureRandom.hex(8)}"
      connection.exec(R::DatabaseStore.create_table(table))
      # Inside a transaction, a statement that fails would abort it.
      connection.exec("begin")
      R::DatabaseStore.new(ConnectionPool.new(size: 1) { connection }, table:)
    end
  end
  STORES[:active_record_with_postgres] = -> { active_record(POSTGRES) } unless POSTGRES.empty?
  unless REDIS.empty?
    STORES[:redis] = -> { R::RedisStore.new(Redis.new(path: REDIS), prefix: "#{SecureRandom.hex(8)}:") }
    STORES[:redis_in_a_pool] = lambda do
      R::RedisStore.new(ConnectionPool.new(size: 2) { Redis.new(path: REDIS) }, prefix: "#{SecureRandom.hex(8)}:")
    end
  end

  # Defines a test for every store.
  def self.promise(name, &block)
    STORES.each { |store, open| define_method("test_#{name}_#{store}") { instance_exec(open.call, &block) } }
  end

  promise :an_event_is_processed_once do |store|
    once = R::Deduplicator.new(store)
    first = once.process_once("evt_1") { "done" }
    second = once.process_once("evt_1") { flunk "ran twice" }
    other = once.process_once("evt_2") { "also" }

    assert_equal [:processed, "done", true], first.to_a
    assert_equal [:duplicate, nil, nil], second.to_a
    assert_equal "also", other.value
  end

  promise :an_event_that_is_being_processed_waits do |store|
    once = R::Deduplicator.new(store)
    once.process_once("evt_1") do
      assert_equal :in_progress, once.process_once("evt_1") { flunk "ran twice" }.status
    end
  end

  promise :an_event_that_failed_runs_again do |store|
    once = R::Deduplicator.new(store)
    assert_raises(ArgumentError) { once.process_once("evt_1") { raise ArgumentError } }
    catch(:halt) { once.process_once("evt_1") { throw :halt } }
    assert_equal "now", once.process_once("evt_1") { "now" }.value
  end

  promise :a_claim_of_a_dead_process_expires do |store|
    assert_equal :claimed, store.claim("evt_1", 60_000)
    assert_equal :in_progress, store.claim("evt_1", 60_000)
    assert_equal :claimed, store.claim("evt_2", 1)
    until_claimed(store, "evt_2")
    assert_equal :in_progress, store.claim("evt_2", 60_000)
  end

  promise :release_keeps_what_is_done do |store|
    store.complete("evt_1", 60_000)
    store.release("evt_1")
    assert_equal :done, store.claim("evt_1", 60_000)
  end

  promise :another_body_with_the_same_id_causes_a_warning do |store|
    warnings = []
    once = R::Deduplicator.new(store, on_warning: ->(warning) { warnings << warning.code })
    %w[a a b].each { |body| once.process_once("evt_1", body:) { nil } }
    assert_equal [:event_changed], warnings
  end

  def test_threads_process_an_event_once
    base = Class.new(ActiveRecord::Base) { self.abstract_class = true }
    DedupeTest.const_set(:Threaded, base)
    Dir.mktmpdir do |folder|
      base.establish_connection(adapter: "sqlite3", database: "#{folder}/dedupe.db", timeout: 10_000, pool: 8)
      base.connection.execute(R::DatabaseStore.create_table)
      database = SQLite3::Database.new(":memory:")
      database.execute(R::DatabaseStore.create_table)
      [R::DatabaseStore.new(base), R::DatabaseStore.new(database), R::MemoryStore.new].each do |store|
        once = R::Deduplicator.new(store)
        ran = Queue.new
        Array.new(8) { Thread.new { 25.times { |i| once.process_once("evt_#{i}") { ran << i } } } }.each(&:join)
        assert_equal (0..24).to_a, Array.new(ran.size) { ran.pop }.sort
      end
      base.connection_pool.disconnect!
    end
  end

  def test_a_store_that_fails_is_explained
    once = R::Deduplicator.new(R::DatabaseStore.new(SQLite3::Database.new(":memory:")))
    error = assert_refused(R::StoreError, :store_unavailable) { once.process_once("evt_1") { flunk "ran" } }
    assert_equal 503, error.status
    assert_kind_of SQLite3::SQLException, error.cause
  end

  def test_a_store_that_fails_later_does_not_hide_the_result
    store = R::MemoryStore.new
    def store.complete(*) = raise("gone")
    def store.release(*) = raise("gone")
    warnings = []
    once = R::Deduplicator.new(store, on_warning: ->(warning) { warnings << warning.message })
    assert_equal [:processed, "done", false], once.process_once("evt_1") { "done" }.to_a
    assert_equal 1, warnings.length
    assert_includes warnings.first, "evt_1 was processed, but not recorded: gone"
    assert_equal "mine", assert_raises(ArgumentError) { once.process_once("evt_2") { raise ArgumentError, "mine" } }.message
  end

  def test_a_claim_that_expired_is_not_released
    store = R::MemoryStore.new
    released = []
    store.define_singleton_method(:release) { |id| released << id }
    expired = R::Deduplicator.new(store, lease_seconds: 0.001)
    outlive_the_lease = lambda do
      until_claimed(store, "evt_1")
      raise ArgumentError
    end
    assert_raises(ArgumentError) { expired.process_once("evt_1", &outlive_the_lease) }
    assert_empty released
  end

  def test_times_that_would_remember_nothing_are_refused
    [0, -1, 0.0001, Float::NAN].each do |seconds|
      %i[ttl_seconds lease_seconds].each do |name|
        assert_refused(R::UsageError, :option_invalid) { R::Deduplicator.new(R::MemoryStore.new, name => seconds) }
      end
    end
  end

  promise :a_fraction_of_a_second_works do |store|
    once = R::Deduplicator.new(store, ttl_seconds: 60.5, lease_seconds: 30.5)
    assert_equal [:processed, "done", true], once.process_once("evt_1") { "done" }.to_a
    assert_equal :duplicate, once.process_once("evt_1") { flunk "ran twice" }.status
  end

  def test_a_table_name_that_needs_quotes_is_refused
    ["a; drop table b", "a b", "\"a\"", ""].each do |table|
      assert_refused(R::UsageError, :option_invalid) { R::DatabaseStore.new(nil, table:) }
    end
  end

  def test_memory_forgets_the_oldest_first
    store = R::MemoryStore.new(max: 2)
    store.claim("in progress", 60_000)
    %w[1 2 3].each { |id| store.complete(id, 60_000) }
    assert_equal [:done, :in_progress], [store.claim("3", 1000), store.claim("in progress", 1000)]
    assert_equal :claimed, store.claim("1", 1000)
  end

  def test_memory_forgets_every_claim_that_expired
    store = R::MemoryStore.new(max: 1)
    %w[1 2 3].each { |id| store.claim(id, 50, "digest") }
    assert_equal "digest", store.digest_of("2")
    until_claimed(store, "3")
    assert_equal [nil, nil], [store.digest_of("1"), store.digest_of("2")]
  end

  private

  def until_claimed(store, id)
    deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 10
    until store.claim(id, 60_000) == :claimed
      flunk "still claimed" if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
    end
  end
end

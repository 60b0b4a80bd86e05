# frozen_string_literal: true

module Posthorn
  module Receiver
    # Remembers events in a database: PostgreSQL, SQLite 3.24 or newer, MySQL or MariaDB. It uses the clock of the Ruby
    # process, so the clocks of several machines must agree to within the lease.
    #
    #     store = Posthorn::Receiver::DatabaseStore.new(ActiveRecord::Base)
    class DatabaseStore
      # The table. Add it to your migrations: `execute Posthorn::Receiver::DatabaseStore.create_table`. Expired rows do no
      # harm; to remove them, delete those whose `expires_at_ms` is less than the current time in milliseconds.
      def self.create_table(table = "posthorn_dedupe")
        <<~SQL
          create table if not exists #{checked(table)} (
            id varchar(255) primary key,
            done smallint not null,
            digest char(64),
            expires_at_ms bigint not null
          )
        SQL
      end

      # @private
      def self.checked(table)
        return table if /\A[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?\z/.match?(table)

        raise UsageError.new(:option_invalid, "a table name may have only lower-case letters, digits and _")
      end

      # @param database [Class, PG::Connection, SQLite3::Database, #with] `ActiveRecord::Base` or another abstract class, a
      #   connection that nothing else uses at the same time, or a ConnectionPool of connections
      def initialize(database, table: "posthorn_dedupe")
        @table = self.class.checked(table)
        @sql = Sql.for(database)
      end

      def claim(id, lease_ms, digest = nil)
        return :claimed if insert(id, 0, lease_ms, digest)

        # A single statement takes over an expired row, so of two concurrent claims the second finds it taken.
        taken = @sql.change("update #{@table} set done = 0, expires_at_ms = ?, digest = ? where id = ? and expires_at_ms <= ?",
                            [now_ms + lease_ms, digest, id, now_ms])
        return :claimed if taken.positive?

        @sql.value("select done from #{@table} where id = ?", [id]).to_i == 1 ? :done : :in_progress
      end

      def complete(id, ttl_ms, digest = nil)
        changed = @sql.change("update #{@table} set done = 1, expires_at_ms = ?, digest = ? where id = ?",
                              [now_ms + ttl_ms, digest, id])
        insert(id, 1, ttl_ms, digest) if changed.zero?
      end

      def release(id)
        @sql.change("delete from #{@table} where id = ? and done = 0", [id])
      end

      def digest_of(id) = @sql.value("select digest from #{@table} where id = ?", [id])

      private

      def insert(id, done, for_ms, digest)
        # Never fails on a conflict, because that would abort a transaction of PostgreSQL.
        insert, conflict = @sql.mysql? ? ["insert ignore", ""] : ["insert", " on conflict (id) do nothing"]
        @sql.change("#{insert} into #{@table} (id, done, expires_at_ms, digest) values (?, ?, ?, ?)#{conflict}",
                    [id, done, now_ms + for_ms, digest]).positive?
      end

      def now_ms = Process.clock_gettime(Process::CLOCK_REALTIME, :millisecond)

      # @private
      # Runs statements with `?` as placeholders. `change` returns the number of rows, `value` one value or nil.
      module Sql
        def self.for(database)
          return ActiveRecord.new(database) if database.respond_to?(:connection_pool)

          Driver.new(database.respond_to?(:with) ? database : Only.new(database, Mutex.new))
        end

        ActiveRecord = Struct.new(:base) do
          def change(sql, values) = run { |connection| connection.update(bound(sql, values)) }
          def value(sql, values) = run { |connection| connection.select_value(bound(sql, values)) }
          def mysql? = run { |connection| /mysql|trilogy/i.match?(connection.adapter_name) }

          private

          def run(&block) = base.connection_pool.with_connection(&block)
          def bound(sql, values) = base.sanitize_sql_array([sql, *values])
        end

        # PG::Connection or SQLite3::Database.
        Driver = Struct.new(:pool) do
          def change(sql, values)
            pool.with do |connection|
              next connection.exec_params(numbered(sql), values).cmd_tuples if connection.respond_to?(:exec_params)

              connection.execute(sql, values)
              connection.changes
            end
          end

          def value(sql, values)
            pool.with do |connection|
              next connection.get_first_value(sql, values) unless connection.respond_to?(:exec_params)

              connection.exec_params(numbered(sql), values).values.dig(0, 0)
            end
          end

          def mysql? = false

          private

          def numbered(sql) = sql.gsub("?").with_index(1) { |_, number| "$#{number}" }
        end

        # A pool of one connection, which a single thread uses at a time.
        Only = Struct.new(:connection, :mutex) do
          def with = mutex.synchronize { yield connection }
        end
      end
      private_constant :Sql
    end
  end
end

package io.posthorn.receiver.dedupe;

import io.posthorn.receiver.ErrorCode;
import io.posthorn.receiver.UsageException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * Remembers events in a database, with SQL that every database knows. It uses the clock of this machine, so the clocks of
 * several machines must agree to within the lease. Each call takes a connection of its own and commits.
 */
public final class JdbcStore implements DedupeStore {
    private static final String TABLE = "posthorn_dedupe";
    // Accepts only names that need no quoting, because a table name cannot be a parameter.
    private static final Pattern TABLE_NAME = Pattern.compile("[a-z_][a-z0-9_]*(\\.[a-z_][a-z0-9_]*)?");
    /** The class of SQLSTATE for a row that exists already. */
    private static final String INTEGRITY_VIOLATION = "23";

    private final DataSource dataSource;
    private final String table;

    /**
     * Uses the table {@code posthorn_dedupe}.
     *
     * @param dataSource opens connections
     */
    public JdbcStore(DataSource dataSource) {
        this(dataSource, TABLE);
    }

    /**
     * Uses another table.
     *
     * @param dataSource opens connections
     * @param table its name
     * @throws UsageException if the name needs quotes
     */
    public JdbcStore(DataSource dataSource, String table) {
        this.dataSource = dataSource;
        this.table = checked(table);
    }

    /**
     * The table. Add it to your migrations. Expired rows do no harm; to remove them, delete those whose
     * {@code expires_at_ms} is less than the current time in milliseconds.
     *
     * @return the statement that creates {@code posthorn_dedupe}
     */
    public static String createTable() {
        return createTable(TABLE);
    }

    /**
     * The table with another name.
     *
     * @param table its name
     * @return the statement that creates it
     * @throws UsageException if the name needs quotes
     */
    public static String createTable(String table) {
        return """
                create table %s (
                  id varchar(255) primary key,
                  done smallint not null,
                  digest char(64),
                  expires_at_ms bigint not null
                )""".formatted(checked(table));
    }

    @Override
    public Claim claim(String id, Duration lease, String digest) throws SQLException {
        return inConnection(connection -> {
            Optional<Row> row = find(connection, id);
            if (row.isEmpty()) {
                if (insert(connection, id, false, lease, digest)) {
                    return Claim.CLAIMED;
                }
                row = find(connection, id);
            }
            long nowMs = System.currentTimeMillis();
            if (row.isPresent() && row.get().expiresAtMs() <= nowMs) {
                // A single statement takes over an expired row, so of two concurrent claims the second changes no row.
                int changed = change(connection,
                        "update %s set done = 0, expires_at_ms = ?, digest = ? where id = ? and expires_at_ms <= ?",
                        nowMs + lease.toMillis(), digest, id, nowMs);
                return changed > 0 ? Claim.CLAIMED : Claim.IN_PROGRESS;
            }
            return row.isPresent() && row.get().isDone() ? Claim.DONE : Claim.IN_PROGRESS;
        });
    }

    @Override
    public void complete(String id, Duration ttl, String digest) throws SQLException {
        inConnection(connection -> markDone(connection, id, ttl, digest)
                || insert(connection, id, true, ttl, digest)
                || markDone(connection, id, ttl, digest));
    }

    @Override
    public void release(String id) throws SQLException {
        inConnection(connection -> change(connection, "delete from %s where id = ? and done = 0", id));
    }

    @Override
    public Optional<String> digestOf(String id) throws SQLException {
        return inConnection(connection -> find(connection, id).map(Row::digest));
    }

    private record Row(boolean isDone, long expiresAtMs, String digest) {
    }

    private Optional<Row> find(Connection connection, String id) throws SQLException {
        String sql = "select done, expires_at_ms, digest from %s where id = ?".formatted(table);
        try (PreparedStatement statement = prepare(connection, sql, id);
                ResultSet rows = statement.executeQuery()) {
            return rows.next()
                    ? Optional.of(new Row(rows.getInt(1) == 1, rows.getLong(2), rows.getString(3)))
                    : Optional.empty();
        }
    }

    /** Returns false if the row exists already. */
    private boolean insert(Connection connection, String id, boolean isDone, Duration duration, String digest)
            throws SQLException {
        try {
            change(connection, "insert into %s (id, done, expires_at_ms, digest) values (?, ?, ?, ?)",
                    id, isDone ? 1 : 0, System.currentTimeMillis() + duration.toMillis(), digest);
            return true;
        } catch (SQLException error) {
            if (error.getSQLState() == null || !error.getSQLState().startsWith(INTEGRITY_VIOLATION)) {
                throw error;
            }
            if (!connection.getAutoCommit()) {
                // PostgreSQL refuses further statements in a transaction that failed.
                connection.rollback();
            }
            return false;
        }
    }

    private boolean markDone(Connection connection, String id, Duration ttl, String digest) throws SQLException {
        return change(connection, "update %s set done = 1, expires_at_ms = ?, digest = ? where id = ?",
                System.currentTimeMillis() + ttl.toMillis(), digest, id) > 0;
    }

    private int change(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql.formatted(table), values)) {
            return statement.executeUpdate();
        }
    }

    private static PreparedStatement prepare(Connection connection, String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int index = 0; index < values.length; index++) {
            if (values[index] instanceof Number number) {
                statement.setLong(index + 1, number.longValue());
            } else {
                statement.setString(index + 1, (String) values[index]);
            }
        }
        return statement;
    }

    @FunctionalInterface
    private interface Work<T> {
        T in(Connection connection) throws SQLException;
    }

    private <T> T inConnection(Work<T> work) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            T result = work.in(connection);
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
            return result;
        }
    }

    private static String checked(String table) {
        if (table == null || !TABLE_NAME.matcher(table).matches()) {
            throw new UsageException(
                    ErrorCode.OPTION_INVALID, "a table name may have only lower-case letters, digits and _");
        }
        return table;
    }
}

package io.posthorn.receiver.dedupe;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** Opens connections as some pools do: without autocommit. */
record WithoutAutoCommit(DataSource inner) implements DataSource {
    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = inner.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLException("not used");
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return inner.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        inner.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        inner.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return inner.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getAnonymousLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return inner.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return inner.isWrapperFor(type);
    }
}

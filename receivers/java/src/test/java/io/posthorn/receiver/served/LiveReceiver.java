package io.posthorn.receiver.served;

import io.posthorn.receiver.Receiver;
import io.posthorn.receiver.Verifier;
import io.posthorn.receiver.dedupe.Deduplicator;
import io.posthorn.receiver.dedupe.JdbcStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import tools.jackson.databind.ObjectMapper;

/**
 * A receiver whose settings change while it runs: it reads them from the file in {@code RECEIVER_SETTINGS} before each
 * request. {@code ADAPTER} names the adapter, and the argument is the port.
 */
final class LiveReceiver {
    private static final Path SETTINGS = Path.of(System.getenv("RECEIVER_SETTINGS"));

    private LiveReceiver() {
    }

    record Settings(List<String> secrets, long clockOffsetSeconds, String database, Path log) {
        static Settings read() {
            return new ObjectMapper().readValue(SETTINGS.toFile(), Settings.class);
        }

        void append(String line) {
            try {
                Files.writeString(log, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException error) {
                throw new java.io.UncheckedIOException(error);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        DataSource database = open(Settings.read().database());
        Served.start(
                System.getenv("ADAPTER"), Integer.parseInt(args[0]), () -> receiver(database), (event, body) -> {
                    Settings.read().append("processed " + event.id());
                    return 200;
                });
    }

    private static Receiver receiver(DataSource database) {
        Settings settings = Settings.read();
        InstantSource clock = InstantSource.offset(InstantSource.system(), Duration.ofSeconds(settings.clockOffsetSeconds()));
        return new Receiver(Verifier.builder().secrets(settings.secrets()).clock(clock).build())
                .with(new Deduplicator(new JdbcStore(database)))
                .onError(error -> settings.append("refused " + error.code().code()));
    }

    private static DataSource open(String file) throws SQLException {
        DataSource database = JdbcConnectionPool.create("jdbc:h2:file:" + file, "", "");
        try (var connection = database.getConnection(); var statement = connection.createStatement()) {
            statement.execute(JdbcStore.createTable());
        }
        return database;
    }
}

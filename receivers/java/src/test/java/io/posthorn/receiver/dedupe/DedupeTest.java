package io.posthorn.receiver.dedupe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.posthorn.receiver.ErrorCode;
import io.posthorn.receiver.StoreException;
import io.posthorn.receiver.UsageException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every store keeps the same promises. */
class DedupeTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @ParameterizedTest
    @MethodSource("stores")
    void anEventIsProcessedOnce(DedupeStore store) {
        Deduplicator once = new Deduplicator(store);
        assertEquals(new Processed<>(Outcome.PROCESSED, "done", true), once.processOnce("evt_1", null, () -> "done"));
        assertEquals(new Processed<>(Outcome.DUPLICATE, null, true), once.processOnce("evt_1", null, () -> fail("ran twice")));
        assertEquals("also", once.processOnce("evt_2", null, () -> "also").value());
    }

    @ParameterizedTest
    @MethodSource("stores")
    void anEventThatIsBeingProcessedWaits(DedupeStore store) {
        Deduplicator once = new Deduplicator(store);
        once.processOnce("evt_1", null, () -> {
            Processed<?> inner = once.processOnce("evt_1", null, () -> fail("ran twice"));
            assertEquals(Outcome.IN_PROGRESS, inner.outcome());
            return null;
        });
    }

    @ParameterizedTest
    @MethodSource("stores")
    void anEventThatFailedRunsAgain(DedupeStore store) {
        Deduplicator once = new Deduplicator(store);
        SQLException thrown = new SQLException("not now");
        assertEquals(thrown, assertThrows(SQLException.class, () -> once.processOnce("evt_1", null, () -> {
            throw thrown;
        })));
        assertEquals("now", once.processOnce("evt_1", null, () -> "now").value());
    }

    @ParameterizedTest
    @MethodSource("stores")
    void aClaimOfADeadProcessExpires(DedupeStore store) throws Exception {
        assertEquals(Claim.CLAIMED, store.claim("evt_1", MINUTE, null));
        assertEquals(Claim.IN_PROGRESS, store.claim("evt_1", MINUTE, null));
        assertEquals(Claim.CLAIMED, store.claim("evt_2", Duration.ofMillis(1), null));
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        Claim again;
        do {
            again = store.claim("evt_2", MINUTE, null);
        } while (again != Claim.CLAIMED && System.nanoTime() < deadline);
        assertEquals(Claim.CLAIMED, again);
        assertEquals(Claim.IN_PROGRESS, store.claim("evt_2", MINUTE, null));
    }

    @ParameterizedTest
    @MethodSource("stores")
    void anExpiredEventRunsAgain(DedupeStore store) throws Exception {
        store.complete("evt_1", Duration.ofMillis(1), null);
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        Claim again;
        do {
            again = store.claim("evt_1", MINUTE, null);
        } while (again == Claim.DONE && System.nanoTime() < deadline);
        assertEquals(Claim.CLAIMED, again);
        assertEquals(Claim.IN_PROGRESS, store.claim("evt_1", MINUTE, null));
    }

    @ParameterizedTest
    @MethodSource("stores")
    void releaseKeepsWhatIsDone(DedupeStore store) throws Exception {
        store.complete("evt_1", MINUTE, null);
        store.release("evt_1");
        assertEquals(Claim.DONE, store.claim("evt_1", MINUTE, null));
    }

    @ParameterizedTest
    @MethodSource("stores")
    void anotherBodyWithTheSameIdCausesAWarning(DedupeStore store) {
        List<ErrorCode> warnings = new ArrayList<>();
        Deduplicator once = new Deduplicator(store).onWarning(warning -> warnings.add(warning.code()));
        for (String body : List.of("a", "a", "b")) {
            once.processOnce("evt_1", body.getBytes(StandardCharsets.UTF_8), () -> null);
        }
        assertEquals(List.of(ErrorCode.EVENT_CHANGED), warnings);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void ofManyClaimsAtTheSameTimeOneWins(DedupeStore store) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<String> expired = List.of("evt_1", "evt_2", "evt_3", "evt_4", "evt_5");
        for (String id : expired) {
            store.claim(id, Duration.ofMillis(1), null);
        }
        long claimedAtMs = System.currentTimeMillis();
        while (System.currentTimeMillis() <= claimedAtMs + 1) {
            Thread.onSpinWait();
        }
        try {
            for (String id : Stream.concat(expired.stream(), Stream.of("evt_6", "evt_7", "evt_8")).toList()) {
                Callable<Claim> claim = () -> store.claim(id, MINUTE, null);
                List<Claim> claims = new ArrayList<>();
                for (Future<Claim> future : threads.invokeAll(Collections.nCopies(8, claim))) {
                    claims.add(future.get());
                }
                assertEquals(1, Collections.frequency(claims, Claim.CLAIMED), claims::toString);
                assertEquals(7, Collections.frequency(claims, Claim.IN_PROGRESS), claims::toString);
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void aClaimThatExpiredIsNotReleased() throws Exception {
        MemoryStore store = new MemoryStore();
        Deduplicator once = new Deduplicator(store).lease(Duration.ofNanos(1_000_000));
        assertThrows(IllegalStateException.class, () -> once.processOnce("evt_1", null, () -> {
            long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
            while (store.claim("evt_1", MINUTE, null) != Claim.CLAIMED && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            throw new IllegalStateException("too late");
        }));
        assertEquals(Claim.IN_PROGRESS, store.claim("evt_1", MINUTE, null));
    }

    @Test
    void aStoreThatFailsIsExplained() {
        DataSource empty = h2("empty");
        Deduplicator once = new Deduplicator(new JdbcStore(empty));
        StoreException error = assertThrows(
                StoreException.class, () -> once.processOnce("evt_1", null, () -> fail("ran")));
        assertEquals(ErrorCode.STORE_UNAVAILABLE, error.code());
        assertEquals(503, error.status());
        assertInstanceOf(SQLException.class, error.getCause());
    }

    @Test
    void aStoreThatFailsAfterwardsIsReported() {
        DedupeStore store = new DedupeStore() {
            @Override
            public Claim claim(String id, Duration lease, String digest) {
                return Claim.CLAIMED;
            }

            @Override
            public void complete(String id, Duration ttl, String digest) throws Exception {
                throw new Exception("no connection");
            }

            @Override
            public void release(String id) throws Exception {
                throw new Exception("no connection");
            }

            @Override
            public Optional<String> digestOf(String id) {
                return Optional.empty();
            }
        };
        List<String> warnings = new ArrayList<>();
        Deduplicator once = new Deduplicator(store).onWarning(warning -> warnings.add(warning.getMessage()));
        assertFalse(once.processOnce("evt_1", null, () -> "done").recorded());
        assertEquals(1, warnings.size());
        assertTrue(warnings.get(0).contains("evt_1 was processed, but not recorded"));
        assertThrows(IllegalStateException.class, () -> once.processOnce("evt_1", null, () -> {
            throw new IllegalStateException("not now");
        }));
    }

    @Test
    void aTableNameThatNeedsQuotesIsRefused() {
        assertThrows(UsageException.class, () -> new JdbcStore(h2("x"), "a; drop table b"));
        assertThrows(UsageException.class, () -> JdbcStore.createTable("A"));
    }

    @Test
    void timesThatWouldRememberNothingAreRefused() {
        Deduplicator once = new Deduplicator(new MemoryStore());
        for (Duration time : new Duration[] {
            null, Duration.ZERO, Duration.ofDays(-1), Duration.ofNanos(60), Duration.ofSeconds(Long.MAX_VALUE)
        }) {
            assertThrows(UsageException.class, () -> once.lease(time));
            assertThrows(UsageException.class, () -> once.ttl(time));
        }
    }

    @Test
    void memoryForgetsTheOldestFirstButNotWorkInProgress() {
        MemoryStore store = new MemoryStore(2, InstantSource.system());
        store.claim("0", MINUTE, null);
        for (String id : List.of("1", "2", "3")) {
            store.complete(id, MINUTE, null);
        }
        assertEquals(Claim.IN_PROGRESS, store.claim("0", MINUTE, null));
        assertEquals(Claim.DONE, store.claim("3", MINUTE, null));
        assertEquals(Claim.CLAIMED, store.claim("1", MINUTE, null));
    }

    static Stream<Named<DedupeStore>> stores() throws SQLException {
        Stream.Builder<Named<DedupeStore>> stores = Stream.builder();
        stores.add(Named.of("memory", new MemoryStore()));
        stores.add(Named.of("H2", jdbc(h2(UUID.randomUUID().toString()))));
        DataSource pool = new WithoutAutoCommit(h2(UUID.randomUUID().toString()));
        stores.add(Named.of("H2 without autocommit", jdbc(pool)));
        // The run passes this address if it has the server.
        String url = System.getenv("POSTHORN_TEST_POSTGRES_URL");
        if (url != null && !url.isEmpty()) {
            stores.add(Named.of("PostgreSQL", jdbc(UnixSocket.postgres(url))));
            stores.add(Named.of("PostgreSQL without autocommit", jdbc(new WithoutAutoCommit(UnixSocket.postgres(url)))));
        }
        return stores.build();
    }

    private static DedupeStore jdbc(DataSource dataSource) throws SQLException {
        String table = "dedupe_" + UUID.randomUUID().toString().replace('-', '_');
        try (Connection connection = dataSource.getConnection(); var statement = connection.createStatement()) {
            statement.execute(JdbcStore.createTable(table));
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        }
        return new JdbcStore(dataSource, table);
    }

    private static DataSource h2(String name) {
        JdbcDataSource dataSource = new JdbcDataSource();
        dataSource.setURL("jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");
        return dataSource;
    }
}

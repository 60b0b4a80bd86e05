package io.posthorn.receiver.dedupe;

import io.posthorn.receiver.ErrorCode;
import io.posthorn.receiver.PayloadException;
import io.posthorn.receiver.StoreException;
import io.posthorn.receiver.UsageException;
import io.posthorn.receiver.WebhookException;
import java.lang.System.Logger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Processes each event once, even if it is delivered several times.
 *
 * <pre>{@code
 * Deduplicator once = new Deduplicator(new JdbcStore(dataSource));
 * once.processOnce(event.id(), body, () -> updateContact(event));
 * }</pre>
 */
public final class Deduplicator {
    private static final Duration TTL = Duration.ofDays(30);
    private static final Duration LEASE = Duration.ofSeconds(60);
    // Stores count in milliseconds, and in a long.
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(36_525);
    private static final Consumer<WebhookException> LOG = warning ->
            System.getLogger("io.posthorn.receiver").log(Logger.Level.WARNING, warning.getMessage(), warning.getCause());

    private final DedupeStore store;
    private final Duration ttl;
    private final Duration lease;
    private final Consumer<WebhookException> onWarning;

    /**
     * Remembers ids for 30 days, which covers all retries and replays. A claim expires after 60 seconds if its process dies.
     *
     * @param store remembers the ids
     */
    public Deduplicator(DedupeStore store) {
        this(store, TTL, LEASE, LOG);
    }

    private Deduplicator(DedupeStore store, Duration ttl, Duration lease, Consumer<WebhookException> onWarning) {
        this.store = store;
        this.ttl = ttl;
        this.lease = lease;
        this.onWarning = onWarning;
    }

    /**
     * How long to remember an id.
     *
     * @param ttl default 30 days
     * @return a deduplicator with it
     */
    public Deduplicator ttl(Duration ttl) {
        return new Deduplicator(store, checked(ttl), lease, onWarning);
    }

    /**
     * When a claim expires if its process dies.
     *
     * @param lease default 60 seconds; must be longer than your code takes
     * @return a deduplicator with it
     */
    public Deduplicator lease(Duration lease) {
        return new Deduplicator(store, ttl, checked(lease), onWarning);
    }

    /**
     * Tells you when an id arrives with a different body, which Posthorn never sends, and when the store fails after your
     * code succeeded. The default is a log entry.
     *
     * @param onWarning gets the warning
     * @return a deduplicator with it
     */
    public Deduplicator onWarning(Consumer<WebhookException> onWarning) {
        return new Deduplicator(store, ttl, lease, onWarning);
    }

    /**
     * Your code.
     *
     * @param <T> what it returns
     * @param <X> what it throws
     */
    @FunctionalInterface
    public interface Task<T, X extends Exception> {
        /**
         * Processes the event.
         *
         * @return a value of your choice
         * @throws X if the event was not processed
         */
        T run() throws X;
    }

    /**
     * Runs the task unless it already succeeded for this id. If it throws or its process dies, the next delivery runs it
     * again. Only the id decides; a different body causes a warning.
     *
     * @param <T> what the task returns
     * @param <X> what the task throws
     * @param id the id of the event
     * @param body the verified body, whose digest is stored, or null
     * @param task your code
     * @return what happened
     * @throws StoreException if the store cannot say whether the event was processed
     * @throws X if the task throws it
     */
    public <T, X extends Exception> Processed<T> processOnce(String id, byte[] body, Task<T, X> task) throws X {
        String digest = body == null ? null : sha256(body);
        long claimedAtNanos = System.nanoTime();
        Claim claim = claim(id, digest);
        if (claim != Claim.CLAIMED) {
            warnOfAnotherBody(id, digest);
            return new Processed<>(claim == Claim.DONE ? Outcome.DUPLICATE : Outcome.IN_PROGRESS, null, true);
        }
        boolean succeeded = false;
        T value;
        try {
            value = task.run();
            succeeded = true;
        } finally {
            // After the lease, another process may have claimed the id, so do not release it.
            if (!succeeded && System.nanoTime() - claimedAtNanos < lease.toNanos()) {
                attempt(() -> store.release(id));
            }
        }
        return new Processed<>(Outcome.PROCESSED, value, isRecorded(id, digest));
    }

    private boolean isRecorded(String id, String digest) {
        try {
            store.complete(id, ttl, digest);
            return true;
        } catch (Exception error) {
            onWarning.accept(new StoreException(id + " was processed, but not recorded", error));
            return false;
        }
    }

    private Claim claim(String id, String digest) {
        try {
            return store.claim(id, lease, digest);
        } catch (Exception error) {
            throw new StoreException(error);
        }
    }

    private void warnOfAnotherBody(String id, String digest) {
        if (digest == null) {
            return;
        }
        // A failing store is ignored, because the result does not depend on the digest.
        attempt(() -> {
            Optional<String> known = store.digestOf(id);
            if (known.isPresent() && !known.get().equals(digest)) {
                onWarning.accept(new PayloadException(ErrorCode.EVENT_CHANGED, id));
            }
        });
    }

    @FunctionalInterface
    private interface Step {
        void run() throws Exception;
    }

    private static void attempt(Step step) {
        try {
            step.run();
        } catch (Exception ignored) {
            // The event is processed or not without it.
        }
    }

    private static Duration checked(Duration duration) {
        if (duration == null || duration.compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
            throw new UsageException(ErrorCode.OPTION_INVALID, "a duration must be from 1 ms to 100 years");
        }
        return duration;
    }

    private static String sha256(byte[] body) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
        } catch (NoSuchAlgorithmException error) {
            throw new UsageException(ErrorCode.CRYPTO_UNAVAILABLE, "SHA-256");
        }
    }
}

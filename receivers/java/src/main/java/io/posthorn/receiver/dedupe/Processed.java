package io.posthorn.receiver.dedupe;

/**
 * The result of {@link Deduplicator#processOnce}.
 *
 * @param <T> what your code returns
 * @param outcome what happened
 * @param value what your code returned, or null if it did not run
 * @param recorded false if the store failed after your code succeeded; then the event may run again
 */
public record Processed<T>(Outcome outcome, T value, boolean recorded) {
}

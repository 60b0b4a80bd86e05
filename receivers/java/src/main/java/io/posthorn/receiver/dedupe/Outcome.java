package io.posthorn.receiver.dedupe;

/** What {@link Deduplicator#processOnce} did. */
public enum Outcome {
    /** It ran your code, which succeeded. */
    PROCESSED,
    /** The event was processed before. */
    DUPLICATE,
    /** Somebody else processes the event now. */
    IN_PROGRESS
}

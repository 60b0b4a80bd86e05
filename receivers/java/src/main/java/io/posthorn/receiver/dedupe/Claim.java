package io.posthorn.receiver.dedupe;

/** The answer of a store to {@link DedupeStore#claim}. */
public enum Claim {
    /** The caller may process the event. */
    CLAIMED,
    /** Somebody else processes the event now. */
    IN_PROGRESS,
    /** The event was processed. */
    DONE
}

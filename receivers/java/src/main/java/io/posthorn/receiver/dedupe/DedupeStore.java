package io.posthorn.receiver.dedupe;

import java.time.Duration;
import java.util.Optional;

/** Remembers which events were processed. Whatever a store throws means that it is unavailable. */
public interface DedupeStore {
    /**
     * Claims the id unless it is claimed or done, and stores the digest. Must be atomic.
     *
     * @param id the id of an event
     * @param lease when the claim expires
     * @param digest the digest of the body, or null
     * @return whether the caller has the claim
     * @throws Exception if the store is unavailable
     */
    Claim claim(String id, Duration lease, String digest) throws Exception;

    /**
     * Marks the id as done.
     *
     * @param id the id of an event
     * @param ttl how long to remember it
     * @param digest the digest of the body, or null
     * @throws Exception if the store is unavailable
     */
    void complete(String id, Duration ttl, String digest) throws Exception;

    /**
     * Releases the id unless it is done.
     *
     * @param id the id of an event
     * @throws Exception if the store is unavailable
     */
    void release(String id) throws Exception;

    /**
     * The digest of an id that is claimed or done.
     *
     * @param id the id of an event
     * @return the digest, if there is one
     * @throws Exception if the store is unavailable
     */
    Optional<String> digestOf(String id) throws Exception;
}

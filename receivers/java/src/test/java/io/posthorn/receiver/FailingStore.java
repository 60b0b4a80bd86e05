package io.posthorn.receiver;

import io.posthorn.receiver.dedupe.Claim;
import io.posthorn.receiver.dedupe.DedupeStore;
import java.time.Duration;
import java.util.Optional;

/** A store that is not there. */
final class FailingStore implements DedupeStore {
    @Override
    public Claim claim(String id, Duration lease, String digest) throws Exception {
        throw new Exception("no connection");
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
    public Optional<String> digestOf(String id) throws Exception {
        throw new Exception("no connection");
    }
}

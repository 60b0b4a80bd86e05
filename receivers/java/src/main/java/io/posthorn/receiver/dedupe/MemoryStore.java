package io.posthorn.receiver.dedupe;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Remembers events in the memory of this process: for tests, and for a single process that may forget at a restart. */
public final class MemoryStore implements DedupeStore {
    private static final int ENTRIES_MAX = 10_000;

    /** Ordered by the last change. */
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final int entriesMax;
    private final InstantSource clock;

    private record Entry(boolean isDone, Instant endsAt, String digest) {
    }

    /** Remembers up to 10,000 events. */
    public MemoryStore() {
        this(ENTRIES_MAX, InstantSource.system());
    }

    /**
     * Remembers some events.
     *
     * @param entriesMax how many; the oldest are forgotten first
     * @param clock the clock
     */
    public MemoryStore(int entriesMax, InstantSource clock) {
        this.entriesMax = entriesMax;
        this.clock = clock;
    }

    @Override
    public synchronized Claim claim(String id, Duration lease, String digest) {
        Entry entry = entries.get(id);
        if (entry != null && entry.endsAt().isAfter(clock.instant())) {
            return entry.isDone() ? Claim.DONE : Claim.IN_PROGRESS;
        }
        put(id, false, lease, digest);
        return Claim.CLAIMED;
    }

    @Override
    public synchronized void complete(String id, Duration ttl, String digest) {
        put(id, true, ttl, digest);
    }

    @Override
    public synchronized void release(String id) {
        Entry entry = entries.get(id);
        if (entry != null && !entry.isDone()) {
            entries.remove(id);
        }
    }

    @Override
    public synchronized Optional<String> digestOf(String id) {
        return Optional.ofNullable(entries.get(id)).map(Entry::digest);
    }

    private void put(String id, boolean isDone, Duration duration, String digest) {
        Instant now = clock.instant();
        // Removed first, so that the map is ordered by the last change.
        entries.remove(id);
        entries.put(id, new Entry(isDone, now.plus(duration), digest));
        Iterator<Entry> oldest = entries.values().iterator();
        while (entries.size() > entriesMax && oldest.hasNext()) {
            Entry entry = oldest.next();
            // Keep work in progress, even if the store then exceeds the limit.
            if (entry.isDone() || !entry.endsAt().isAfter(now)) {
                oldest.remove();
            }
        }
    }
}

package posthorn

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// A MemoryStore remembers events in the memory of this process, for a single process or for tests. The zero value is ready.
type MemoryStore struct {
	// Max is how many events it remembers. The default is 10,000.
	Max int

	mutex   sync.Mutex
	entries map[string]*list.Element
	// Ordered by the last change.
	order list.List
	// The clock of tests.
	now func() time.Time
}

type memoryEntry struct {
	id, digest string
	done       bool
	end        time.Time
}

// Claim is part of [Store].
func (m *MemoryStore) Claim(_ context.Context, id string, lease time.Duration, digest string) (State, string, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if element, ok := m.entries[id]; ok {
		entry := element.Value.(memoryEntry)
		switch live := m.time().Before(entry.end); {
		case live && entry.done:
			return StateDone, entry.digest, nil
		case live:
			return StateInProgress, entry.digest, nil
		}
	}
	m.put(id, false, lease, digest)
	return StateClaimed, "", nil
}

// Complete is part of [Store].
func (m *MemoryStore) Complete(_ context.Context, id string, ttl time.Duration, digest string) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.put(id, true, ttl, digest)
	return nil
}

// Release is part of [Store].
func (m *MemoryStore) Release(_ context.Context, id string) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if element, ok := m.entries[id]; ok && !element.Value.(memoryEntry).done {
		m.remove(element)
	}
	return nil
}

func (m *MemoryStore) put(id string, done bool, forTime time.Duration, digest string) {
	if m.entries == nil {
		m.entries = map[string]*list.Element{}
	}
	if element, ok := m.entries[id]; ok {
		m.remove(element)
	}
	now := m.time()
	m.entries[id] = m.order.PushBack(memoryEntry{id, digest, done, now.Add(forTime)})
	max := m.Max
	if max == 0 {
		max = 10_000
	}
	for oldest := m.order.Front(); oldest != nil && len(m.entries) > max; {
		entry, next := oldest.Value.(memoryEntry), oldest.Next()
		// Keep work in progress, even if the store then exceeds Max.
		if entry.done || !now.Before(entry.end) {
			m.remove(oldest)
		}
		oldest = next
	}
}

func (m *MemoryStore) remove(element *list.Element) {
	delete(m.entries, element.Value.(memoryEntry).id)
	m.order.Remove(element)
}

func (m *MemoryStore) time() time.Time {
	if m.now != nil {
		return m.now()
	}
	return time.Now()
}

package posthorn

import (
	"context"
	"errors"
	"testing"
	"time"
)

var (
	ctx     = context.Background()
	errAway = errors.New("away")
)

func succeed(context.Context) error { return nil }

// brokenStore claims, and then fails.
type brokenStore struct{ claimError error }

func (b brokenStore) Claim(context.Context, string, time.Duration, string) (State, string, error) {
	return StateClaimed, "", b.claimError
}
func (brokenStore) Complete(context.Context, string, time.Duration, string) error { return errAway }
func (brokenStore) Release(context.Context, string) error                         { return errAway }

func stateOf(t *testing.T, store Store, id string) State {
	t.Helper()
	state, _, err := store.Claim(ctx, id, time.Minute, "")
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func TestAStoreThatIsAwayIsExplained(t *testing.T) {
	once := Deduplicator{Store: brokenStore{claimError: errAway}}
	outcome, err := once.ProcessOnce(ctx, "evt_1", nil, func(context.Context) error {
		t.Error("ran")
		return nil
	})
	if outcome != NotProcessed || !errors.Is(err, ErrStoreUnavailable) || !errors.Is(err, errAway) {
		t.Error(outcome, err)
	}
}

func TestAResultThatCannotBeRecordedStandsWithAWarning(t *testing.T) {
	var warnings []error
	once := Deduplicator{
		Store:     brokenStore{},
		OnWarning: func(_ context.Context, warning error) { warnings = append(warnings, warning) },
	}
	outcome, err := once.ProcessOnce(ctx, "evt_1", nil, succeed)
	if outcome != Processed || err != nil || len(warnings) != 1 || !errors.Is(warnings[0], ErrStoreUnavailable) {
		t.Error(outcome, err, warnings)
	}
	errNo := errors.New("no")
	if _, err := once.ProcessOnce(ctx, "evt_1", nil, func(context.Context) error { return errNo }); err != errNo {
		t.Error(err)
	}
}

func TestAnEventWhoseFunctionPanicsRunsAgain(t *testing.T) {
	once := Deduplicator{Store: &MemoryStore{}}
	func() {
		defer func() {
			if recover() != "no" {
				t.Error("the panic got lost")
			}
		}()
		_, _ = once.ProcessOnce(ctx, "evt_1", nil, func(context.Context) error { panic("no") })
	}()
	if outcome, err := once.ProcessOnce(ctx, "evt_1", nil, succeed); outcome != Processed || err != nil {
		t.Error(outcome, err)
	}
}

// contextStore refuses to work for a request that has ended, as databases do.
type contextStore struct{ *MemoryStore }

func (s contextStore) Complete(ctx context.Context, id string, ttl time.Duration, digest string) error {
	return errors.Join(ctx.Err(), s.MemoryStore.Complete(ctx, id, ttl, digest))
}

func (s contextStore) Release(ctx context.Context, id string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return s.MemoryStore.Release(ctx, id)
}

func TestAResultIsRecordedAlthoughTheSenderIsGone(t *testing.T) {
	once := Deduplicator{
		Store:     contextStore{&MemoryStore{}},
		OnWarning: func(_ context.Context, warning error) { t.Error(warning) },
	}
	request, cancel := context.WithCancel(ctx)
	outcome, err := once.ProcessOnce(request, "evt_1", nil, func(ctx context.Context) error {
		cancel()
		return nil
	})
	if outcome != Processed || err != nil {
		t.Error(outcome, err)
	}
	_, _ = once.ProcessOnce(request, "evt_2", nil, func(ctx context.Context) error { return ctx.Err() })
	if state := stateOf(t, once.Store, "evt_2"); state != StateClaimed {
		t.Error("not released")
	}
}

func TestAFunctionThatOutlivedItsLeaseDoesNotReleaseTheClaimOfAnother(t *testing.T) {
	once := Deduplicator{Store: &MemoryStore{}, Lease: 5 * time.Millisecond}
	_, err := once.ProcessOnce(ctx, "evt_1", nil, func(context.Context) error {
		for stateOf(t, once.Store, "evt_1") != StateClaimed {
		}
		return errAway
	})
	if err != errAway || stateOf(t, once.Store, "evt_1") != StateInProgress {
		t.Error(err)
	}
}

func TestAnEventIsRememberedFor30Days(t *testing.T) {
	now := time.Unix(0, 0)
	store := &MemoryStore{now: func() time.Time { return now }}
	once := Deduplicator{Store: store}
	if _, err := once.ProcessOnce(ctx, "evt_1", nil, succeed); err != nil {
		t.Fatal(err)
	}
	now = now.Add(30*24*time.Hour - 1)
	if stateOf(t, store, "evt_1") != StateDone {
		t.Error("forgotten early")
	}
	now = now.Add(1)
	if stateOf(t, store, "evt_1") != StateClaimed {
		t.Error("not forgotten")
	}
}

func TestMemoryForgetsTheOldestFirstButNeverWorkInProgress(t *testing.T) {
	store := &MemoryStore{Max: 2}
	stateOf(t, store, "under way")
	for _, id := range []string{"a", "b", "c"} {
		if err := store.Complete(ctx, id, time.Minute, ""); err != nil {
			t.Fatal(err)
		}
	}
	if stateOf(t, store, "under way") != StateInProgress || stateOf(t, store, "c") != StateDone {
		t.Error("forgot too much")
	}
	if stateOf(t, store, "a") != StateClaimed {
		t.Error("forgot too little")
	}
}

func TestATableNameThatNeedsQuotesIsRefused(t *testing.T) {
	for _, table := range []string{"", "a; drop table b", "A", "a.b.c", "a\n"} {
		if _, err := NewSQLStore(nil, table); !errors.Is(err, ErrOptionInvalid) {
			t.Errorf("%q: %v", table, err)
		}
	}
}

func TestTimesThatWouldRememberNothingAreRefused(t *testing.T) {
	for _, once := range []Deduplicator{{TTL: -time.Hour}, {TTL: 30 * 86_400}, {Lease: -1}, {Lease: 60}} {
		once.Store = &MemoryStore{}
		_, err := once.ProcessOnce(context.Background(), "evt_1", nil, func(context.Context) error {
			t.Error("ran")
			return nil
		})
		if !errors.Is(err, ErrOptionInvalid) {
			t.Errorf("TTL %v, Lease %v: %v", once.TTL, once.Lease, err)
		}
	}
}

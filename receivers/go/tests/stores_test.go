package tests

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/lib/pq"
	posthorn "github.com/posthorn/posthorn/receivers/go"
)

// forEachStore runs a test for every store.
func forEachStore(t *testing.T, test func(t *testing.T, store posthorn.Store)) {
	t.Run("memory", func(t *testing.T) {
		test(t, &posthorn.MemoryStore{})
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		test(t, newTable(t, openDatabase(t)))
	})
}

func openDatabase(t *testing.T) *sql.DB {
	t.Helper()
	// The run passes this address if it has the server.
	address := os.Getenv("POSTHORN_TEST_POSTGRES_URL")
	if address == "" {
		t.Skip("POSTHORN_TEST_POSTGRES_URL is not set")
	}
	db, err := sql.Open("postgres", dsn(t, address))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// dsn is for lib/pq, which reads no address with the folder of a socket as its host.
func dsn(t *testing.T, address string) string {
	t.Helper()
	user, rest, _ := strings.Cut(strings.TrimPrefix(address, "postgres://"), "@")
	host, database, found := strings.Cut(rest, "/")
	host, err := url.PathUnescape(host)
	if err != nil || !found {
		t.Fatal(address, err)
	}
	return fmt.Sprintf("user=%s host=%s dbname=%s sslmode=disable", user, host, database)
}

func newTable(t *testing.T, db posthorn.DB) posthorn.Store {
	t.Helper()
	random := make([]byte, 8)
	if _, err := rand.Read(random); err != nil {
		t.Fatal(err)
	}
	store, err := posthorn.NewSQLStore(db, "dedupe_"+hex.EncodeToString(random))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := db.ExecContext(ctx, store.Schema()); err != nil {
			t.Fatal(err)
		}
	}
	return store
}

var ctx = context.Background()

func claim(t *testing.T, store posthorn.Store, id string, lease time.Duration) posthorn.State {
	t.Helper()
	state, _, err := store.Claim(ctx, id, lease, "")
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func expect[T comparable](t *testing.T, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%v instead of %v", got, want)
	}
}

func expectInTime(t *testing.T, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !condition(); {
		if time.Now().After(deadline) {
			t.Fatal("it did not happen in 10 s")
		}
	}
}

func TestAnIDCanBeClaimedOnceAndStaysDone(t *testing.T) {
	forEachStore(t, func(t *testing.T, store posthorn.Store) {
		expect(t, claim(t, store, "evt_1", time.Minute), posthorn.StateClaimed)
		expect(t, claim(t, store, "evt_1", time.Minute), posthorn.StateInProgress)
		if err := store.Complete(ctx, "evt_1", time.Minute, ""); err != nil {
			t.Fatal(err)
		}
		expect(t, claim(t, store, "evt_1", time.Minute), posthorn.StateDone)
		if err := store.Release(ctx, "evt_1"); err != nil {
			t.Fatal(err)
		}
		expect(t, claim(t, store, "evt_1", time.Minute), posthorn.StateDone)
	})
}

func TestAnAbandonedClaimAndADoneIDExpire(t *testing.T) {
	forEachStore(t, func(t *testing.T, store posthorn.Store) {
		claim(t, store, "claimed", time.Millisecond)
		if err := store.Complete(ctx, "done", time.Millisecond, ""); err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"claimed", "done"} {
			expectInTime(t, func() bool { return claim(t, store, id, time.Minute) == posthorn.StateClaimed })
			expect(t, claim(t, store, id, time.Minute), posthorn.StateInProgress)
		}
	})
}

func TestOf50ParallelDeliveriesOneRuns(t *testing.T) {
	forEachStore(t, func(t *testing.T, store posthorn.Store) {
		var runs atomic.Int32
		var group sync.WaitGroup
		once := posthorn.Deduplicator{Store: store}
		run := func(context.Context) error {
			runs.Add(1)
			return nil
		}
		for range 50 {
			group.Add(1)
			go func() {
				defer group.Done()
				if _, err := once.ProcessOnce(ctx, "evt_1", nil, run); err != nil {
					t.Error(err)
				}
			}()
		}
		group.Wait()
		expect(t, runs.Load(), 1)
		outcome, err := once.ProcessOnce(ctx, "evt_1", nil, run)
		if err != nil {
			t.Error(err)
		}
		expect(t, outcome, posthorn.Duplicate)
	})
}

func TestAnEventThatFailedRunsAgain(t *testing.T) {
	forEachStore(t, func(t *testing.T, store posthorn.Store) {
		once := posthorn.Deduplicator{Store: store}
		errNo := errors.New("no")
		_, err := once.ProcessOnce(ctx, "evt_1", nil, func(context.Context) error { return errNo })
		expect(t, err, errNo)
		outcome, err := once.ProcessOnce(ctx, "evt_1", nil, func(context.Context) error { return nil })
		expect(t, outcome, posthorn.Processed)
		expect(t, err, nil)
	})
}

func TestAKnownIDWithADifferentBodyCausesAWarning(t *testing.T) {
	forEachStore(t, func(t *testing.T, store posthorn.Store) {
		var warnings []error
		once := posthorn.Deduplicator{
			Store:     store,
			OnWarning: func(_ context.Context, warning error) { warnings = append(warnings, warning) },
		}
		deliver := func(id string, body []byte, fn func()) posthorn.Outcome {
			outcome, err := once.ProcessOnce(ctx, id, body, func(context.Context) error {
				fn()
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			return outcome
		}
		again := func() { t.Error("ran twice") }
		deliver("evt_1", []byte("a"), func() {
			expect(t, deliver("evt_1", []byte("a"), again), posthorn.InProgress)
			expect(t, len(warnings), 0)
			expect(t, deliver("evt_1", []byte("b"), again), posthorn.InProgress)
			expect(t, len(warnings), 1)
		})
		expect(t, deliver("evt_1", []byte("a"), again), posthorn.Duplicate)
		expect(t, deliver("evt_1", nil, again), posthorn.Duplicate)
		expect(t, len(warnings), 1)
		expect(t, deliver("evt_1", []byte("b"), again), posthorn.Duplicate)
		expect(t, len(warnings), 2)
		expect(t, errors.Is(warnings[1], posthorn.ErrEventChanged), true)

		deliver("evt_2", nil, func() {})
		expect(t, deliver("evt_2", []byte("any"), again), posthorn.Duplicate)
		expect(t, len(warnings), 2)
	})
}

func TestAConflictDoesNotAbortATransaction(t *testing.T) {
	tx, err := openDatabase(t).Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	store := newTable(t, tx)
	expect(t, claim(t, store, "evt_1", time.Minute), posthorn.StateClaimed)
	expect(t, claim(t, store, "evt_1", time.Minute), posthorn.StateInProgress)
	if err := store.Complete(ctx, "evt_1", time.Minute, ""); err != nil {
		t.Fatal(err)
	}
	expect(t, claim(t, store, "evt_1", time.Minute), posthorn.StateDone)
}

func TestIDsWithSpecialCharactersDoNotCollide(t *testing.T) {
	forEachStore(t, func(t *testing.T, store posthorn.Store) {
		for _, id := range []string{"it's", "a:b", "ü 🐘", "%", strings.Repeat("x", 255)} {
			expect(t, claim(t, store, id, time.Minute), posthorn.StateClaimed)
		}
	})
}

func TestADatabaseThatFailsIsExplained(t *testing.T) {
	db := openDatabase(t)
	store, err := posthorn.NewSQLStore(db, "no_such_table")
	if err != nil {
		t.Fatal(err)
	}
	once := posthorn.Deduplicator{Store: store}
	_, err = once.ProcessOnce(ctx, "evt_1", nil, func(context.Context) error {
		t.Error("ran")
		return nil
	})
	if !errors.Is(err, posthorn.ErrStoreUnavailable) || !strings.Contains(err.Error(), "no_such_table") {
		t.Error(err)
	}
}

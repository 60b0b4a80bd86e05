package posthorn

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"time"
)

// A Store remembers which events were processed. [MemoryStore] and [SQLStore] are stores. Its methods must be safe for
// concurrent use.
type Store interface {
	// Claim claims the id for the lease unless it is claimed or done, and stores the digest, which may be empty. It must be
	// atomic. If the id is claimed or done, known is the digest that was stored with it.
	Claim(ctx context.Context, id string, lease time.Duration, digest string) (state State, known string, err error)
	// Complete marks the id as done for ttl.
	Complete(ctx context.Context, id string, ttl time.Duration, digest string) error
	// Release releases the id unless it is done.
	Release(ctx context.Context, id string) error
}

// A State is the answer of a store to Claim.
type State int

// The answers of a store to Claim.
const (
	StateInProgress State = iota
	StateClaimed
	StateDone
)

// A Deduplicator processes each event once, even if it is delivered several times.
type Deduplicator struct {
	Store Store
	// TTL is how long to remember an id. The default of 30 days covers all retries and replays.
	TTL time.Duration
	// Lease is when a claim expires if its process dies. It must be longer than your code takes. The default is 60 s.
	Lease time.Duration
	// OnWarning is called with [ErrEventChanged] if an id arrives with a different body, which Posthorn never sends, and with
	// [ErrStoreUnavailable] if the store failed after your function succeeded; then the event may run again. The default
	// is [slog.Default].
	OnWarning func(ctx context.Context, warning error)
}

// An Outcome is what [Deduplicator.ProcessOnce] did.
type Outcome int

// The outcomes of ProcessOnce.
const (
	// NotProcessed is the outcome if there is an error.
	NotProcessed Outcome = iota
	// Processed means that your function succeeded.
	Processed
	// Duplicate means that it succeeded before.
	Duplicate
	// InProgress means that another request processes the event.
	InProgress
)

// ProcessOnce runs fn unless it already succeeded for this id. If fn fails, panics, or its process dies, the next delivery
// runs it again. Only the id decides: a different body causes a warning. The digest of the body is stored, if there is one.
// The error is that of fn, [ErrStoreUnavailable], or [ErrOptionInvalid] if TTL or Lease cannot work.
func (d *Deduplicator) ProcessOnce(
	ctx context.Context, id string, body []byte, fn func(context.Context) error,
) (Outcome, error) {
	// Refuses 60, which is 60 nanoseconds, and what else was meant in another unit.
	if isNoTime(d.TTL) || isNoTime(d.Lease) {
		return NotProcessed, fault(ErrOptionInvalid, "TTL and Lease must be whole milliseconds; write 60*time.Second instead of 60")
	}
	digest := digestOf(body)
	lease := orDefault(d.Lease, time.Minute)
	leaseEnd := time.Now().Add(lease)
	state, known, err := d.Store.Claim(ctx, id, lease, digest)
	if err != nil {
		return NotProcessed, &Error{Code: ErrStoreUnavailable, cause: err}
	}
	if state != StateClaimed {
		if digest != "" && known != "" && digest != known {
			d.warn(ctx, fault(ErrEventChanged, id))
		}
		if state == StateDone {
			return Duplicate, nil
		}
		return InProgress, nil
	}

	succeeded := false
	defer func() {
		// Also after a panic. After the lease, another process may have claimed the id, so do not release it.
		if !succeeded && time.Now().Before(leaseEnd) {
			ctx, cancel := toRecord(ctx)
			defer cancel()
			// If it fails, the lease expires.
			_ = d.Store.Release(ctx, id)
		}
	}()
	if err := fn(ctx); err != nil {
		return NotProcessed, err
	}
	succeeded = true
	ctx, cancel := toRecord(ctx)
	defer cancel()
	if err := d.Store.Complete(ctx, id, orDefault(d.TTL, 30*24*time.Hour), digest); err != nil {
		d.warn(ctx, &Error{Code: ErrStoreUnavailable, detail: id, cause: err})
	}
	return Processed, nil
}

// toRecord outlives the request, because the result must be recorded even if the sender closes the connection.
func toRecord(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
}

func (d *Deduplicator) warn(ctx context.Context, warning error) {
	if d.OnWarning != nil {
		d.OnWarning(ctx, warning)
		return
	}
	slog.WarnContext(ctx, "webhook", "warning", warning)
}

func digestOf(body []byte) string {
	if body == nil {
		return ""
	}
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

func isNoTime(option time.Duration) bool {
	return option < 0 || option%time.Millisecond != 0
}

func orDefault(value, byDefault time.Duration) time.Duration {
	if value == 0 {
		return byDefault
	}
	return value
}

package posthorn

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
)

// A Receiver answers webhooks. [Receiver.Handle] is for code that processes events, [Receiver.Middleware] for an
// [http.Handler] of your own.
type Receiver struct {
	Verifier *Verifier
	// Deduplicator runs your code once for each event id, even if it is delivered several times. It may be nil.
	Deduplicator *Deduplicator
	// OnError is called if a request was not processed. The default is [slog.Default].
	OnError func(r *http.Request, err error)
}

// Handle returns a handler that answers 200 if process returns nil, and 500 if it returns an error. Then Posthorn sends the
// event again.
func (rec *Receiver) Handle(process func(ctx context.Context, event *Event) error) http.Handler {
	return rec.handler(func(_ http.ResponseWriter, r *http.Request, event *Event) (bool, error) {
		return false, process(r.Context(), event)
	})
}

// Middleware returns a handler that calls next for each event that it has verified. next finds it with [EventFrom], and the
// bytes in the body of the request. The event counts as processed only if next answers 2xx.
func (rec *Receiver) Middleware(next http.Handler) http.Handler {
	return rec.handler(func(w http.ResponseWriter, r *http.Request, event *Event) (bool, error) {
		watched := &statusWriter{ResponseWriter: w}
		next.ServeHTTP(watched, r.WithContext(context.WithValue(r.Context(), eventKey{}, event)))
		if watched.status == 0 || watched.status/100 == 2 {
			return watched.status != 0, nil
		}
		return true, errOwnAnswer
	})
}

// EventFrom returns the event that [Receiver.Middleware] has verified.
func EventFrom(ctx context.Context) (*Event, bool) {
	event, ok := ctx.Value(eventKey{}).(*Event)
	return event, ok
}

type eventKey struct{}

// errOwnAnswer releases the id of an event whose handler answered something other than 2xx.
var errOwnAnswer = errors.New("posthorn: the handler did not answer 2xx")

// handler answers requests: method, body, signature, event, duplicate, run. Every failed verification gets the same 401,
// which does not tell the sender why. run reports whether it has answered.
func (rec *Receiver) handler(run func(http.ResponseWriter, *http.Request, *Event) (answered bool, err error)) http.Handler {
	if rec.Verifier == nil || rec.Deduplicator != nil && rec.Deduplicator.Store == nil {
		panic("posthorn: the Receiver has no Verifier, or its Deduplicator no Store. Check the error of NewVerifier.")
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			answer(w, http.StatusMethodNotAllowed, "POST only")
			return
		}
		verified, event, body, err := rec.open(w, r)
		if err != nil {
			rec.refuse(w, r, err)
			return
		}
		w.Header().Set(rec.Verifier.verifiedName(), verified.Parts())
		answered := false
		outcome, err := rec.runOnce(r.Context(), event, body, func(ctx context.Context) (err error) {
			again := r.WithContext(ctx)
			again.Body = io.NopCloser(bytes.NewReader(body))
			answered, err = run(w, again, event)
			return err
		})
		switch {
		case answered:
		case err != nil:
			w.Header().Del(rec.Verifier.verifiedName())
			rec.refuse(w, r, err)
		case outcome == InProgress:
			w.Header().Set("Retry-After", "5")
			answer(w, http.StatusConflict, "in progress")
		default:
			answer(w, http.StatusOK, "ok")
		}
	})
}

func (rec *Receiver) open(w http.ResponseWriter, r *http.Request) (*Verified, *Event, []byte, error) {
	body, err := readBody(w, r, rec.Verifier.maxBodyBytes)
	if err != nil {
		return nil, nil, nil, err
	}
	verified, err := rec.Verifier.Verify(body, r.Header)
	if err != nil {
		return nil, nil, nil, err
	}
	event, err := parseEvent(body)
	return verified, event, body, err
}

func readBody(w http.ResponseWriter, r *http.Request, bytesMax int64) ([]byte, error) {
	if r.Body == nil {
		return []byte{}, nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bytesMax))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, fault(ErrPayloadTooLarge, "")
	case errors.Is(err, http.ErrBodyReadAfterClose), err == nil && int64(len(body)) < r.ContentLength:
		return nil, fault(ErrBodyAlreadyConsumed, "")
	case err != nil:
		return nil, &Error{Code: ErrBodyMissing, cause: err}
	}
	return body, nil
}

func (rec *Receiver) runOnce(
	ctx context.Context, event *Event, body []byte, fn func(context.Context) error,
) (Outcome, error) {
	if rec.Deduplicator == nil {
		return Processed, fn(ctx)
	}
	return rec.Deduplicator.ProcessOnce(ctx, event.ID, body, fn)
}

func (rec *Receiver) refuse(w http.ResponseWriter, r *http.Request, err error) {
	if rec.OnError != nil {
		rec.OnError(r, err)
	} else {
		slog.ErrorContext(r.Context(), "webhook not processed", "error", err)
	}
	status := http.StatusInternalServerError
	var known *Error
	if errors.As(err, &known) {
		status = known.Status()
	}
	switch {
	case status == http.StatusUnauthorized:
		answer(w, status, "invalid signature")
	case status < 500:
		answer(w, status, "invalid payload")
	default:
		answer(w, status, "not processed")
	}
}

func answer(w http.ResponseWriter, status int, line string) {
	w.Header().Set("Content-Type", "text/plain")
	w.WriteHeader(status)
	// If the sender is gone, nobody needs the text.
	_, _ = io.WriteString(w, line+"\n")
}

// A statusWriter notes the status that a handler answers with.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Write(bytes []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(bytes)
}

// Unwrap lets [http.ResponseController] find the writer of the server.
func (w *statusWriter) Unwrap() http.ResponseWriter {
	return w.ResponseWriter
}

package posthorn_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	posthorn "github.com/posthorn/posthorn/receivers/go"
)

// A harness serves both handlers of a receiver: /handle and /middleware.
type harness struct {
	*httptest.Server
	processed []string
	errors    []error
	// fail is what the function returns, status what the handler answers.
	fail   error
	status int
}

func serve(t *testing.T, secrets ...string) *harness {
	t.Helper()
	verifier, err := posthorn.NewVerifier(secrets)
	if err != nil {
		t.Fatal(err)
	}
	h := &harness{status: 204}
	receiver := func() *posthorn.Receiver {
		return &posthorn.Receiver{
			Verifier:     verifier,
			Deduplicator: &posthorn.Deduplicator{Store: &posthorn.MemoryStore{}},
			OnError:      func(_ *http.Request, err error) { h.errors = append(h.errors, err) },
		}
	}
	mux := http.NewServeMux()
	mux.Handle("/handle", receiver().Handle(func(_ context.Context, event *posthorn.Event) error {
		h.processed = append(h.processed, event.ID)
		return h.fail
	}))
	mux.Handle("/middleware", receiver().Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		event, ok := posthorn.EventFrom(r.Context())
		var read struct{ ID string }
		if err := json.NewDecoder(r.Body).Decode(&read); err != nil || !ok || read.ID != event.ID {
			t.Errorf("%v: %v instead of %v", err, read, event)
		}
		h.processed = append(h.processed, event.ID)
		if h.status != 0 {
			w.WriteHeader(h.status)
		}
	})))
	mux.Handle("/read-before", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		mux.ServeHTTP(w, withPath(r, "/handle"))
	}))
	mux.Handle("/closed-before", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.Body.Close()
		mux.ServeHTTP(w, withPath(r, "/handle"))
	}))
	h.Server = httptest.NewServer(mux)
	t.Cleanup(h.Close)
	return h
}

func withPath(r *http.Request, path string) *http.Request {
	r = r.Clone(r.Context())
	r.URL.Path = path
	return r
}

type reply struct {
	status   int
	verified string
	text     string
}

func (h *harness) post(t *testing.T, path, body string, header http.Header) reply {
	t.Helper()
	return h.send(t, http.MethodPost, path, body, header)
}

func (h *harness) send(t *testing.T, method, path, body string, header http.Header) reply {
	t.Helper()
	request, err := http.NewRequest(method, h.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header = header.Clone()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{response.StatusCode, response.Header.Get("X-Service-Verified"), string(text)}
}

func (h *harness) expectErrors(t *testing.T, codes ...posthorn.Code) {
	t.Helper()
	if len(h.errors) != len(codes) {
		t.Fatalf("%v instead of %v", h.errors, codes)
	}
	for i, code := range codes {
		if !errors.Is(h.errors[i], code) {
			t.Errorf("%v instead of %s", h.errors[i], code)
		}
	}
}

func expect[T comparable](t *testing.T, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%v instead of %v", got, want)
	}
}

// Both handlers answer alike, except after a success.
var paths = map[string]reply{"/handle": {200, "v1", "ok\n"}, "/middleware": {204, "v1", ""}}

func TestAGoodDeliveryIsProcessedOnceAndProven(t *testing.T) {
	for path, success := range paths {
		h := serve(t, secret)
		header := signed(t, body, time.Now(), secret)
		expect(t, h.post(t, path, body, header), success)
		expect(t, h.post(t, path, body, header), reply{200, "v1", "ok\n"})
		expect(t, strings.Join(h.processed, " "), "evt_1")
		h.expectErrors(t)
	}
}

func TestAHandlerThatWritesNothingHasProcessedTheEvent(t *testing.T) {
	h := serve(t, secret)
	h.status = 0
	expect(t, h.post(t, "/middleware", body, signed(t, body, time.Now(), secret)), reply{200, "v1", "ok\n"})
}

func TestARotationIsProven(t *testing.T) {
	for path, success := range paths {
		success.verified = "v1,v1s"
		h := serve(t, staged, secret, secret)
		expect(t, h.post(t, path, body, signed(t, body, time.Now(), secret, staged)), success)
	}
}

func TestForgedAndStaleDeliveriesGetTheSameAnswer(t *testing.T) {
	for path := range paths {
		h := serve(t, secret)
		refusal := reply{401, "", "invalid signature\n"}
		expect(t, h.post(t, path, body, signed(t, body, time.Now(), staged)), refusal)
		expect(t, h.post(t, path, body, signed(t, body, time.Now().Add(-10*time.Minute), secret)), refusal)
		expect(t, h.post(t, path, body, nil), refusal)
		expect(t, len(h.processed), 0)
		h.expectErrors(t, posthorn.ErrSignatureMismatch, posthorn.ErrTimestampTooOld, posthorn.ErrHeaderMissing)
	}
}

func TestAnEventThatWasNotProcessedRunsAgain(t *testing.T) {
	h := serve(t, secret)
	header := signed(t, body, time.Now(), secret)
	h.fail = errors.New("not now")
	expect(t, h.post(t, "/handle", body, header), reply{500, "", "not processed\n"})
	expect(t, errors.Is(h.errors[0], h.fail), true)
	h.fail = nil
	expect(t, h.post(t, "/handle", body, header).status, 200)

	for _, status := range []int{303, 404, 429, 503} {
		h.status = status
		expect(t, h.post(t, "/middleware", body, header), reply{status, "v1", ""})
	}
	h.status = 202
	expect(t, h.post(t, "/middleware", body, header), reply{202, "v1", ""})
	expect(t, h.post(t, "/middleware", body, header).status, 200)
	expect(t, len(h.processed), 7)
	expect(t, len(h.errors), 1)
}

func TestABodyThatCannotBeUsedIsRefused(t *testing.T) {
	for path := range paths {
		h := serve(t, secret)
		expect(t, h.post(t, path, "[]", signed(t, "[]", time.Now(), secret)), reply{400, "", "invalid payload\n"})
		large := `"` + strings.Repeat(" ", 1<<20) + `"`
		expect(t, h.post(t, path, large, signed(t, large, time.Now(), secret)), reply{413, "", "invalid payload\n"})
		expect(t, h.send(t, http.MethodPut, path, body, nil), reply{405, "", "POST only\n"})
		h.expectErrors(t, posthorn.ErrPayloadNotEvent, posthorn.ErrPayloadTooLarge)
	}
}

func TestABodyThatWasReadBeforeIsExplained(t *testing.T) {
	for _, path := range []string{"/read-before", "/closed-before"} {
		h := serve(t, secret)
		expect(t, h.post(t, path, body, signed(t, body, time.Now(), secret)), reply{500, "", "not processed\n"})
		h.expectErrors(t, posthorn.ErrBodyAlreadyConsumed)
	}
}

func TestABodyThatEndsEarlyIsRefused(t *testing.T) {
	h := serve(t, secret)
	connection, err := net.Dial("tcp", h.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	_, _ = io.WriteString(connection, "POST /handle HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{}")
	_ = connection.(*net.TCPConn).CloseWrite()
	line, _ := bufio.NewReader(connection).ReadString('\n')
	expect(t, line, "HTTP/1.1 400 Bad Request\r\n")
	h.expectErrors(t, posthorn.ErrBodyMissing)
	expect(t, errors.Is(h.errors[0], io.ErrUnexpectedEOF), true)
}

func TestAnEventThatIsBeingProcessedGets409(t *testing.T) {
	receiver, _ := quietReceiver(t)
	var inner *httptest.ResponseRecorder
	var handler http.Handler
	handler = receiver.Handle(func(context.Context, *posthorn.Event) error {
		inner = deliver(t, handler, body)
		return nil
	})
	expect(t, deliver(t, handler, body).Code, 200)
	expect(t, inner.Code, 409)
	expect(t, inner.Header().Get("Retry-After"), "5")
	expect(t, inner.Header().Get("X-Service-Verified"), "v1")
}

func TestAMiddlewareKeepsTheAbilitiesOfTheWriter(t *testing.T) {
	receiver, warnings := quietReceiver(t)
	runs := 0
	handler := receiver.Middleware(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		runs++
		w.WriteHeader(http.StatusEarlyHints)
		_, _ = io.WriteString(w, "done")
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
	}))
	expect(t, deliver(t, handler, body).Body.String(), "done")
	expect(t, deliver(t, handler, body).Body.String(), "ok\n")
	expect(t, runs, 1)
	expect(t, len(*warnings), 0)
}

func TestAnotherBodyWithTheSameIDCausesAWarning(t *testing.T) {
	receiver, warnings := quietReceiver(t)
	handler := receiver.Handle(func(context.Context, *posthorn.Event) error { return nil })
	deliver(t, handler, body)
	expect(t, deliver(t, handler, body+" ").Code, 200)
	expect(t, len(*warnings), 1)
	expect(t, errors.Is((*warnings)[0], posthorn.ErrEventChanged), true)
}

// quietReceiver keeps its warnings.
func quietReceiver(t *testing.T) (*posthorn.Receiver, *[]error) {
	var warnings []error
	return &posthorn.Receiver{Verifier: newVerifier(t), Deduplicator: &posthorn.Deduplicator{
		Store:     &posthorn.MemoryStore{},
		OnWarning: func(_ context.Context, warning error) { warnings = append(warnings, warning) },
	}}, &warnings
}

func deliver(t *testing.T, handler http.Handler, body string) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	request.Header = signed(t, body, time.Now(), secret)
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	return recorder
}

func TestAnIncompleteReceiverIsRefused(t *testing.T) {
	for _, receiver := range []posthorn.Receiver{
		{},
		{Verifier: newVerifier(t), Deduplicator: &posthorn.Deduplicator{}},
	} {
		func() {
			defer func() { expect(t, recover() != nil, true) }()
			receiver.Handle(func(context.Context, *posthorn.Event) error { return nil })
		}()
	}
}

func TestTheAnswerHeaderFollowsTheSignatureHeader(t *testing.T) {
	verifier, err := posthorn.NewVerifier([]string{secret}, posthorn.WithHeaderName("X-Acme-Signature"))
	if err != nil {
		t.Fatal(err)
	}
	receiver := &posthorn.Receiver{Verifier: verifier}
	request := httptest.NewRequest(http.MethodPost, "/hooks", strings.NewReader(body))
	request.Header.Set("X-Acme-Signature", signed(t, body, time.Now(), secret).Get("X-Service-Signature"))
	recorder := httptest.NewRecorder()
	receiver.Handle(func(context.Context, *posthorn.Event) error { return nil }).ServeHTTP(recorder, request)
	expect(t, recorder.Header().Get("X-Acme-Verified"), "v1")
	expect(t, recorder.Header().Get("X-Service-Verified"), "")
}

package posthorn_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"

	posthorn "github.com/posthorn/posthorn/receivers/go"
)

func suppress(_ context.Context, address string) error {
	fmt.Println("suppress", address)
	return nil
}

// A whole receiver.
func Example() {
	verifier, err := posthorn.NewVerifier([]string{os.Getenv("WEBHOOK_SECRET")})
	if err != nil {
		log.Fatal(err)
	}
	receiver := &posthorn.Receiver{Verifier: verifier}
	http.Handle("/hooks", receiver.Handle(func(ctx context.Context, event *posthorn.Event) error {
		if bounced, ok := event.Data.(*posthorn.Bounced); ok {
			return suppress(ctx, bounced.Recipient)
		}
		return nil
	}))
	log.Fatal(http.ListenAndServe(":8080", nil))
}

func ExampleVerifier_ConstructEvent() {
	secrets := []string{"whsec_the_new_one_0123456789", "whsec_the_old_one_0123456789"}
	verifier, err := posthorn.NewVerifier(secrets)
	if err != nil {
		log.Fatal(err)
	}
	body := []byte(`{"id":"evt_1","type":"email.unsubscribed","data":{"recipient":"ann@example.org"}}`)
	line, err := posthorn.Sign(body, secrets[1:], time.Now())
	if err != nil {
		log.Fatal(err)
	}

	event, err := verifier.ConstructEvent(body, http.Header{"X-Service-Signature": {line}})
	if err != nil {
		log.Fatal(err)
	}
	switch data := event.Data.(type) {
	case *posthorn.Bounced:
		fmt.Println("bounced:", data.Recipient)
	case *posthorn.Unsubscribed:
		fmt.Println("unsubscribed:", data.Recipient)
	}
	// Output: unsubscribed: ann@example.org
}

func ExampleVerifier_Verify() {
	verifier, err := posthorn.NewVerifier([]string{"whsec_0123456789abcdefghij"})
	if err != nil {
		log.Fatal(err)
	}
	_, err = verifier.Verify([]byte("{}"), http.Header{})
	var refused *posthorn.Error
	if errors.As(err, &refused) {
		fmt.Println(refused.Status(), refused.Code, errors.Is(err, posthorn.ErrHeaderMissing))
	}
	// Output: 401 header_missing true
}

// Your own handler answers, and finds the event in the context.
func ExampleReceiver_Middleware() {
	secret := "whsec_0123456789abcdefghij"
	verifier, err := posthorn.NewVerifier([]string{secret})
	if err != nil {
		log.Fatal(err)
	}
	receiver := &posthorn.Receiver{Verifier: verifier}
	handler := receiver.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		event, _ := posthorn.EventFrom(r.Context())
		fmt.Println("queue", event.ID)
		w.WriteHeader(http.StatusAccepted)
	}))

	body := `{"id":"evt_1","type":"email.delivered"}`
	line, err := posthorn.Sign([]byte(body), []string{secret}, time.Now())
	if err != nil {
		log.Fatal(err)
	}
	request := httptest.NewRequest(http.MethodPost, "/hooks", strings.NewReader(body))
	request.Header.Set("X-Service-Signature", line)
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	fmt.Println(recorder.Code, recorder.Header().Get("X-Service-Verified"))
	// Output:
	// queue evt_1
	// 202 v1
}

func ExampleDeduplicator_ProcessOnce() {
	once := posthorn.Deduplicator{Store: &posthorn.MemoryStore{}}
	for range 2 {
		outcome, err := once.ProcessOnce(context.Background(), "evt_1", nil, func(context.Context) error {
			fmt.Println("update the contact")
			return nil
		})
		fmt.Println(outcome == posthorn.Duplicate, err)
	}
	// Output:
	// update the contact
	// false <nil>
	// true <nil>
}

// Each event is processed once, by several processes with one database.
func ExampleSQLStore() {
	var db *sql.DB // from sql.Open
	store, err := posthorn.NewSQLStore(db, "posthorn_dedupe")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(store.Schema())
	receiver := &posthorn.Receiver{Deduplicator: &posthorn.Deduplicator{Store: store}}
	_ = receiver
	// Output:
	// create table if not exists posthorn_dedupe (
	//   id varchar(255) primary key,
	//   done smallint not null,
	//   digest char(64),
	//   expires_at_ms bigint not null
	// )
}

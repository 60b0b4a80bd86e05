// Live serves /hooks on a port of loopback. Its settings change while it runs: it reads the file in RECEIVER_SETTINGS before
// each request. {"secrets": ["whsec_…"], "clockOffsetSeconds": 0, "log": "/path"}; ADAPTER names the handler.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"
	"time"

	posthorn "github.com/posthorn/posthorn/receivers/go"
)

type settings struct {
	Secrets            []string
	ClockOffsetSeconds int64
	Log                string
}

var once = &posthorn.Deduplicator{Store: &posthorn.MemoryStore{}}

func main() {
	http.HandleFunc("/hooks", func(w http.ResponseWriter, r *http.Request) {
		text, err := os.ReadFile(os.Getenv("RECEIVER_SETTINGS"))
		if err != nil {
			log.Panic(err)
		}
		var settings settings
		if err := json.Unmarshal(text, &settings); err != nil {
			log.Panic(err)
		}
		settings.newHandler().ServeHTTP(w, r)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], nil))
}

func (s settings) newHandler() http.Handler {
	verifier, err := posthorn.NewVerifier(s.Secrets, posthorn.WithClock(func() time.Time {
		return time.Now().Add(time.Duration(s.ClockOffsetSeconds) * time.Second)
	}))
	if err != nil {
		log.Panic(err)
	}
	receiver := &posthorn.Receiver{
		Verifier:     verifier,
		Deduplicator: once,
		OnError: func(_ *http.Request, err error) {
			var refused *posthorn.Error
			if errors.As(err, &refused) {
				s.write("refused " + string(refused.Code))
			}
		},
	}
	if os.Getenv("ADAPTER") == "net/http middleware" {
		return receiver.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			event, _ := posthorn.EventFrom(r.Context())
			s.write("processed " + event.ID)
		}))
	}
	return receiver.Handle(func(_ context.Context, event *posthorn.Event) error {
		s.write("processed " + event.ID)
		return nil
	})
}

func (s settings) write(line string) {
	file, err := os.OpenFile(s.Log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		log.Panic(err)
	}
	defer file.Close()
	if _, err := file.WriteString(line + "\n"); err != nil {
		log.Panic(err)
	}
}

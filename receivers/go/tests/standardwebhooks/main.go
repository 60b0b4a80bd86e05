// Standardwebhooks reads requests as JSON lines and prints for each whether the library of Standard Webhooks accepts it.
// A request: {"secret": "whsec_…", "headers": {"webhook-id": "…"}, "body": base64}
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type request struct {
	Secret  string
	Headers map[string]string
	Body    []byte
}

func main() {
	input := json.NewDecoder(bufio.NewReader(os.Stdin))
	for {
		var one request
		if err := input.Decode(&one); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			log.Panic(err)
		}
		fmt.Println(one.verdict())
	}
}

func (one request) verdict() string {
	webhook, err := standardwebhooks.NewWebhook(one.Secret)
	if err != nil {
		return err.Error()
	}
	header := http.Header{}
	for name, value := range one.Headers {
		header.Set(name, value)
	}
	if err := webhook.Verify(one.Body, header); err != nil {
		return err.Error()
	}
	return "accepted"
}

// Judge reads cases as JSON lines and prints a verdict for each, so that another language can compare them with its own.
// A case: {"secrets": [base64], "toleranceSeconds": 300, "now": 1700000000, "headers": [base64], "body": base64}
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
	"time"

	posthorn "github.com/posthorn/posthorn/receivers/go"
)

type testCase struct {
	Secrets          [][]byte
	ToleranceSeconds int64
	Now              int64
	Headers          [][]byte
	Body             []byte
}

func main() {
	input := json.NewDecoder(bufio.NewReader(os.Stdin))
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	for {
		var one testCase
		if err := input.Decode(&one); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			log.Panic(err)
		}
		fmt.Fprintln(output, one.verdict())
	}
}

// verdict is for example `1700000000 0 v1 v1,v1s known`, or what is wrong.
func (one testCase) verdict() string {
	verifier, err := posthorn.NewVerifier(
		texts(one.Secrets),
		posthorn.WithTolerance(time.Duration(one.ToleranceSeconds)*time.Second),
		posthorn.WithClock(func() time.Time { return time.Unix(one.Now, 0) }),
	)
	if err != nil {
		return codeOf(err)
	}
	header := http.Header{"X-Service-Signature": texts(one.Headers)}
	verified, err := verifier.Verify(one.Body, header)
	if err != nil {
		return codeOf(err)
	}
	verdict := fmt.Sprintf("%d %d %s %s ",
		verified.Timestamp.Unix(), verified.SecretIndex, verified.PartName, verified.Parts())
	event, err := verifier.ConstructEvent(one.Body, header)
	switch {
	case err != nil:
		return verdict + codeOf(err)
	case event.Type.Known():
		return verdict + "known"
	default:
		return verdict + "unknown"
	}
}

func codeOf(err error) string {
	var known *posthorn.Error
	if !errors.As(err, &known) {
		log.Panic(err)
	}
	return string(known.Code)
}

func texts(values [][]byte) []string {
	var texts []string
	for _, value := range values {
		texts = append(texts, string(value))
	}
	return texts
}

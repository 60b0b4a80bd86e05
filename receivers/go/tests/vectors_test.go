package tests

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strconv"
	"testing"
	"time"

	posthorn "github.com/posthorn/posthorn/receivers/go"
)

// A vector is a case that the libraries of all languages share.
type vector struct {
	ID            string
	Now           *int64
	Secrets       json.RawMessage
	Tolerance     json.RawMessage `json:"toleranceSeconds"`
	BodyBase64    []byte
	Headers       []string
	HeadersBase64 [][]byte
	Timestamp     int64
	ExpectHeader  string
	Expect        struct {
		Result, Code, Timestamp, PartName, Payload string
		SecretIndex                                int
	}
}

type vectorFile struct {
	Defaults             vector
	Verify, Sign, Config []vector
}

func readVectors(t *testing.T) vectorFile {
	t.Helper()
	text, err := os.ReadFile("../../../fixtures/signature-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file vectorFile
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	return file
}

func (v vector) or(defaults vector) vector {
	if v.Now == nil {
		v.Now = defaults.Now
	}
	if v.Secrets == nil {
		v.Secrets = defaults.Secrets
	}
	if v.Tolerance == nil {
		v.Tolerance = defaults.Tolerance
	}
	for _, line := range v.HeadersBase64 {
		v.Headers = append(v.Headers, string(line))
	}
	return v
}

// errTypes stands for what the compiler refuses.
var errTypes = errors.New("Go's types rule this out")

func (v vector) newVerifier() (*posthorn.Verifier, error) {
	var secrets []string
	if json.Unmarshal(v.Secrets, &secrets) != nil {
		return nil, errTypes
	}
	var options []posthorn.Option
	if v.Tolerance != nil {
		var seconds *float64
		if json.Unmarshal(v.Tolerance, &seconds) != nil || seconds == nil {
			return nil, errTypes
		}
		options = append(options, posthorn.WithTolerance(time.Duration(*seconds*float64(time.Second))))
	}
	if v.Now != nil {
		options = append(options, posthorn.WithClock(func() time.Time { return time.Unix(*v.Now, 999_999_999) }))
	}
	return posthorn.NewVerifier(secrets, options...)
}

func TestARequestGetsTheVerdictOfItsVector(t *testing.T) {
	file := readVectors(t)
	for _, one := range file.Verify {
		t.Run(one.ID, func(t *testing.T) {
			one = one.or(file.Defaults)
			verifier, err := one.newVerifier()
			if err != nil {
				t.Fatal(err)
			}
			header := http.Header{"X-Service-Signature": one.Headers}
			want := one.Expect

			verified, err := verifier.Verify(one.BodyBase64, header)

			if want.Result == "reject" {
				expectError(t, err, want.Code, 401)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			seconds, _ := strconv.ParseInt(want.Timestamp, 10, 64)
			if verified.Timestamp.Unix() != seconds ||
				verified.SecretIndex != want.SecretIndex || verified.PartName != want.PartName {
				t.Errorf("%+v instead of %+v", verified, want)
			}
			event, err := verifier.ConstructEvent(one.BodyBase64, header)
			switch {
			case want.Payload == "event" && (err != nil || event.ID != "evt_1"):
				t.Error(event, err)
			case want.Payload != "event" && want.Payload != "":
				expectError(t, err, want.Payload, 400)
			}
		})
	}
}

func TestAConfigurationErrorPreventsStartup(t *testing.T) {
	for _, one := range readVectors(t).Config {
		t.Run(one.ID, func(t *testing.T) {
			if _, err := one.newVerifier(); err != errTypes {
				expectError(t, err, one.Expect.Code, 500)
			}
		})
	}
}

func TestSignsAsTheServiceDoes(t *testing.T) {
	for _, one := range readVectors(t).Sign {
		t.Run(one.ID, func(t *testing.T) {
			var secrets []string
			if err := json.Unmarshal(one.Secrets, &secrets); err != nil {
				t.Fatal(err)
			}
			line, err := posthorn.Sign(one.BodyBase64, secrets, time.Unix(one.Timestamp, 0))
			if err != nil || line != one.ExpectHeader {
				t.Error(line, err)
			}
		})
	}
}

func expectError(t *testing.T, err error, code string, status int) {
	t.Helper()
	var known *posthorn.Error
	if !errors.As(err, &known) || string(known.Code) != code || known.Status() != status {
		t.Errorf("%v instead of %s, %d", err, code, status)
	}
}

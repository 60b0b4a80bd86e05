package posthorn_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	posthorn "github.com/posthorn/posthorn/receivers/go"
)

const (
	secret = "whsec_test_0123456789abcdef0123456789abcdef"
	staged = "whsec_test_fedcba9876543210fedcba9876543210"
	body   = `{"id":"evt_1","type":"email.bounced","data":{"recipient":"ann@example.org","attempts":1.5}}`
)

func newVerifier(t testing.TB, options ...posthorn.Option) *posthorn.Verifier {
	t.Helper()
	verifier, err := posthorn.NewVerifier([]string{secret}, options...)
	if err != nil {
		t.Fatal(err)
	}
	return verifier
}

func signed(t testing.TB, body string, at time.Time, secrets ...string) http.Header {
	t.Helper()
	line, err := posthorn.Sign([]byte(body), secrets, at)
	if err != nil {
		t.Fatal(err)
	}
	return http.Header{"X-Service-Signature": {line}}
}

func TestASecretThatCannotWorkIsExplained(t *testing.T) {
	for _, one := range []struct {
		secret string
		code   posthorn.Code
		words  string
	}{
		{"", posthorn.ErrSecretEmpty, "Is the environment variable set?"},
		{"whsec_", posthorn.ErrSecretEmpty, "Is the environment variable set?"},
		{secret + "\n", posthorn.ErrSecretWhitespace, "strings.TrimSpace"},
		{secret + "\u00a0", posthorn.ErrSecretWhitespace, "strings.TrimSpace"},
		{"whsec_test", posthorn.ErrSecretTooShort, "secret_prefix is only its beginning"},
		{`"` + secret + `"`, posthorn.ErrSecretWrongKind, "without quotes"},
		{"secret_is_" + secret, posthorn.ErrSecretWrongKind, "without quotes or a name"},
		{strings.Repeat("a", 43), posthorn.ErrSecretWrongKind, "whole secret (whsec_…)"},
		{secret + "\u0085", posthorn.ErrSecretWrongKind, "not the secret of an endpoint"},
		{secret + "\xff", posthorn.ErrSecretWrongKind, "not the secret of an endpoint"},
	} {
		_, err := posthorn.NewVerifier([]string{secret, one.secret})
		if !errors.Is(err, one.code) || !strings.Contains(err.Error(), one.words) || strings.Contains(err.Error(), secret) {
			t.Errorf("%q: %v", one.secret, err)
		}
		if _, err := posthorn.Sign([]byte(body), []string{one.secret}, time.Now()); !errors.Is(err, one.code) {
			t.Errorf("%q: %v", one.secret, err)
		}
	}
}

func TestAnyChangedDigitOfASignatureIsRefused(t *testing.T) {
	line := signed(t, body, time.Now(), secret).Get("X-Service-Signature")
	for at := strings.Index(line, "v1=") + len("v1="); at < len(line); at++ {
		digit := "0"
		if line[at] == '0' {
			digit = "1"
		}
		header := http.Header{"X-Service-Signature": {line[:at] + digit + line[at+1:]}}
		if _, err := newVerifier(t).Verify([]byte(body), header); !errors.Is(err, posthorn.ErrSignatureMismatch) {
			t.Errorf("digit %d: %v", at, err)
		}
	}
}

func TestAnOptionThatCannotWorkIsRefused(t *testing.T) {
	for _, one := range []struct {
		option posthorn.Option
		code   posthorn.Code
	}{
		{posthorn.WithTolerance(300), posthorn.ErrToleranceInvalid},
		{posthorn.WithTolerance(-time.Second), posthorn.ErrToleranceInvalid},
		{posthorn.WithHeaderName("x y"), posthorn.ErrOptionInvalid},
		{posthorn.WithHeaderName(""), posthorn.ErrOptionInvalid},
		{posthorn.WithMaxBodyBytes(0), posthorn.ErrOptionInvalid},
		{posthorn.WithClock(nil), posthorn.ErrOptionInvalid},
	} {
		if _, err := posthorn.NewVerifier([]string{secret}, one.option); !errors.Is(err, one.code) {
			t.Errorf("%v instead of %s", err, one.code)
		}
	}
	_, err := posthorn.NewVerifier([]string{secret}, posthorn.WithTolerance(300))
	if !strings.Contains(err.Error(), "300 nanoseconds") {
		t.Error(err)
	}
}

func TestABodyThatWasEncodedAgainIsExplained(t *testing.T) {
	header := signed(t, body, time.Now(), secret)
	_, err := newVerifier(t).Verify([]byte(strings.ReplaceAll(body, ":", ": ")), header)
	if !errors.Is(err, posthorn.ErrSignatureMismatch) || !strings.Contains(err.Error(), "do not decode, trim, convert") {
		t.Error(err)
	}
	_, err = newVerifier(t).Verify(nil, header)
	if !errors.Is(err, posthorn.ErrSignatureMismatch) || !strings.Contains(err.Error(), "did something read it") {
		t.Error(err)
	}
}

func TestASecretIsNeverPrinted(t *testing.T) {
	verifier := newVerifier(t)
	// fmt cannot call methods of a field that is not exported.
	hidden := struct{ verifier posthorn.Verifier }{*verifier}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
		for _, value := range []any{verifier, *verifier, &posthorn.Receiver{Verifier: verifier}, hidden} {
			// go vet refuses a verb that is not a constant.
			printed := fmt.Sprintf(strings.Clone(verb), value)
			if strings.Contains(printed, "whsec_") || strings.Contains(printed, fmt.Sprintf("%x", "whsec_")) {
				t.Errorf("%s prints %s", verb, printed)
			}
		}
	}
}

func TestEveryErrorIsExplainedAndHasAStatus(t *testing.T) {
	statuses := map[posthorn.Code]int{
		posthorn.ErrHeaderMissing: 401, posthorn.ErrHeaderMalformed: 401, posthorn.ErrHeaderAmbiguous: 401,
		posthorn.ErrTimestampMissing: 401, posthorn.ErrTimestampMalformed: 401, posthorn.ErrSignatureMissing: 401,
		posthorn.ErrSignatureMismatch: 401, posthorn.ErrTimestampTooOld: 401, posthorn.ErrTimestampInFuture: 401,
		posthorn.ErrPayloadTooLarge: 413, posthorn.ErrPayloadNotJSON: 400, posthorn.ErrPayloadNotEvent: 400,
		posthorn.ErrEventChanged: 400, posthorn.ErrBodyMissing: 400, posthorn.ErrSecretMissing: 500,
		posthorn.ErrSecretEmpty: 500, posthorn.ErrSecretWhitespace: 500, posthorn.ErrSecretTooShort: 500,
		posthorn.ErrSecretWrongKind: 500, posthorn.ErrSecretsTooMany: 500, posthorn.ErrToleranceInvalid: 500,
		posthorn.ErrOptionInvalid: 500, posthorn.ErrBodyAlreadyConsumed: 500, posthorn.ErrBodyAlreadyParsed: 500,
		posthorn.ErrCryptoUnavailable: 500, posthorn.ErrStoreUnavailable: 503,
	}
	for code, status := range statuses {
		err := &posthorn.Error{Code: code}
		words := strings.TrimPrefix(err.Error(), "posthorn: "+string(code)+": ")
		if err.Status() != status || len(words) < 20 || !strings.ContainsAny(words[len(words)-1:], ".?") {
			t.Errorf("%d %s", err.Status(), err)
		}
	}
}

func TestErrorsWorkWithIsAndAs(t *testing.T) {
	old := signed(t, body, time.Now().Add(-10*time.Minute), secret)
	_, err := newVerifier(t).Verify([]byte(body), old)
	wrapped := fmt.Errorf("hooks: %w", err)
	var refused *posthorn.Error
	if !errors.As(wrapped, &refused) || refused.Code != posthorn.ErrTimestampTooOld || refused.Status() != 401 {
		t.Error(wrapped)
	}
	if !errors.Is(wrapped, posthorn.ErrTimestampTooOld) || errors.Is(wrapped, posthorn.ErrTimestampInFuture) {
		t.Error(wrapped)
	}
	if _, err := newVerifier(t, posthorn.WithTolerance(0)).Verify([]byte(body), old); err != nil {
		t.Error(err)
	}
}

func TestHeadersAreFoundByNameInAnySpelling(t *testing.T) {
	line := signed(t, body, time.Now(), secret).Get("X-Service-Signature")
	renamed := newVerifier(t, posthorn.WithHeaderName("X-ACME-signature"))
	for _, one := range []struct {
		verifier *posthorn.Verifier
		header   http.Header
		code     error
	}{
		{newVerifier(t), http.Header{"x-SERVICE-signature": {line}}, nil},
		{newVerifier(t), http.Header{"X-Service-Signature": {"t, v1, " + line}}, nil},
		{renamed, http.Header{"X-Acme-Signature": {line}}, nil},
		{renamed, http.Header{"X-Service-Signature": {line}}, posthorn.ErrHeaderMissing},
		{newVerifier(t), http.Header{"X-Service-Signature": {line, line}}, posthorn.ErrHeaderAmbiguous},
		{newVerifier(t), http.Header{"X-Service-Signature": {line}, "x-service-signature": {line}}, posthorn.ErrHeaderAmbiguous},
		{newVerifier(t), nil, posthorn.ErrHeaderMissing},
	} {
		if _, err := one.verifier.Verify([]byte(body), one.header); !errors.Is(err, one.code) {
			t.Errorf("%v: %v instead of %v", one.header, err, one.code)
		}
	}
}

func TestAMissingHeaderIsNamed(t *testing.T) {
	_, err := newVerifier(t, posthorn.WithHeaderName("X-Acme-Signature")).Verify([]byte(body), nil)
	if !strings.Contains(err.Error(), "expected X-Acme-Signature") {
		t.Error(err)
	}
}

func TestATimestampInMillisecondsIsExplained(t *testing.T) {
	header := signed(t, body, time.Unix(time.Now().UnixMilli(), 0), secret)
	_, err := newVerifier(t).Verify([]byte(body), header)
	if !errors.Is(err, posthorn.ErrTimestampInFuture) || !strings.Contains(err.Error(), "milliseconds") {
		t.Error(err)
	}
}

func constructEvent(t *testing.T, body string) (*posthorn.Event, error) {
	return newVerifier(t).ConstructEvent([]byte(body), signed(t, body, time.Now(), secret))
}

func TestKnownTypesHaveTypedDataAndUnknownTypesAreKept(t *testing.T) {
	event, err := constructEvent(t, body)
	if err != nil {
		t.Fatal(err)
	}
	bounced, ok := event.Data.(*posthorn.Bounced)
	if !ok || bounced.Recipient != "ann@example.org" || bounced.Attempts != 0 || !event.Type.Known() {
		t.Errorf("%+v", event)
	}

	later, err := constructEvent(t,
		`{"id":"evt_2","type":"email.opened","data": {"a":1},"created_at":"2026-01-02T03:04:05.678Z"}`)
	if err != nil {
		t.Fatal(err)
	}
	if later.Type.Known() || later.Data != nil || string(later.RawData) != `{"a":1}` || later.CreatedAt.Nanosecond() != 678e6 {
		t.Errorf("%+v", later)
	}
}

func TestOddJSONGetsTheSameVerdictAsInJavaScript(t *testing.T) {
	emoji := strings.Repeat("😀", 127)
	for _, one := range []struct {
		json string
		code error
	}{
		{`{"id":"e","type":"t","data":{"subject":"a \ud83d"}}`, nil},
		{`{"id":"e\udc00","type":"t"}`, nil},
		{`{"id":"e","type":"t","n":[1e999,-0,12345678901234567890]}`, nil},
		{`{"id":0,"id":"e","type":"t"}`, nil},
		{`{"id":"` + emoji + `a","type":"t"}`, nil},
		{`{"id":"` + emoji + `aa","type":"t"}`, posthorn.ErrPayloadNotEvent},
		{`{"ID":"e","type":"t"}`, posthorn.ErrPayloadNotEvent},
		{`{"id":"e","type":"t","ID":"other"}`, nil},
		{`{"id":"e","type":null}`, posthorn.ErrPayloadNotEvent},
		{`{"id":"e","type":"t","data":null}`, posthorn.ErrPayloadNotEvent},
		{`{"id":"e","type":"t","data": []}`, posthorn.ErrPayloadNotEvent},
		{"[\"\xff\"]", posthorn.ErrPayloadNotJSON},
		{"{\"id\":\"e\",\"type\":\"t\",\"data\":{\"a\":\"\xff\"}}", posthorn.ErrPayloadNotJSON},
		{"\ufeff\ufeff{}", posthorn.ErrPayloadNotJSON},
	} {
		event, err := constructEvent(t, one.json)
		if !errors.Is(err, one.code) {
			t.Errorf("%s: %v instead of %v", one.json, err, one.code)
		}
		if err == nil && !strings.HasPrefix(event.ID, "e") && event.ID != emoji+"a" {
			t.Errorf("%s: %s", one.json, event.ID)
		}
	}
}

// Package posthorn verifies the signed webhooks of Posthorn.
//
// A [Receiver] is the HTTP handler of a whole receiver. A [Verifier] only verifies. Both are safe for concurrent use.
package posthorn

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// A Verifier verifies that webhooks come from Posthorn and were not changed on the way. Create it with [NewVerifier].
type Verifier struct {
	// Functions, because a dump shows the content of every field.
	macs         []macFunc
	tolerance    time.Duration
	headerName   string
	maxBodyBytes int64
	now          func() time.Time
}

// An Option changes a default of [NewVerifier].
type Option func(*Verifier)

// WithTolerance sets how far the time in the signature may be from the clock, in whole seconds. The default is 5 minutes.
// 0 turns the check off, for tests or for old requests after a long outage.
func WithTolerance(tolerance time.Duration) Option {
	return func(v *Verifier) { v.tolerance = tolerance }
}

// WithHeaderName sets the name of the signature header. The default is X-Service-Signature. With X-Acme-Signature, a
// [Receiver] answers with X-Acme-Verified.
func WithHeaderName(name string) Option {
	return func(v *Verifier) { v.headerName = name }
}

// WithMaxBodyBytes sets the largest body that a [Receiver] reads. The default is 1 MiB.
func WithMaxBodyBytes(bytesMax int64) Option {
	return func(v *Verifier) { v.maxBodyBytes = bytesMax }
}

// WithClock sets the clock. The default is [time.Now].
func WithClock(now func() time.Time) Option {
	return func(v *Verifier) { v.now = now }
}

// NewVerifier takes the secrets of the endpoint, newest first: usually one, and up to ten. It refuses secrets and options
// that can only be a mistake, so that they fail when the program starts and not at the first delivery.
func NewVerifier(secrets []string, options ...Option) (*Verifier, error) {
	if err := checkSecrets(secrets); err != nil {
		return nil, err
	}
	v := &Verifier{
		macs:         make([]macFunc, len(secrets)),
		tolerance:    5 * time.Minute,
		headerName:   "X-Service-Signature",
		maxBodyBytes: 1 << 20,
		now:          time.Now,
	}
	for i, secret := range secrets {
		v.macs[i] = macWith(secret)
	}
	for _, option := range options {
		option(v)
	}
	switch {
	case v.tolerance < 0 || v.tolerance%time.Second != 0:
		return nil, fault(ErrToleranceInvalid, v.tolerance.String())
	case !headerNames.MatchString(v.headerName):
		return nil, fault(ErrOptionInvalid, "header name")
	case v.maxBodyBytes < 1:
		return nil, fault(ErrOptionInvalid, "max body bytes")
	case v.now == nil:
		return nil, fault(ErrOptionInvalid, "clock")
	}
	return v, nil
}

// verifiedName is the name of the answer header that shows which secrets a receiver has.
func (v *Verifier) verifiedName() string {
	const ending = "-signature"
	if at := len(v.headerName) - len(ending); at > 0 && strings.EqualFold(v.headerName[at:], ending) {
		return v.headerName[:at] + "-Verified"
	}
	return "X-Service-Verified"
}

// Format keeps the secrets out of logs.
func (v Verifier) Format(s fmt.State, _ rune) {
	fmt.Fprintf(s, "posthorn.Verifier with %d secrets", len(v.macs))
}

// Verified is the result for a verified request.
type Verified struct {
	// Timestamp is the time in the signature header.
	Timestamp time.Time
	// SecretIndex is the first configured secret that matched, and PartName the part that it matched: v1, v1s, v1s2 and so on.
	SecretIndex int
	PartName    string
	// Matches has every part that matched, in header order. During a rotation there are several.
	Matches []Match
}

// A Match is a part of the signature header that matches a configured secret.
type Match struct {
	PartName    string
	SecretIndex int
}

// Parts is the value of the answer header X-Service-Verified: the names of all parts that matched, in header order.
func (v *Verified) Parts() string {
	var names []string
	seen := map[string]bool{}
	for _, match := range v.Matches {
		if !seen[match.PartName] {
			seen[match.PartName] = true
			names = append(names, match.PartName)
		}
	}
	return strings.Join(names, ",")
}

// Verify checks the signature of a body and then its timestamp. Pass the bytes that arrived: if you decode JSON and encode
// it again, the signature does not match. If you have only the value of the signature header, pass
//
//	http.Header{"X-Service-Signature": {value}}
func (v *Verifier) Verify(body []byte, header http.Header) (*Verified, error) {
	line, err := v.lineOf(header)
	if err != nil {
		return nil, err
	}
	t, signatures, err := parseHeader(line, v.headerName)
	if err != nil {
		return nil, err
	}
	matches := v.match(t, body, signatures)
	if len(matches) == 0 {
		detail := ""
		if len(body) == 0 {
			detail = "the body is empty; did something read it before?"
		}
		return nil, fault(ErrSignatureMismatch, detail)
	}
	first := matches[0]
	for _, match := range matches {
		if match.SecretIndex < first.SecretIndex {
			first = match
		}
	}
	// At most 15 digits, so it cannot fail.
	seconds, _ := strconv.ParseInt(t, 10, 64)
	// Checked last: a timestamp error proves that the secret is right, and forged requests learn nothing of the clock.
	if err := v.checkFreshness(seconds); err != nil {
		return nil, err
	}
	return &Verified{time.Unix(seconds, 0).UTC(), first.SecretIndex, first.PartName, matches}, nil
}

// ConstructEvent verifies and then parses. The type of the event may be unknown to this version: see [Event].
func (v *Verifier) ConstructEvent(body []byte, header http.Header) (*Event, error) {
	if _, err := v.Verify(body, header); err != nil {
		return nil, err
	}
	return parseEvent(body)
}

func (v *Verifier) lineOf(header http.Header) (string, error) {
	var lines []string
	for name, values := range header {
		// Two spellings of the same name count as two headers, because choosing one would be ambiguous.
		if strings.EqualFold(name, v.headerName) {
			lines = append(lines, values...)
		}
	}
	switch len(lines) {
	case 0:
		return "", fault(ErrHeaderMissing, "expected "+v.headerName)
	case 1:
		return lines[0], nil
	default:
		return "", fault(ErrHeaderAmbiguous, "")
	}
}

// match compares every signature with every secret, without stopping at a match.
func (v *Verifier) match(t string, body []byte, signatures []signature) []Match {
	macs := make([][]byte, len(v.macs))
	for i, mac := range v.macs {
		macs[i] = mac(t, body)
	}
	var matches []Match
	for _, signature := range signatures {
		for secretIndex, mac := range macs {
			// Compares in constant time.
			if hmac.Equal(signature.mac, mac) {
				matches = append(matches, Match{signature.partName, secretIndex})
			}
		}
	}
	return matches
}

func (v *Verifier) checkFreshness(seconds int64) error {
	age := v.now().Unix() - seconds
	tolerance := int64(v.tolerance / time.Second)
	if tolerance == 0 || -tolerance <= age && age <= tolerance {
		return nil
	}
	detail := fmt.Sprintf("t is %d s behind the clock", age)
	if seconds > 100_000_000_000 {
		detail += "; it looks like milliseconds"
	}
	if age > 0 {
		return fault(ErrTimestampTooOld, detail)
	}
	return fault(ErrTimestampInFuture, detail)
}

// Sign returns the value of X-Service-Signature for a body, so that no test has to turn off verification. The primary
// secret comes first and signs as v1; staged ones sign as v1s and v1s2.
func Sign(body []byte, secrets []string, at time.Time) (string, error) {
	if err := checkSecrets(secrets); err != nil {
		return "", err
	}
	t := strconv.FormatInt(at.Unix(), 10)
	line := "t=" + t
	for i, secret := range secrets {
		name := "v1"
		if i > 0 {
			name += "s"
		}
		if i > 1 {
			name += strconv.Itoa(i)
		}
		line += "," + name + "=" + hex.EncodeToString(macWith(secret)(t, body))
	}
	return line, nil
}

// A macFunc computes the signature of a body that was signed at t.
type macFunc func(t string, body []byte) []byte

func macWith(secret string) macFunc {
	return func(t string, body []byte) []byte {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(t + "."))
		mac.Write(body)
		return mac.Sum(nil)
	}
}

type signature struct {
	partName string
	mac      []byte
}

var (
	headerNames = regexp.MustCompile(`^[\w-]+$`)
	// Text before whsec_, a character that no secret has, another credential, an id, or a missing prefix.
	wrongKinds = regexp.MustCompile(`.whsec_|[^\w+/=-]|^(ph[ak]|whk?)_|^[^_]{43,44}$`)
)

// parseHeader parses `t=<unix-seconds>,v1=<hex>,v1s=<hex>…`. It ignores other parts, so that the service can extend the
// header. It returns the text of t as received, because the HMAC covers it.
func parseHeader(line, name string) (string, []signature, error) {
	if strings.Trim(line, " \t") == "" {
		return "", nil, fault(ErrHeaderMissing, "expected "+name)
	}
	if len(line) > 4096 || strings.ContainsFunc(line, isNotText) {
		return "", nil, fault(ErrHeaderMalformed, "too long or not ASCII")
	}
	var times []string
	var signatures []signature
	for _, piece := range strings.Split(line, ",") {
		name, value, hasValue := strings.Cut(strings.Trim(piece, " \t"), "=")
		if name == "t" && hasValue {
			times = append(times, value)
		} else if isSignatureName(name) {
			if mac, err := hex.DecodeString(value); err == nil && len(mac) == sha256.Size {
				signatures = append(signatures, signature{name, mac})
			}
		}
	}
	switch {
	case len(times) > 1:
		return "", nil, fault(ErrHeaderMalformed, "more than one t")
	case len(times) == 0:
		return "", nil, fault(ErrTimestampMissing, "")
	case times[0] == "" || len(times[0]) > 15 || !isDigits(times[0]):
		return "", nil, fault(ErrTimestampMalformed, "")
	case len(signatures) == 0:
		return "", nil, fault(ErrSignatureMissing, "")
	}
	return times[0], signatures, nil
}

func isNotText(r rune) bool {
	return r != '\t' && (r < ' ' || r > '~')
}

// isSignatureName accepts v1, v1s, v1s2 and so on.
func isSignatureName(name string) bool {
	rest, ok := strings.CutPrefix(name, "v1")
	return ok && (rest == "" || rest[0] == 's' && isDigits(rest[1:]))
}

func isDigits(text string) bool {
	return strings.Trim(text, "0123456789") == ""
}

// checkSecrets refuses secrets that can only be a mistake. An empty secret is the worst, because anyone can sign with it.
func checkSecrets(secrets []string) error {
	if len(secrets) == 0 {
		return fault(ErrSecretMissing, "")
	}
	if len(secrets) > 10 {
		return fault(ErrSecretsTooMany, "")
	}
	for _, secret := range secrets {
		if secret == "" || secret == "whsec_" {
			return fault(ErrSecretEmpty, "")
		}
	}
	for _, secret := range secrets {
		switch {
		case strings.ContainsFunc(secret, isSpace):
			return fault(ErrSecretWhitespace, "")
		case wrongKinds.MatchString(secret):
			return fault(ErrSecretWrongKind, "")
		// secret_prefix from the API has 10 characters and must not pass as a secret.
		case len(secret) < 24:
			return fault(ErrSecretTooShort, "")
		}
	}
	return nil
}

// isSpace is JavaScript's white space, so that every library refuses the same secrets with the same code.
func isSpace(r rune) bool {
	return r == '\ufeff' || r != '\u0085' && unicode.IsSpace(r)
}

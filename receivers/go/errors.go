package posthorn

import "net/http"

// An Error is any error of this package. Its text explains the code in words. Write it to your log, never into a response.
//
//	var refused *posthorn.Error
//	if errors.As(err, &refused) { http.Error(w, "refused", refused.Status()) }
type Error struct {
	Code   Code
	detail string
	cause  error
}

func fault(code Code, detail string) *Error {
	return &Error{Code: code, detail: detail}
}

// Error returns the code, its explanation, and what is known of this case.
func (e *Error) Error() string {
	text := "posthorn: " + string(e.Code) + ": " + inWords[e.Code]
	if e.detail != "" {
		text += " (" + e.detail + ")"
	}
	if e.cause != nil {
		text += ": " + e.cause.Error()
	}
	return text
}

// Is makes errors.Is(err, posthorn.ErrSignatureMismatch) work.
func (e *Error) Is(target error) bool {
	return target == error(e.Code)
}

// Unwrap returns the error of the store or of the connection, if there was one.
func (e *Error) Unwrap() error {
	return e.cause
}

// Status is the HTTP status to answer with.
func (e *Error) Status() int {
	switch e.Code {
	case ErrHeaderMissing, ErrHeaderMalformed, ErrHeaderAmbiguous, ErrTimestampMissing, ErrTimestampMalformed,
		ErrSignatureMissing, ErrSignatureMismatch, ErrTimestampTooOld, ErrTimestampInFuture:
		return http.StatusUnauthorized
	case ErrPayloadNotJSON, ErrPayloadNotEvent, ErrEventChanged, ErrBodyMissing:
		return http.StatusBadRequest
	case ErrPayloadTooLarge:
		return http.StatusRequestEntityTooLarge
	case ErrStoreUnavailable:
		return http.StatusServiceUnavailable
	default:
		return http.StatusInternalServerError
	}
}

// A Code says what is wrong. The list is closed and the same in Posthorn's other libraries.
type Code string

// Error returns the code itself.
func (c Code) Error() string {
	return string(c)
}

// The request may not come from Posthorn. Answer 401 and do not process it.
const (
	ErrHeaderMissing      Code = "header_missing"
	ErrHeaderMalformed    Code = "header_malformed"
	ErrHeaderAmbiguous    Code = "header_ambiguous"
	ErrTimestampMissing   Code = "timestamp_missing"
	ErrTimestampMalformed Code = "timestamp_malformed"
	ErrSignatureMissing   Code = "signature_missing"
	ErrSignatureMismatch  Code = "signature_mismatch"
	ErrTimestampTooOld    Code = "timestamp_too_old"
	ErrTimestampInFuture  Code = "timestamp_in_future"
)

// The body cannot be used. Answer 400, or 413 if it is too large.
const (
	ErrPayloadTooLarge Code = "payload_too_large"
	ErrPayloadNotJSON  Code = "payload_not_json"
	ErrPayloadNotEvent Code = "payload_not_event"
	ErrEventChanged    Code = "event_changed"
	ErrBodyMissing     Code = "body_missing"
)

// A mistake in your program or its configuration. Answer 500 and log it.
const (
	ErrSecretMissing       Code = "secret_missing"
	ErrSecretEmpty         Code = "secret_empty"
	ErrSecretWhitespace    Code = "secret_whitespace"
	ErrSecretTooShort      Code = "secret_too_short"
	ErrSecretWrongKind     Code = "secret_wrong_kind"
	ErrSecretsTooMany      Code = "secrets_too_many"
	ErrToleranceInvalid    Code = "tolerance_invalid"
	ErrOptionInvalid       Code = "option_invalid"
	ErrBodyAlreadyConsumed Code = "body_already_consumed"
	// Go's types rule these two out. They are here because the list is the same in every language.
	ErrBodyAlreadyParsed Code = "body_already_parsed"
	ErrCryptoUnavailable Code = "crypto_unavailable"
)

// ErrStoreUnavailable means that the store of processed events failed. Answer 503, so that Posthorn sends the event again.
const ErrStoreUnavailable Code = "store_unavailable"

var inWords = map[Code]string{
	ErrHeaderMissing:       "The request has no signature header. Check that it comes from Posthorn and that no proxy removes it.",
	ErrHeaderMalformed:     "The signature header is longer than 4,096 bytes, is not ASCII, or has more than one t.",
	ErrHeaderAmbiguous:     "The request has the signature header more than once.",
	ErrTimestampMissing:    "The signature header has no t.",
	ErrTimestampMalformed:  "t in the signature header is not a number of 1 to 15 digits.",
	ErrSignatureMissing:    "The signature header has no v1, v1s or v1s2 with 64 hexadecimal characters.",
	ErrSignatureMismatch:   "No signature matches. Either the secret is the wrong one, or the body is not the bytes that arrived: do not decode, trim, convert or encode it again.",
	ErrTimestampTooOld:     "The request was signed too long ago. If every request fails like this, check the clock of this machine.",
	ErrTimestampInFuture:   "The request was signed in the future. If every request fails like this, check the clock of this machine.",
	ErrPayloadTooLarge:     "The body is larger than WithMaxBodyBytes allows.",
	ErrPayloadNotJSON:      "The signature is right, but the body is not JSON.",
	ErrPayloadNotEvent:     "The signature is right, but the body has no id, no type, or data that is not an object.",
	ErrEventChanged:        "This event arrived before with another body. The first body counts.",
	ErrSecretMissing:       "There is no secret. Pass the secret of the endpoint (whsec_…).",
	ErrSecretEmpty:         "A secret is empty, so anybody could sign with it. Is the environment variable set?",
	ErrSecretWhitespace:    "A secret contains a space or a line break. A file often ends with one: remove it with strings.TrimSpace. Use the whole secret (whsec_…), without quotes or a name.",
	ErrSecretTooShort:      "A secret is too short. secret_prefix is only its beginning. Use the whole secret (whsec_…), without quotes or a name.",
	ErrSecretWrongKind:     "This is not the secret of an endpoint. Use the whole secret (whsec_…), without quotes or a name.",
	ErrSecretsTooMany:      "There are more than ten secrets.",
	ErrToleranceInvalid:    "The tolerance must be whole seconds, 0 or more. Write 300*time.Second: a bare 300 is 300 nanoseconds. 0 turns the time check off.",
	ErrOptionInvalid:       "An option has a value that cannot work.",
	ErrBodyMissing:         "The body did not arrive completely. The sender closed the connection.",
	ErrBodyAlreadyParsed:   "The body was already parsed, and encoding it again does not restore the signed bytes. Pass the bytes that arrived.",
	ErrBodyAlreadyConsumed: "Something read the request body before, such as a JSON decoder or a middleware. Put the receiver before it, or let it set r.Body to the bytes that it read.",
	ErrCryptoUnavailable:   "HMAC-SHA256 is not available.",
	ErrStoreUnavailable:    "The store of processed events failed. Posthorn sends the event again.",
}

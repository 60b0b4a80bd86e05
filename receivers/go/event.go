package posthorn

import (
	"bytes"
	"encoding/json"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// An Event is the body of a webhook. Answer 2xx to events of unknown types too, or Posthorn sends them again.
type Event struct {
	// ID is unique and stays the same when the event is delivered again.
	ID string
	// Type may be unknown to this version, because Posthorn may add types.
	Type EventType
	// Data is *Delivered, *Bounced, *Failed, *Unsubscribed, *Complained, *Deferred or *Suppressed, or nil if this version does
	// not know the type. A field that is missing or of another type is zero.
	Data any
	// RawData is the JSON object of Data as it arrived, for any type. It is nil if the event has no data.
	RawData json.RawMessage
	// CreatedAt is when Posthorn created the event. It is zero if the event does not say so.
	CreatedAt time.Time
}

// An EventType is the kind of an event.
type EventType string

// The event types that this version knows.
const (
	EmailDelivered    EventType = "email.delivered"
	EmailBounced      EventType = "email.bounced"
	EmailFailed       EventType = "email.failed"
	EmailUnsubscribed EventType = "email.unsubscribed"
	EmailComplained   EventType = "email.complained"
	EmailDeferred     EventType = "email.deferred"
	EmailSuppressed   EventType = "email.suppressed"
)

// Known reports whether this version knows the type.
func (t EventType) Known() bool {
	return t.newData() != nil
}

func (t EventType) newData() any {
	switch t {
	case EmailDelivered:
		return new(Delivered)
	case EmailBounced:
		return new(Bounced)
	case EmailFailed:
		return new(Failed)
	case EmailUnsubscribed:
		return new(Unsubscribed)
	case EmailComplained:
		return new(Complained)
	case EmailDeferred:
		return new(Deferred)
	case EmailSuppressed:
		return new(Suppressed)
	default:
		return nil
	}
}

// Limited because ids become keys in stores and types become labels.
const nameCharactersMax = 255

// parseEvent parses verified bytes. As usual in JSON, the last of duplicate keys wins.
func parseEvent(body []byte) (*Event, error) {
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	// encoding/json would replace invalid UTF-8 silently.
	if !utf8.Valid(body) || !json.Valid(body) {
		return nil, fault(ErrPayloadNotJSON, "")
	}
	// A map, because the fields of a struct would also accept the names in other cases, such as ID.
	var envelope map[string]json.RawMessage
	if json.Unmarshal(body, &envelope) != nil {
		return nil, fault(ErrPayloadNotEvent, "")
	}
	id, hasID := nameIn(envelope["id"])
	kind, hasType := nameIn(envelope["type"])
	data := envelope["data"]
	if !hasID || !hasType || data != nil && data[0] != '{' {
		return nil, fault(ErrPayloadNotEvent, "")
	}
	event := &Event{ID: id, Type: EventType(kind), RawData: data, Data: EventType(kind).newData()}
	if event.Data != nil && data != nil {
		// The JSON is valid, so it fails only for a field of another type, which stays zero.
		_ = json.Unmarshal(data, event.Data)
	}
	if created, ok := nameIn(envelope["created_at"]); ok {
		event.CreatedAt, _ = time.Parse(time.RFC3339, created)
	}
	return event, nil
}

func nameIn(value json.RawMessage) (string, bool) {
	var name *string
	if json.Unmarshal(value, &name) != nil || name == nil || *name == "" {
		return "", false
	}
	// JavaScript counts a character above U+FFFF twice, and every library must set the same limit.
	return *name, len(utf16.Encode([]rune(*name))) <= nameCharactersMax
}

// EmailData has the fields that all known types share. Times are RFC 3339.
type EmailData struct {
	EmailID    string            `json:"email_id"`
	To         []string          `json:"to"`
	OccurredAt string            `json:"occurred_at"`
	MessageID  string            `json:"message_id"`
	From       string            `json:"from"`
	Subject    string            `json:"subject"`
	Tags       map[string]string `json:"tags"`
	// Metadata has strings, float64s, bools and nils.
	Metadata map[string]any `json:"metadata"`
	SentAt   string         `json:"sent_at"`
}

// Delivered means that the recipient's mail server accepted the email. A bounce may still follow.
type Delivered struct {
	EmailData
	RemoteMTA    *RemoteMTA    `json:"remote_mta"`
	SMTPResponse *SMTPResponse `json:"smtp_response"`
	Attempts     int           `json:"attempts"`
	TLS          *struct {
		Version string `json:"version"`
		Cipher  string `json:"cipher"`
	} `json:"tls"`
}

// Bounced is a confirmed permanent failure of the recipient's address.
type Bounced struct {
	EmailData
	Recipient string `json:"recipient"`
	Bounce    struct {
		// Type is "permanent".
		Type string `json:"type"`
		// Category is for example "invalid_recipient". Posthorn may add values.
		Category string `json:"category"`
		Message  string `json:"message"`
		// Timing is "synchronous" or "asynchronous".
		Timing string `json:"timing"`
		// Evidence is for example "enhanced_status_code". Posthorn may add values.
		Evidence       string `json:"evidence"`
		FinalRecipient string `json:"final_recipient"`
	} `json:"bounce"`
	SMTPResponse *SMTPResponse `json:"smtp_response"`
	RemoteMTA    *RemoteMTA    `json:"remote_mta"`
	ReportingMTA string        `json:"reporting_mta"`
	Attempts     int           `json:"attempts"`
	// DecidedBy says in one sentence what decided this. It is empty if the reporter decided.
	DecidedBy string `json:"decided_by"`
}

// Failed means that the email did not arrive because of an infrastructure, policy or signing failure.
type Failed struct {
	EmailData
	// Scope is "recipient" or "message".
	Scope   string `json:"scope"`
	Failure struct {
		// Category is "infrastructure", "policy" or "signing".
		Category       string `json:"category"`
		Reason         string `json:"reason"`
		Stage          string `json:"stage"`
		Message        string `json:"message"`
		Retryable      bool   `json:"retryable"`
		Expired        bool   `json:"expired"`
		Blocklist      string `json:"blocklist"`
		FinalRecipient string `json:"final_recipient"`
		Suppression    *struct {
			Reason string `json:"reason"`
			Since  string `json:"since"`
		} `json:"suppression"`
	} `json:"failure"`
	SMTPResponse *SMTPResponse `json:"smtp_response"`
	RemoteMTA    *RemoteMTA    `json:"remote_mta"`
	ReportingMTA string        `json:"reporting_mta"`
	Attempts     int           `json:"attempts"`
	// DecidedBy says in one sentence what decided this. It is empty if the reporter decided.
	DecidedBy string `json:"decided_by"`
}

// Unsubscribed means that the recipient unsubscribed or reported the email as spam.
type Unsubscribed struct {
	EmailData
	Recipient   string `json:"recipient"`
	Unsubscribe struct {
		// Source is for example "one_click" or "complaint". Posthorn may add values.
		Source string `json:"source"`
		Scope  struct {
			// Type is for example "all", "list" or "topic". Posthorn may add values.
			Type string `json:"type"`
			ID   string `json:"id"`
		} `json:"scope"`
		FeedbackType string `json:"feedback_type"`
		UserAgent    string `json:"user_agent"`
	} `json:"unsubscribe"`
}

// Complained means that the recipient reported the email as spam. Only endpoints that name the type get it.
type Complained struct {
	EmailData
	Recipient string `json:"recipient"`
	Complaint struct {
		FeedbackType string `json:"feedback_type"`
		UserAgent    string `json:"user_agent"`
	} `json:"complaint"`
}

// Deferred is the recipient's first deferral: the mail server tries again. Only endpoints that name the type get it.
type Deferred struct {
	EmailData
	Recipient string `json:"recipient"`
	Deferral  struct {
		// Category is "infrastructure", "policy" or "signing".
		Category string `json:"category"`
		Reason   string `json:"reason"`
		Message  string `json:"message"`
	} `json:"deferral"`
	SMTPResponse *SMTPResponse `json:"smtp_response"`
	RemoteMTA    *RemoteMTA    `json:"remote_mta"`
	ReportingMTA string        `json:"reporting_mta"`
	Attempts     int           `json:"attempts"`
}

// Suppressed means that the email was not sent, because the address is suppressed. Only endpoints that name the type get it.
type Suppressed struct {
	EmailData
	Suppression *struct {
		Reason string `json:"reason"`
		Since  string `json:"since"`
	} `json:"suppression"`
}

// SMTPResponse is the reply of a mail server.
type SMTPResponse struct {
	Code         *int    `json:"code"`
	EnhancedCode *string `json:"enhanced_code"`
	Message      string  `json:"message"`
	Command      string  `json:"command"`
}

// RemoteMTA is the mail server that replied.
type RemoteMTA struct {
	Name string `json:"name"`
	IP   string `json:"ip"`
}

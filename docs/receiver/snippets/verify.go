package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	foreign  = regexp.MustCompile(`[^\t -~]`)
	partName = regexp.MustCompile(`^v1(s[0-9]*)?$`)
	digits   = regexp.MustCompile(`^[0-9]{1,15}$`)
)

// Verify returns nil if a signature matches a secret and the time is right. A tolerance of 0 turns the time check off. A
// negative one refuses every request.
func Verify(body []byte, header string, secrets []string, tolerance time.Duration, now time.Time) error {
	if len(header) > 4096 || foreign.MatchString(header) {
		return errors.New("header malformed")
	}
	var times []string
	var signatures [][]byte
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(strings.Trim(part, " \t"), "=")
		if name == "t" {
			times = append(times, value)
		} else if mac, err := hex.DecodeString(value); err == nil && len(mac) == sha256.Size && partName.MatchString(name) {
			signatures = append(signatures, mac)
		}
	}
	if len(times) != 1 || !digits.MatchString(times[0]) || len(signatures) == 0 {
		return errors.New("header malformed")
	}

	matched := false
	for _, secret := range secrets {
		if strings.TrimPrefix(secret, "whsec_") == "" {
			return errors.New("a webhook secret is empty")
		}
		// The key is the whole secret with its prefix. The message is t, a dot and the body, all as received.
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(times[0] + "."))
		mac.Write(body)
		sum := mac.Sum(nil)
		for _, signature := range signatures {
			matched = hmac.Equal(sum, signature) || matched
		}
	}
	if !matched {
		return errors.New("signature mismatch")
	}

	seconds, _ := strconv.ParseInt(times[0], 10, 64)
	age := now.Truncate(time.Second).Sub(time.Unix(seconds, 0))
	if tolerance != 0 && age.Abs() > tolerance {
		return errors.New("timestamp outside the tolerance")
	}
	return nil
}

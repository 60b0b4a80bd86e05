package posthorn_test

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"testing"
	"time"
)

// A verification without parsing, next to the bare HMAC of the same bytes.
func BenchmarkVerify(b *testing.B) {
	for _, bytes := range []int{512, 65_536} {
		body := make([]byte, bytes)
		_, _ = rand.Read(body)
		verifier := newVerifier(b)
		header := signed(b, string(body), time.Now(), secret)
		b.Run(fmt.Sprintf("HMAC/%d", bytes), func(b *testing.B) {
			for range b.N {
				mac := hmac.New(sha256.New, []byte(secret))
				mac.Write(body)
				mac.Sum(nil)
			}
		})
		b.Run(fmt.Sprintf("Verify/%d", bytes), func(b *testing.B) {
			for range b.N {
				if _, err := verifier.Verify(body, header); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

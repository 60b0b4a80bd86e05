// Holds verify.go against the shared vectors: go run verify.go check_vectors.go signature-vectors.json
package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"
)

type options struct {
	Now              int64    `json:"now"`
	ToleranceSeconds int64    `json:"toleranceSeconds"`
	Secrets          []string `json:"secrets"`
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var file struct {
		Defaults options           `json:"defaults"`
		Verify   []json.RawMessage `json:"verify"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		panic(err)
	}
	wrong := []string{}
	for _, raw := range file.Verify {
		// What the vector does not say stays as in the defaults.
		use := file.Defaults
		use.Secrets = append([]string(nil), file.Defaults.Secrets...)
		var vector struct {
			ID            string   `json:"id"`
			BodyBase64    []byte   `json:"bodyBase64"`
			Headers       []string `json:"headers"`
			HeadersBase64 []string `json:"headersBase64"`
			Expect        struct {
				Result string `json:"result"`
			} `json:"expect"`
		}
		if json.Unmarshal(raw, &use) != nil || json.Unmarshal(raw, &vector) != nil {
			panic(string(raw))
		}
		lines := vector.Headers
		for _, line := range vector.HeadersBase64 {
			bytes, _ := base64.StdEncoding.DecodeString(line)
			lines = append(lines, string(bytes))
		}
		result := "ok"
		if Verify(vector.BodyBase64, strings.Join(lines, ", "), use.Secrets, time.Duration(use.ToleranceSeconds)*time.Second, time.Unix(use.Now, 0)) != nil {
			result = "reject"
		}
		if result != vector.Expect.Result {
			wrong = append(wrong, vector.ID)
		}
	}
	fmt.Println(len(file.Verify), "vectors, wrong:", wrong)
	if len(wrong) > 0 {
		os.Exit(1)
	}
}

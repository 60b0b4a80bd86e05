// Says what verify.go makes of tolerances: go run verify.go check_tolerance.go BODY HEADER SECRET
// Each line of the input is a tolerance in seconds and the time at which the request arrives.
package main

import (
	"fmt"
	"os"
	"time"
)

func main() {
	for {
		var tolerance float64
		var now int64
		if _, err := fmt.Scan(&tolerance, &now); err != nil {
			return
		}
		limit := time.Duration(tolerance * float64(time.Second))
		if Verify([]byte(os.Args[1]), os.Args[2], []string{os.Args[3]}, limit, time.Unix(now, 0)) != nil {
			fmt.Println("reject")
		} else {
			fmt.Println("ok")
		}
	}
}

// The tests that need the rest of the repository or a database driver, apart so that users get no dependency.
module github.com/posthorn/posthorn/receivers/go/tests

go 1.22

require (
	github.com/lib/pq v1.10.9
	github.com/posthorn/posthorn/receivers/go v0.0.0
	github.com/standard-webhooks/standard-webhooks/libraries v0.0.1
)

replace github.com/posthorn/posthorn/receivers/go => ../

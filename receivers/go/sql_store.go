package posthorn

import (
	"context"
	"database/sql"
	"errors"
	"regexp"
	"time"
)

// A DB runs statements: an [sql.DB], [sql.Conn] or [sql.Tx].
type DB interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// An SQLStore remembers events in a table of PostgreSQL, or another database that understands its statements. It uses the
// clock of the process, so the clocks of several machines must agree to within the lease.
type SQLStore struct {
	db    DB
	table string
}

// Only names that need no quotes, because a table name cannot be a parameter.
var tableNames = regexp.MustCompile(`^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$`)

// NewSQLStore remembers events in a table, for example posthorn_dedupe. [SQLStore.Schema] creates it.
func NewSQLStore(db DB, table string) (*SQLStore, error) {
	if !tableNames.MatchString(table) {
		return nil, fault(ErrOptionInvalid, "a table name may have only lower-case letters, digits and _")
	}
	return &SQLStore{db, table}, nil
}

// Schema creates the table if it does not exist. Add it to your migrations. Expired rows do no harm; to remove them, delete
// those whose expires_at_ms is less than the current time in milliseconds.
func (s *SQLStore) Schema() string {
	return `create table if not exists ` + s.table + ` (
  id varchar(255) primary key,
  done smallint not null,
  digest char(64),
  expires_at_ms bigint not null
)`
}

// Claim is part of [Store].
func (s *SQLStore) Claim(ctx context.Context, id string, lease time.Duration, digest string) (State, string, error) {
	now := time.Now()
	// A single statement is atomic: of two concurrent claims, the second sees the row of the first. It never fails on a
	// conflict, because that would abort a transaction.
	result, err := s.db.ExecContext(ctx, `insert into `+s.table+` as t (id, done, expires_at_ms, digest)
		values ($1, 0, $2, $3)
		on conflict (id) do update
		set done = 0, expires_at_ms = excluded.expires_at_ms, digest = excluded.digest
		where t.expires_at_ms <= $4`,
		id, now.Add(lease).UnixMilli(), orNull(digest), now.UnixMilli())
	if err != nil {
		return 0, "", err
	}
	if changed, err := result.RowsAffected(); err != nil {
		return 0, "", err
	} else if changed > 0 {
		return StateClaimed, "", nil
	}
	var done int
	var known sql.NullString
	err = s.db.QueryRowContext(ctx, `select done, digest from `+s.table+` where id = $1`, id).Scan(&done, &known)
	switch {
	// Released between the two statements.
	case errors.Is(err, sql.ErrNoRows):
		return StateInProgress, "", nil
	case err != nil:
		return 0, "", err
	case done == 1:
		return StateDone, known.String, nil
	default:
		return StateInProgress, known.String, nil
	}
}

// Complete is part of [Store].
func (s *SQLStore) Complete(ctx context.Context, id string, ttl time.Duration, digest string) error {
	_, err := s.db.ExecContext(ctx, `insert into `+s.table+` (id, done, expires_at_ms, digest)
		values ($1, 1, $2, $3)
		on conflict (id) do update
		set done = 1, expires_at_ms = excluded.expires_at_ms, digest = excluded.digest`,
		id, time.Now().Add(ttl).UnixMilli(), orNull(digest))
	return err
}

// Release is part of [Store].
func (s *SQLStore) Release(ctx context.Context, id string) error {
	_, err := s.db.ExecContext(ctx, `delete from `+s.table+` where id = $1 and done = 0`, id)
	return err
}

func orNull(text string) sql.NullString {
	return sql.NullString{String: text, Valid: text != ""}
}

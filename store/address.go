package store

import (
	"errors"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"
)

// CheckAddress tells what is wrong with the address of a database, of Redis or of
// a storage, without asking there. It never shows the address, which may hold a
// password.
func CheckAddress(address string) error {
	kind, rest, _ := strings.Cut(address, ":")
	switch kind {
	case "sqlite":
		if rest == "" {
			return errors.New("needs the path of a file; accepted: sqlite:{path}")
		}
	case "postgres", "postgresql":
		if _, err := pgx.ParseConfig(address); err != nil {
			return errors.New("is no PostgreSQL address; accepted: postgres://user:password@host:port/database")
		}
	case "redis", "rediss":
		if _, err := redis.ParseURL(address); err != nil {
			return errors.New("is no Redis address; accepted: redis://user:password@host:port/number")
		}
	case "file":
		if strings.TrimPrefix(rest, "//") == "" {
			return errors.New("needs the path of a folder; accepted: file://{folder}")
		}
	case "s3":
		if u, err := url.Parse(address); err != nil || u.Host == "" {
			return errors.New("needs the name of a bucket; accepted: s3://{bucket}?endpoint=…&region=…")
		}
	}
	return nil
}

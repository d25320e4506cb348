package data

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/stdlib"
)

var postgres = &dialect{
	kind: "postgres", name: "PostgreSQL", example: "postgres://report:password@db.example.com/shop",
	open: openPostgres, explain: explainPostgres, argument: postgresArgument,
	escapeStrings: true, dollarQuotes: true, nestedComments: true, atVariables: true, casts: true, numbered: "$", begins: " select with values table show explain ",
}

func openPostgres(address string, _ []string) (*sql.DB, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, errAddress
	}
	if !choosesTLS(address) && os.Getenv("PGSSLMODE") == "" {
		requireTLS(&config.Config)
	}
	return sql.OpenDB(stdlib.GetConnector(*config, stdlib.OptionAfterConnect(nameTypes))), nil
}

// quotedValue is a value of an address that is written as words, name=value.
var quotedValue = regexp.MustCompile(`(?s)'(?:[^'\\]|\\.)*'`)

// choosesTLS says whether an address names a mode of TLS itself. A password that
// looks like it does not.
func choosesTLS(address string) bool {
	if u, err := url.Parse(address); err == nil && u.Scheme != "" {
		return u.Query().Has("sslmode")
	}
	words := strings.ReplaceAll(quotedValue.ReplaceAllString(address, "''"), " =", "=")
	return slices.ContainsFunc(strings.Fields(words), func(word string) bool { return strings.HasPrefix(word, "sslmode=") })
}

// requireTLS leaves no way to a server that goes without TLS, which the driver would
// take where the server has none; what an address asks for itself is another matter.
func requireTLS(c *pgconn.Config) {
	c.Fallbacks = slices.DeleteFunc(c.Fallbacks, func(f *pgconn.FallbackConfig) bool {
		return f.TLSConfig == nil && !strings.HasPrefix(f.Host, "/")
	})
}

// nameTypes names the types of PostgreSQL that the driver tells by number only.
func nameTypes(_ context.Context, conn *pgx.Conn) error {
	types := conn.TypeMap()
	for name, oid := range map[string]uint32{"money": 790, "_money": 791, "timetz": pgtype.TimetzOID, "_timetz": pgtype.TimetzArrayOID} {
		types.RegisterType(&pgtype.Type{Name: name, OID: oid, Codec: pgtype.TextCodec{}})
	}
	return nil
}

// postgresArgument is a value as text, so that the server reads it as what stands there
// wants it: a number may be compared with a column of text, and text with one of numbers.
func postgresArgument(v any) any {
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case time.Time:
		return v.Format("2006-01-02 15:04:05.999999999Z07:00")
	}
	return v
}

func explainPostgres(query string, err error) (message string, line int, ok bool) {
	var said *pgconn.PgError
	if !errors.As(err, &said) {
		return "", 0, false
	}
	message = said.Message
	if said.Hint != "" {
		message += " (" + said.Hint + ")"
	}
	return message, lineOfCharacter(query, int(said.Position)), true
}

// lineOfCharacter is the line of the n-th character, counted from 1. Replacing
// parameters changes no line.
func lineOfCharacter(query string, n int) int {
	if n < 1 {
		return 0
	}
	characters := []rune(query)
	return 1 + strings.Count(string(characters[:min(n-1, len(characters))]), "\n")
}

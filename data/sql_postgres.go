package data

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/lib/pq"
)

var postgres = &dialect{
	kind: "postgres", name: "PostgreSQL", example: "postgres://report:password@db.example.com/shop",
	open: openPostgres, explain: explainPostgres,
	escapeStrings: true, dollarQuotes: true, nestedComments: true, atVariables: true, casts: true, numbered: "$", begins: " select with values table show explain ",
}

func openPostgres(address string, _ []string) (*sql.DB, error) {
	return openWith(pq.NewConnector(address))
}

func explainPostgres(query string, err error) (message string, line int, ok bool) {
	var said *pq.Error
	if !errors.As(err, &said) {
		return "", 0, false
	}
	message = said.Message
	if said.Hint != "" {
		message += " (" + said.Hint + ")"
	}
	return message, lineOfCharacter(query, said.Position), true
}

// lineOfCharacter is the line of the n-th character, counted from 1. Replacing
// parameters changes no line.
func lineOfCharacter(query, position string) int {
	n := 0
	if _, err := fmt.Sscan(position, &n); err != nil || n < 1 {
		return 0
	}
	characters := []rune(query)
	return 1 + strings.Count(string(characters[:min(n-1, len(characters))]), "\n")
}

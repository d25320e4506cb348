package data

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-sql-driver/mysql"
	"github.com/lib/pq"
	mssql "github.com/microsoft/go-mssqldb"

	"github.com/quire-reports/quire/report"
)

// sqlProblem words what a driver says, with the line of the query where the
// driver tells it.
func sqlProblem(ctx context.Context, d *dialect, query *boundQuery, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var problem *report.Problem
	if errors.As(err, &problem) {
		return problem
	}
	message, line := driverError(query.text, err)
	var connect *connectError
	switch {
	case errors.As(err, &connect):
		return failed("settings.connection", "the %s database could not be reached: %s", d.name, message)
	case line > 0:
		p := failed("settings.query", "the query failed at line %d: %s", line, message)
		p.Line = line
		return p
	}
	p := failed("settings.query", "the query failed: %s", message)
	p.Line = lineInMessage(message)
	return p
}

var lineAtEnd = regexp.MustCompile(` at line (\d+)$`)

// lineInMessage is the line that MySQL and MariaDB name at the end of a message.
func lineInMessage(message string) int {
	if m := lineAtEnd.FindStringSubmatch(message); m != nil {
		line, _ := strconv.Atoi(m[1])
		return line
	}
	return 0
}

// driverError is a driver's message and the line it names.
func driverError(query string, err error) (message string, line int) {
	var postgres *pq.Error
	if errors.As(err, &postgres) {
		message = postgres.Message
		if postgres.Hint != "" {
			message += " (" + postgres.Hint + ")"
		}
		return message, lineOfCharacter(query, postgres.Position)
	}
	var server mssql.Error
	if errors.As(err, &server) {
		return server.Message, int(server.LineNo)
	}
	var my *mysql.MySQLError
	if errors.As(err, &my) {
		return my.Message, 0 // which tells the line itself; see lineInMessage
	}
	return strings.TrimPrefix(err.Error(), "pq: "), 0
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

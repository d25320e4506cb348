package data

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/report"
)

// sqlProblem words what a database says, with the line of the query where it
// tells it. What a driver says of the network stays in the log.
func (e *Env) sqlProblem(ctx context.Context, d *dialect, query *boundQuery, err error) error {
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
	var connect *connectError
	if errors.As(err, &connect) {
		return e.hidden(ctx, "settings.connection", fmt.Sprintf("the %s database could not be reached: %s", d.name, noConnection(d, connect.err)), err)
	}
	message, line, said := d.words(query.text, err)
	switch {
	case isLost(err):
		return e.hidden(ctx, "settings.query", fmt.Sprintf("the connection to the %s database was lost while the query ran", d.name), err)
	case !said:
		return e.hidden(ctx, "settings.query", "the query could not be run", err)
	case line > 0 && !strings.HasSuffix(message, fmt.Sprintf(" at line %d", line)):
		p := failed("settings.query", "the query failed at line %d: %s", line, message)
		p.Line = line
		return p
	}
	p := failed("settings.query", "the query failed: %s", message)
	p.Line = line
	return p
}

// words are what a database itself says, and the line it names. All that comes
// out of a file is.
func (d *dialect) words(query string, err error) (message string, line int, said bool) {
	if d.explain == nil {
		return err.Error(), 0, true
	}
	return d.explain(query, err)
}

// noConnection says why a database could not be reached.
func noConnection(d *dialect, err error) string {
	if _, _, said := d.words("", err); said {
		return "it refuses the user, the password or the database of the connection"
	}
	return egress.Plain(err)
}

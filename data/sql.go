package data

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/budget"
)

var sqlSource = define("sql", "SQL", "A query of a database.", loadSQL).from(sqlConnections()...)

type sqlSettings struct {
	Connection string     `json:"connection" label:"Connection" editor:"ref:connections" help:"Name of a database connection of the workspace."`
	Database   sqlInline  `json:"database" label:"Database" help:"The database itself, for reports that are run without a server."`
	Query      string     `json:"query" label:"Query" editor:"code" required:"true" help:"One statement. Parameters are :name, @name or {$params.x}; they are always bound, never pasted in."`
	Params     []sqlParam `json:"params" label:"Parameters" help:"Values of the query's parameters. Those not listed are the report's parameters of the same name." ask:"Values of the parameters in the query. Those that are not here are the parameters of the report with the same name." one:"Value"`
	Timeout    int        `json:"timeout" label:"Time limit (s)" min:"1" max:"3600" help:"Default: the server's."`
	MaxRows    int        `json:"maxRows" label:"Row limit" min:"1" help:"Default: the server's, which is also the most."`
	TimeZone   string     `json:"timeZone" label:"Time zone" help:"Zone of dates and times that the database keeps without one. Default: the report's."`
}

func (s *sqlSettings) validate(path string) report.Problems {
	if s.Database.Type == "" || dialects[s.Database.Type] != nil {
		return nil
	}
	var accepted []string
	for _, d := range sqlDialects() {
		accepted = append(accepted, d.kind)
	}
	return report.Problems{report.Problemf(report.JoinPath(path, "database.type"), "unknown value %q; accepted: %s", s.Database.Type, strings.Join(accepted, ", "))}
}

type sqlInline struct {
	Type    string `json:"type"`
	Address string `json:"address" help:"For example postgres://user@host/name, or the path of a SQLite file."`
}

type sqlParam struct {
	Name  string `json:"name" label:"Name" required:"true"`
	Value any    `json:"value" label:"Value" editor:"template" help:"A text template such as {$params.customerId}, or a constant." ask:"A value such as {$params.customerId}, or any text."`
}

func loadSQL(ctx context.Context, env *Env, s sqlSettings) (any, error) {
	conn, err := env.database(ctx, s)
	if err != nil {
		return nil, err
	}
	zone, err := s.zone(env)
	if err != nil {
		return nil, err
	}
	d := dialects[conn.Type]
	query, err := bindSQL(ctx, env, s, d)
	if err != nil {
		return nil, err
	}
	db, err := env.loader.databases.open(conn)
	if err != nil {
		return nil, err
	}
	timeout := env.loader.config.Timeout
	if s.Timeout > 0 {
		timeout = time.Duration(s.Timeout) * time.Second
	}
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	reader := &rowReader{dialect: d, zone: zone, now: env.Now, maxRows: env.loader.config.MaxRows, maxBytes: env.loader.config.MaxBytes, spend: budget.Batched(ctx)}
	if s.MaxRows > 0 {
		reader.maxRows = min(reader.maxRows, s.MaxRows)
	}
	rows, err := runQuery(limited, db, d, query, reader)
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		return nil, &report.Problem{Kind: report.TimedOut, Path: "settings.query", Message: fmt.Sprintf("the query took longer than its limit of %v", timeout)}
	}
	return rows, env.sqlProblem(ctx, d, query, err)
}

// database is the connection that a source names or carries.
func (e *Env) database(ctx context.Context, s sqlSettings) (*Connection, error) {
	if s.Connection == "" {
		if s.Database.Type == "" {
			return nil, failed("settings.connection", "no database connection is named")
		}
		if !e.loader.config.Inline {
			return nil, failed("settings.database", "a report on a server cannot carry its own database; make a connection and name it")
		}
		if problems := s.validate("settings"); len(problems) > 0 {
			return nil, problems[0]
		}
		return &Connection{Type: s.Database.Type, Address: report.Secret(s.Database.Address)}, nil
	}
	conn, err := e.connection(ctx, s.Connection)
	if err != nil {
		return nil, err
	}
	if dialects[conn.Type] == nil {
		return nil, failed("settings.connection", "the connection %q is one of type %s, not of a database", s.Connection, conn.Type)
	}
	return conn, nil
}

func (e *Env) connection(ctx context.Context, name string) (*Connection, error) {
	if e.loader.config.Connections == nil {
		return nil, failed("settings.connection", "there is no connection %q", name)
	}
	conn, err := e.loader.config.Connections.Connection(ctx, e.workspace, name)
	var problem *report.Problem
	if errors.As(err, &problem) {
		return nil, &report.Problem{Kind: report.Failed, Path: "settings.connection", Message: problem.Message}
	}
	return conn, err
}

func (s *sqlSettings) zone(env *Env) (*time.Location, error) {
	if s.TimeZone == "" {
		return env.Zone, nil
	}
	zone, err := time.LoadLocation(s.TimeZone)
	if err != nil || s.TimeZone == "Local" {
		return nil, failed("settings.timeZone", "unknown time zone %q; use an IANA name such as Europe/Belgrade", s.TimeZone)
	}
	return zone, nil
}

// runQuery runs a query in a transaction that reads only, where the database
// has that, and that is rolled back in any case.
func runQuery(ctx context.Context, db *sql.DB, d *dialect, query *boundQuery, reader *rowReader) ([]any, error) {
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: !d.noReadOnly})
	if err != nil {
		return nil, &connectError{err}
	}
	defer func() { _ = tx.Rollback() }()
	// A prepared statement is one statement, also in databases that would
	// otherwise run several.
	stmt, err := tx.PrepareContext(ctx, query.text)
	if err != nil {
		return nil, err
	}
	defer stmt.Close()
	rows, err := stmt.QueryContext(ctx, query.args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	return reader.read(rows)
}

// connectError is a database that could not be reached.
type connectError struct{ err error }

func (c *connectError) Error() string { return c.err.Error() }
func (c *connectError) Unwrap() error { return c.err }

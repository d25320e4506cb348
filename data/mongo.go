package data

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/budget"
)

var mongoConnections = report.ConnectionType{Name: "mongodb", Label: "MongoDB", Category: report.DatabaseConnection, Example: "mongodb://report:password@db.example.com/shop", RootOnly: true}

var mongoSource = define("mongodb", "MongoDB", "The result of a command of a MongoDB database.", loadMongo).from(mongoConnections)

type mongoSettings struct {
	Connection string `json:"connection" label:"Connection" editor:"ref:connections" help:"Name of a MongoDB connection of the workspace."`
	Address    string `json:"address" label:"Address" editor:"text" help:"Address of the server, such as mongodb://host:27017/shop, for reports that are run without a server of Quire."`
	Database   string `json:"database" label:"Database" editor:"text" help:"Name of the database, when the connection's address names none."`
	Function   string `json:"function" label:"Function" editor:"code" required:"true" help:"A function of $params that returns one command: {find, filter}, {aggregate, pipeline} or {distinct, key, query}. Nothing returned gives no rows."`
	Timeout    int    `json:"timeout" label:"Time limit (s)" min:"1" max:"3600" help:"Default: the server's."`
	MaxRows    int    `json:"maxRows" label:"Row limit" min:"1" help:"Default: the server's, which is also the most."`
}

func loadMongo(ctx context.Context, env *Env, s mongoSettings) (any, error) {
	conn, err := env.mongoConnection(ctx, s)
	if err != nil {
		return nil, err
	}
	res, err := env.callWith(ctx, "settings.function", s.Function, env.scriptArgs(true))
	if err != nil {
		return nil, err
	}
	if res.Values[0] == nil {
		return []any{}, nil
	}
	command, err := mongoCommand(res.Values[0])
	if err != nil {
		return nil, failed("settings.function", "%s", err)
	}
	client, database, err := env.loader.mongos.open(conn)
	if err != nil {
		return nil, err
	}
	if s.Database != "" && database != "" && s.Database != database {
		return nil, failed("settings.database", "the connection leads to the database %q; who writes reports cannot choose another", database)
	}
	database = cmp.Or(database, s.Database)
	if database == "" {
		return nil, failed("settings.database", "no database is named, neither here nor in the connection's address")
	}
	timeout := env.loader.config.Timeout
	if s.Timeout > 0 {
		timeout = time.Duration(s.Timeout) * time.Second
	}
	limited, cancel := withoutDeadline(ctx, timeout)
	defer cancel()
	if command[0].Key != "distinct" {
		command = append(command, bson.E{Key: "maxTimeMS", Value: timeout.Milliseconds()})
	}
	reader := &mongoReader{maxRows: env.loader.config.MaxRows, maxBytes: env.loader.config.MaxBytes, spend: budget.Batched(ctx)}
	if s.MaxRows > 0 {
		reader.maxRows = min(reader.maxRows, s.MaxRows)
	}
	rows, err := runMongo(limited, client.Database(database), command, reader)
	if err != nil && ctx.Err() == nil && limited.Err() != nil && !errors.As(err, new(mongo.ServerError)) && !isUnreachable(err) {
		return nil, &report.Problem{Kind: report.TimedOut, Path: "settings.function", Message: fmt.Sprintf("the command took longer than its limit of %v", timeout)}
	}
	return rows, env.mongoProblem(ctx, err)
}

// mongoConnection is the connection that a source names or carries.
func (e *Env) mongoConnection(ctx context.Context, s mongoSettings) (*Connection, error) {
	if s.Connection == "" {
		if s.Address == "" {
			return nil, failed("settings.connection", "no MongoDB connection is named")
		}
		if !e.loader.config.Inline {
			return nil, failed("settings.address", "a report on a server cannot carry its own database; make a connection and name it")
		}
		return &Connection{Type: mongoConnections.Name, Address: report.Secret(s.Address)}, nil
	}
	conn, err := e.connection(ctx, s.Connection)
	if err != nil {
		return nil, err
	}
	if conn.Type != mongoConnections.Name {
		return nil, failed("settings.connection", "the connection %q is one of type %s, not of a MongoDB database", s.Connection, conn.Type)
	}
	return conn, nil
}

// withoutDeadline is a context that ends after a time or with its parent, and
// has no deadline: the driver would send one with every command, which not all
// servers take.
func withoutDeadline(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	limited, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, cancel)
	timer := time.AfterFunc(timeout, cancel)
	return limited, func() {
		stop()
		timer.Stop()
		cancel()
	}
}

// runMongo runs a command that mongoCommand has let through.
func runMongo(ctx context.Context, db *mongo.Database, command bson.D, reader *mongoReader) ([]any, error) {
	if command[0].Key == "distinct" {
		answer, err := db.RunCommand(ctx, command).Raw()
		if err != nil {
			return nil, err
		}
		values, ok := answer.Lookup("values").ArrayOK()
		if !ok {
			return nil, errors.New("the server answered without values")
		}
		return reader.list(values)
	}
	cursor, err := db.RunCommandCursor(ctx, command)
	if err != nil {
		return nil, err
	}
	defer func() { _ = cursor.Close(context.WithoutCancel(ctx)) }()
	rows := []any{}
	for cursor.Next(ctx) {
		row, err := reader.row(cursor.Current)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, cursor.Err()
}

// mongoProblem words what the driver says.
func (e *Env) mongoProblem(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var problem *report.Problem
	var command mongo.CommandError
	switch {
	case errors.As(err, &problem):
		return problem
	case errors.As(err, &command):
		return failed("settings.function", "the command failed: %s", command.Message)
	case isUnreachable(err):
		return e.hidden(ctx, "settings.connection", "the MongoDB server could not be reached, or refused the connection's user", err)
	case isLost(err):
		return e.hidden(ctx, "settings.function", "the connection to the MongoDB server was lost while the command ran", err)
	}
	return failed("settings.function", "the command failed: %s", err)
}

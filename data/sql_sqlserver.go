package data

import (
	"database/sql"
	"errors"

	mssql "github.com/microsoft/go-mssqldb"
)

var sqlServer = &dialect{
	kind: "sqlserver", name: "SQL Server", example: "sqlserver://report:password@db.example.com?database=shop",
	open: openSQLServer, explain: explainSQLServer, noReadOnly: true,
	brackets: true, nestedComments: true, atVariables: true, batches: true, numbered: "@p",
}

func openSQLServer(address string, _ []string) (*sql.DB, error) {
	return openWith(mssql.NewConnector(address))
}

func explainSQLServer(_ string, err error) (message string, line int, ok bool) {
	var said mssql.Error
	if !errors.As(err, &said) {
		return "", 0, false
	}
	return said.Message, int(said.LineNo), true
}

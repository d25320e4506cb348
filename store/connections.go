package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/quire-reports/quire/report"
)

// Connection is how the data sources of a workspace reach a database or a
// service. Its address and the values of its headers are encrypted at rest, are
// in no bundle, and leave the server only to where they lead.
type Connection struct {
	Name    string
	Type    string // name of a report.ConnectionType
	Address report.Secret
	Headers []ConnectionHeader // of a service: sent with every request
	Updated time.Time
}

// ConnectionHeader is a header of a service.
type ConnectionHeader struct {
	Name  string
	Value report.Secret
}

type connectionRow struct {
	Name    string `db:"name"`
	Type    string `db:"type"`
	Address string `db:"address"`
	Headers string `db:"headers"`
	Updated int64  `db:"updated_at"`
}

// Connections lists the connections of a workspace by name, without what is
// secret of them.
func (s *Store) Connections(ctx context.Context, workspaceID int) ([]Connection, error) {
	var rows []connectionRow
	err := s.db.list(ctx, &rows, "SELECT name, type, updated_at FROM connections WHERE workspace_id = ? ORDER BY name", workspaceID)
	list := make([]Connection, len(rows))
	for i, r := range rows {
		list[i] = Connection{Name: r.Name, Type: r.Type, Updated: fromMillis(r.Updated)}
	}
	return list, err
}

// Connection finds a connection by its name.
func (s *Store) Connection(ctx context.Context, workspaceID int, name string) (*Connection, error) {
	var r connectionRow
	err := s.db.get(ctx, &r, "SELECT name, type, address, headers, updated_at FROM connections WHERE workspace_id = ? AND name = ?", workspaceID, name)
	if err != nil {
		return nil, orNotFound(err, "there is no connection %q", name)
	}
	c := &Connection{Name: r.Name, Type: r.Type, Updated: fromMillis(r.Updated)}
	if c.Address, err = s.seal.open(connectionPlace(workspaceID, name, "address"), r.Address); err != nil {
		return nil, fmt.Errorf("the address of the connection %q: %w", name, err)
	}
	headers, err := s.seal.open(connectionPlace(workspaceID, name, "headers"), r.Headers)
	if err != nil {
		return nil, fmt.Errorf("the headers of the connection %q: %w", name, err)
	}
	c.Headers, err = readHeaders(headers)
	return c, err
}

// PutConnection writes a connection, new or instead of one of the same name.
func (s *Store) PutConnection(ctx context.Context, workspaceID int, c Connection) error {
	return s.writeConnection(ctx, workspaceID, c, `DO UPDATE SET type = excluded.type, address = excluded.address, headers = excluded.headers, updated_at = excluded.updated_at`)
}

// CreateConnection writes a connection of a name that none has yet.
func (s *Store) CreateConnection(ctx context.Context, workspaceID int, c Connection) error {
	return s.writeConnection(ctx, workspaceID, c, "DO NOTHING")
}

func (s *Store) writeConnection(ctx context.Context, workspaceID int, c Connection, onConflict string) error {
	if err := c.check(s.connectionTypes); err != nil {
		return err
	}
	headers, err := writeHeaders(c.Headers)
	if err != nil {
		return err
	}
	now := s.now()
	return s.db.inTx(ctx, func(t tx) error {
		n, err := t.exec(ctx, `INSERT INTO connections (workspace_id, name, type, address, headers, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (workspace_id, name) `+onConflict,
			workspaceID, c.Name, c.Type, s.seal.seal(connectionPlace(workspaceID, c.Name, "address"), c.Address), s.seal.seal(connectionPlace(workspaceID, c.Name, "headers"), headers), now, now)
		if err == nil && n == 0 {
			return &report.Problem{Kind: report.Conflict, Path: "name", Message: fmt.Sprintf("there is a connection %q already", c.Name)}
		}
		if err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditConnectionSaved, WorkspaceID: workspaceID, Target: Target{targetConnection, c.Name, c.Name}, Detail: map[string]any{"type": c.Type}})
	})
}

// DeleteConnection removes a connection.
func (s *Store) DeleteConnection(ctx context.Context, workspaceID int, name string) error {
	return s.db.inTx(ctx, func(t tx) error {
		n, err := t.exec(ctx, "DELETE FROM connections WHERE workspace_id = ? AND name = ?", workspaceID, name)
		if err == nil && n == 0 {
			err = report.NotFoundf("there is no connection %q", name)
		}
		if err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditConnectionGone, WorkspaceID: workspaceID, Target: Target{targetConnection, name, name}})
	})
}

func (c *Connection) check(types report.ConnectionTypes) error {
	var problems report.Problems
	if name := strings.TrimSpace(c.Name); name == "" || name != c.Name || len(name) > maxCode {
		problems = append(problems, report.Problemf("name", "a name has 1 to %d characters and no blanks around it", maxCode))
	}
	kind, known := types.Find(c.Type)
	if !known && types != nil {
		problems = append(problems, report.Problemf("type", "unknown connection type %q; accepted: %s", c.Type, strings.Join(types.Names(), ", ")))
	}
	if c.Address.Reveal() == "" {
		problems = append(problems, report.Problemf("address", "the address is missing"))
	}
	if len(c.Headers) > 0 && known && !kind.Headers {
		problems = append(problems, report.Problemf("headers", "connections of type %s have no headers", c.Type))
	}
	return problems.Err()
}

// connectionPlace is where a secret of a connection belongs; moved elsewhere it
// does not open.
func connectionPlace(workspaceID int, name, part string) string {
	return fmt.Sprintf("connections/%d/%s/%s", workspaceID, name, part)
}

// writeHeaders and readHeaders keep all headers as one secret: pairs of texts.
func writeHeaders(headers []ConnectionHeader) (report.Secret, error) {
	pairs := make([][2]string, len(headers))
	for i, h := range headers {
		pairs[i] = [2]string{h.Name, h.Value.Reveal()}
	}
	text, err := json.Marshal(pairs)
	return report.Secret(text), err
}

func readHeaders(text report.Secret) ([]ConnectionHeader, error) {
	var pairs [][2]string
	if err := json.Unmarshal([]byte(text.Reveal()), &pairs); err != nil {
		return nil, fmt.Errorf("reading headers: %w", err)
	}
	headers := make([]ConnectionHeader, len(pairs))
	for i, p := range pairs {
		headers[i] = ConnectionHeader{p[0], report.Secret(p[1])}
	}
	return headers, nil
}

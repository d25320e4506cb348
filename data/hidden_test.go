package data

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"regexp"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// hangingUp is a server that takes connections and hangs up.
func hangingUp(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_ = conn.Close()
		}
	}()
	return listener.Addr().String()
}

// What a driver says of the network is for the log; people get a sentence and
// the reference under which the log has the rest.
func TestFaultsTellNothingOfTheNetwork(t *testing.T) {
	t.Parallel()
	address := hangingUp(t)
	var out bytes.Buffer
	l := NewLoader(Config{Log: slog.New(slog.NewTextHandler(&out, nil)), Connections: connections{
		"postgres hangs up":  {Type: "postgres", Address: report.Secret("postgres://u:topsecret@" + address + "/shop?sslmode=disable")},
		"postgres is closed": {Type: "postgres", Address: "postgres://u:topsecret@127.0.0.1:1/shop?sslmode=disable"},
		"postgres nowhere":   {Type: "postgres", Address: "postgres://u:topsecret@db.quire.invalid/shop?sslmode=disable"},
		"mysql hangs up":     {Type: "mysql", Address: report.Secret("mysql://u:topsecret@" + address + "/shop")},
		"mysql is closed":    {Type: "mysql", Address: "mysql://u:topsecret@127.0.0.1:1/shop"},
		"sqlserver hangs up": {Type: "sqlserver", Address: report.Secret("sqlserver://u:topsecret@" + address + "?database=shop&encrypt=disable")},
		"sqlserver closed":   {Type: "sqlserver", Address: "sqlserver://u:topsecret@127.0.0.1:1?database=shop&encrypt=disable"},
	}})
	defer l.Close()
	ctx := report.WithReference(context.Background(), "request-4711")
	inner := regexp.MustCompile(`127\.0\.0\.1|quire\.invalid|EOF|dial|tcp|pq:|driver|bad connection|topsecret|shop`)
	for name := range l.config.Connections.(connections) {
		out.Reset()
		_, err := l.Load(ctx, Request{Sources: []report.SourceUse{source("rows", "sql", map[string]any{"connection": name, "query": "select 1"})}, Params: testParams(t), Zone: belgrade(t)})
		if err == nil || !strings.Contains(err.Error(), "database could not be reached: ") || !strings.HasSuffix(err.Error(), "; the log has more under request-4711") || inner.MatchString(strings.ReplaceAll(err.Error(), name, "")) {
			t.Errorf("%s: %v", name, err)
		}
		if log := out.String(); !strings.Contains(log, "reference=request-4711") || !strings.Contains(log, "error=") || strings.Contains(log, "topsecret") {
			t.Errorf("%s: the log says %s", name, log)
		}
		t.Logf("%s: %v", name, err)
	}
}

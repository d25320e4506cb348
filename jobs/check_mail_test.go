package jobs

import (
	"testing"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// TestMailNeedsNoConnection where the installation has a mail server; other
// destinations do.
func TestMailNeedsNoConnection(t *testing.T) {
	p := newPlace(t, store.Config{})
	s := p.tried(plain, &settled{})
	for _, c := range []struct {
		server []string
		kind   string
		wrong  bool
	}{{nil, "email", true}, {[]string{"email"}, "email", false}, {[]string{"email"}, "sftp", true}} {
		s.cfg.Installed = c.server
		j := statements()
		j.Reports, j.Active = nil, false
		j.Deliveries = []report.JobDelivery{{Type: c.kind, Settings: map[string]any{}}}
		if c.kind == "email" {
			j.Deliveries[0].Settings = map[string]any{"to": "ana@example.com", "subject": "Hello"}
		}
		problems, err := s.Check(t.Context(), p.ws, &j)
		if err != nil {
			t.Fatal(err)
		}
		asked := false
		for _, found := range problems {
			asked = asked || found.Path == "deliveries[0].connection"
		}
		if asked != c.wrong {
			t.Errorf("%+v: %v", c, problems)
		}
	}
}

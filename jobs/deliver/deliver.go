package deliver

import (
	"crypto/x509"
	"time"

	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/report"
)

// Env is what destinations work with; the wiring makes one.
type Env struct {
	// Egress makes the outgoing connections. Without one only local volumes work.
	Egress *egress.Guard
	// Folders are the folders that local volumes may write below, as absolute
	// paths; none means no local volume works.
	Folders []string
	// Roots are the certificate authorities that servers are checked against;
	// nil means the system's.
	Roots *x509.CertPool
	// Now is the clock; nil means the system's.
	Now func() time.Time
	// Idle is how long a target may stay silent; default a minute.
	Idle time.Duration

	again time.Duration // before an upload goes on; default a second
}

func (e *Env) now() time.Time {
	if e.Now == nil {
		return time.Now()
	}
	return e.Now()
}

func (e *Env) idle() time.Duration {
	if e.Idle <= 0 {
		return time.Minute
	}
	return e.Idle
}

// Target is one destination of one delivery: what a person has set, with
// templates filled and secrets resolved. Secrets may be given as report.Secret
// or as text.
type Target struct {
	Type       string         // name of one of Types
	Connection map[string]any // how to reach it; see Type.ConnectionFields
	Settings   map[string]any // what to do there; see Type.Fields
	// Origin is what the delivery is of; webhooks tell it.
	Origin Origin
	// Interrupted is set when an earlier attempt with the same key was begun
	// and nothing is known of its end.
	Interrupted bool
	// Learned is told when the target gives a new value for a member of the
	// connection, such as a token that was renewed; it has to be kept in place
	// of the old. It may be nil, and be called from several goroutines.
	Learned func(name string, value report.Secret)
}

// Origin names what is delivered, by the ids that the API uses.
type Origin struct {
	Workspace string `json:"workspace,omitempty"`
	Job       string `json:"job,omitempty"`
	Run       string `json:"run"`
	Entry     string `json:"entry,omitempty"` // empty when the delivery is of the whole run
}

// State is what became of a delivery.
type State string

// The states of deliveries.
const (
	// Sent means that this attempt delivered.
	Sent State = "sent"
	// AlreadySent means that an earlier attempt had delivered everything.
	AlreadySent State = "alreadySent"
	// Uncertain means that it is unknown whether it was sent. The error that
	// comes with it says how to find out.
	Uncertain State = "uncertain"
)

// Receipt tells what was delivered, for people and for the record. It holds no
// secrets.
type Receipt struct {
	State     State            `json:"state"`
	At        report.Timestamp `json:"at"`
	Reference string           `json:"reference,omitempty"` // how the target knows it: a Message-ID, a request's key
	Items     []Item           `json:"items,omitempty"`     // in the order of the documents
}

// Item is one delivered document.
type Item struct {
	Name    string `json:"name"`
	Place   string `json:"place"` // where it is now, as the target calls it
	Size    int64  `json:"size"`
	SHA256  string `json:"sha256,omitempty"`
	Already bool   `json:"already,omitempty"` // it was there before this attempt
}

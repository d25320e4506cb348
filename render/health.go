package render

import "time"

// State is the condition of a browser or of the whole pool.
type State string

// The states.
const (
	Starting   State = "starting"   // the first start is under way
	Ready      State = "ready"      // documents can be printed
	Recovering State = "recovering" // the browser was lost or cannot be started; it is tried again
	Stopped    State = "stopped"    // Stop was called
)

// Health is what is true of the pool now.
type Health struct {
	State    State           `json:"state"`
	Waiting  int             `json:"waiting"`
	Running  int             `json:"running"`
	Tabs     int             `json:"tabs"`
	Browsers []BrowserHealth `json:"browsers"`
	// Sandbox is SandboxOn or SandboxOff once it is known, and then why it is off.
	Sandbox       Sandbox `json:"sandbox,omitempty"`
	SandboxReason string  `json:"sandboxReason,omitempty"`
}

// BrowserHealth is the condition of one browser process.
type BrowserHealth struct {
	State       State     `json:"state"`
	Since       time.Time `json:"since"`
	PID         int       `json:"pid,omitempty"`
	Version     string    `json:"version,omitempty"`
	Tabs        int       `json:"tabs"`
	Starts      int64     `json:"starts"`
	Failures    int64     `json:"failures"` // starts in a row that failed
	LastError   string    `json:"lastError,omitempty"`
	LastErrorAt time.Time `json:"lastErrorAt,omitzero"`
}

// Stats are counters since the pool was made, for metrics.
type Stats struct {
	Printed  int64 // documents printed
	Failed   int64 // documents that ended with an error, of any kind
	Busy     int64 // refused because the queue was full
	TimedOut int64
	Crashed  int64 // lost with a tab or a browser, after retries
	Retried  int64 // printed again because the browser was lost
	Pages    int64
	Bytes    int64 // of PDF
	Chunks   int64 // parts of large documents
	Helped   int64 // chunks printed by another tab than the document's own

	TabsOpened  int64
	TabsDropped int64 // thrown away after an error or time-out
	TabsRenewed int64
	TabsEmptied int64 // given an empty page because a document had other files under the same paths

	BrowserStarts  int64
	BrowserFailed  int64 // starts that failed
	BrowserLost    int64 // processes that ended or hung by themselves
	BrowserRenewed int64

	Requests int64 // resources answered
	Refused  int64 // requests of documents that were refused

	QueueTime time.Duration // summed over printed documents
	FillTime  time.Duration
	PrintTime time.Duration
}

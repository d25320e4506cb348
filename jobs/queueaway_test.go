package jobs

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
)

// Finding B14: a database that was away for an hour left 7,200 lines.
func TestAQueueThatIsAwayIsLoggedOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	w := &worker{Service: &Service{cfg: Config{Log: slog.New(slog.NewTextHandler(&log, nil))}}}
	for range 2 {
		for _, err := range []error{nil, errors.New("away"), errors.New("away"), errors.New("away"), nil, nil} {
			w.noteAway(err)
		}
	}
	if got := strings.Count(log.String(), "does not answer"); got != 2 || strings.Count(log.String(), "answers again") != 2 {
		t.Errorf("logged:\n%s", &log)
	}
}

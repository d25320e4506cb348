package deliver

import (
	"net/http"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

func TestEventsAreToldSigned(t *testing.T) {
	s := newReceiver(t)
	conn := s.target(nil).Connection
	const event = `{"event":"run.finished","jobRunId":7}`
	for range 2 { // the second attempt has the same key
		if err := Tell(t.Context(), s.env, conn, "run-7-1", []byte(event)); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.got) != 1 || s.doubts != 1 || string(s.got[0].body) != event || s.got[0].header.Get("Authorization") != "Bearer t0p-s3cret" {
		t.Errorf("%d requests, %d repeated: %+v", len(s.got), s.doubts, s.got)
	}
}

func TestEventsThatNobodyTakes(t *testing.T) {
	s := newReceiver(t)
	status := http.StatusGone
	s.answer = func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(status)
		return true
	}
	err, _ := Tell(t.Context(), s.env, s.target(nil).Connection, "k", []byte("{}")).(*Error)
	if err == nil || !err.Permanent || strings.Contains(err.Message, "k3y-in-query") {
		t.Errorf("%+v", err)
	}
	status = http.StatusServiceUnavailable
	if err, _ := Tell(t.Context(), s.env, s.target(nil).Connection, "k", []byte("{}")).(*Error); err == nil || err.Permanent {
		t.Errorf("%+v", err)
	}
	wrong := map[string]any{"address": report.Secret(s.url), "secret": report.Secret("short")}
	if err := Tell(t.Context(), s.env, wrong, "k", []byte("{}")); err == nil || !strings.Contains(err.Error(), "connection.secret") {
		t.Errorf("%v", err)
	}
}

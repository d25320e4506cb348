package api

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/store/storetest"
)

// A pooler takes questions while the server behind it is away, and keeps them for two
// minutes. Who asks is told within seconds that the database is away, and when to come
// again.
func TestTheServerBehindAPoolerIsAway(t *testing.T) {
	t.Parallel()
	judges.Slow(t)
	server := storetest.PrivatePostgres(t)
	h := openOn(t, storetest.PgBouncer(t, server.Database(t)))
	request := httptest.NewRequest(http.MethodGet, "/api/v1/ws/demo/reports", nil)
	request.Header.Set("Authorization", "Bearer "+h.tokens["root"])
	ask := func() *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.handler.ServeHTTP(w, request)
		return w
	}
	if w := ask(); w.Code != http.StatusOK {
		t.Fatalf("%d\n%s", w.Code, w.Body)
	}
	server.Away(t, func() {
		for range 2 {
			began := time.Now()
			if w := ask(); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || time.Since(began) > 20*time.Second {
				t.Errorf("after %v: %d, %v\n%s", time.Since(began), w.Code, w.Header(), w.Body)
			}
		}
	})
	for end := time.Now().Add(time.Minute); ask().Code != http.StatusOK; {
		if time.Now().After(end) {
			t.Fatal("the server is back, and requests do not work again")
		}
	}
}

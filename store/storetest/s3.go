//go:build unix

package storetest

import (
	"net/http/httptest"
	"net/url"
	"os"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// S3 is the storage address in QUIRE_TEST_S3, or of an empty bucket on an S3
// server inside this process.
func S3(t *testing.T) string {
	t.Helper()
	if address := os.Getenv("QUIRE_TEST_S3"); address != "" {
		return address
	}
	backend := s3mem.New()
	if err := backend.CreateBucket("quire"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(server.Close)
	t.Setenv("AWS_ACCESS_KEY_ID", "quire-test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "quire-test")
	return "s3://quire?endpoint=" + url.QueryEscape(server.URL)
}

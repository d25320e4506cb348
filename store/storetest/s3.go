//go:build unix

package storetest

import (
	"context"
	"fmt"
	"net"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/quire-reports/quire/internal/judges"
)

// S3 is the storage address in QUIRE_TEST_S3, or of an empty bucket on a
// server that ends with the test: the one that scripts/setup.sh builds, or else
// one inside this process.
func S3(t *testing.T) string {
	t.Helper()
	if address := os.Getenv("QUIRE_TEST_S3"); address != "" {
		return address
	}
	if s3Program() != "" {
		s := PrivateS3(t, "quire")
		return s.Storage("quire", s.Endpoint)
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

// S3Server is a real S3 server (Versity's gateway to a folder) of one test, and
// its credentials.
type S3Server struct {
	Endpoint             string
	AccessKey, SecretKey string
	Folder               string // of the buckets
}

// PrivateS3 starts a server with empty buckets. The credentials are also where
// AWS programs find them.
func PrivateS3(t *testing.T, buckets ...string) *S3Server {
	t.Helper()
	path := s3Program()
	if path == "" {
		judges.Missing(t, "there is no S3 server: scripts/setup.sh test builds one")
	}
	dir, port := folder(t, "quire-s3-"), freePort(t)
	s := &S3Server{Endpoint: "http://127.0.0.1:" + port, AccessKey: "quire-test", SecretKey: "quire-test-secret", Folder: filepath.Join(dir, "data")}
	for _, name := range append([]string{"data", "sidecar"}, prefixed("data/", buckets)...) {
		if err := os.Mkdir(filepath.Join(dir, filepath.FromSlash(name)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	program{
		stopWith: "TERM", dir: dir, env: []string{"ROOT_ACCESS_KEY=" + s.AccessKey, "ROOT_SECRET_KEY=" + s.SecretKey},
		// Not every file system of a temporary folder keeps extended attributes.
		command: []string{path, "--quiet", "--port", "127.0.0.1:" + port, "posix", "--sidecar", filepath.Join(dir, "sidecar"), s.Folder},
	}.start(t)
	await(t, dir, func(ctx context.Context) error {
		conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", "127.0.0.1:"+port)
		if err == nil {
			_ = conn.Close()
		}
		return err
	})
	t.Setenv("AWS_ACCESS_KEY_ID", s.AccessKey)
	t.Setenv("AWS_SECRET_ACCESS_KEY", s.SecretKey)
	return s
}

// s3Program is where the server is, or empty.
func s3Program() string {
	cache, _ := os.UserCacheDir()
	for _, place := range []string{"versitygw", filepath.Join(cache, "quire", "versitygw")} {
		if path, err := exec.LookPath(place); err == nil {
			return path
		}
	}
	return ""
}

// Storage is a bucket as the address of contents, at the server itself or at
// an endpoint that leads to it.
func (s *S3Server) Storage(bucket, endpoint string) string {
	return fmt.Sprintf("s3://%s?endpoint=%s", bucket, url.QueryEscape(endpoint))
}

func prefixed(prefix string, names []string) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = prefix + name
	}
	return list
}

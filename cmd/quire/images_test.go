package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Images are pinned by what a registry says, all or none, and again.
func TestImagesArePinned(t *testing.T) {
	t.Parallel()
	lacks := ""
	digest := func(letter string) string { return "sha256:" + strings.Repeat(letter, 64) }
	now := map[string]string{"/v2/library/debian/manifests/bookworm-slim": digest("a"), "/v2/library/golang/manifests/1.26-bookworm": digest("b")}
	var mu sync.Mutex // of what the registry has
	registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case r.URL.Path == "/token":
			fmt.Fprintf(w, `{"token": "to read %s"}`, r.URL.Query().Get("scope"))
		case r.URL.Path == lacks || !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer to read repository:library/"):
			http.NotFound(w, r)
		default:
			w.Header().Set("Docker-Content-Digest", now[r.URL.Path])
		}
	}))
	defer registry.Close()
	file := filepath.Join(t.TempDir(), "Dockerfile")
	given, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	pin := func(args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), "../../scripts/pin-images.sh", args...)
		cmd.Env = append(os.Environ(), "REGISTRY="+registry.URL, "AUTH="+registry.URL, "FILE="+file)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read := func() string {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	write(string(given))
	mu.Lock()
	lacks = "/v2/library/debian/manifests/bookworm-slim"
	mu.Unlock()
	if said, err := pin(); err == nil || !strings.Contains(said, "nothing is changed") || read() != string(given) {
		t.Errorf("with one that is not known: %v %s", err, said)
	}
	write("FROM debian:bookworm-slim\n")
	if said, err := pin("--check"); err == nil || !strings.Contains(said, "not pinned by digest") {
		t.Errorf("a tag: %v %s", err, said)
	}
	write(string(given))
	mu.Lock()
	lacks = ""
	mu.Unlock()
	for range 2 { // the second time from what was pinned to what the tag is by then
		if said, err := pin(); err != nil {
			t.Fatalf("%v %s", err, said)
		}
		if said, err := pin("--check"); err != nil {
			t.Errorf("%v %s", err, said)
		}
		for _, want := range []string{
			"golang:1.26-bookworm@" + now["/v2/library/golang/manifests/1.26-bookworm"] + " AS build\n",
			"FROM debian:bookworm-slim@" + now["/v2/library/debian/manifests/bookworm-slim"] + "\n",
		} {
			if !strings.Contains(read(), want) {
				t.Errorf("no %q in\n%s", want, read())
			}
		}
		mu.Lock()
		now["/v2/library/debian/manifests/bookworm-slim"] = digest("c")
		mu.Unlock()
	}
}

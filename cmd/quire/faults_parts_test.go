package main

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"gocloud.dev/blob"
)

func sha(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// brokenNet is a network between the service and a server, which can be cut:
// connections then break and new ones are refused.
type brokenNet struct {
	url    string
	target string

	mu    sync.Mutex
	down  bool
	conns map[net.Conn]bool
}

func newBrokenNet(t *testing.T, target string) *brokenNet {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &brokenNet{url: "http://" + l.Addr().String(), target: strings.TrimPrefix(target, "http://"), conns: map[net.Conn]bool{}}
	t.Cleanup(func() {
		_ = l.Close()
		n.cut(true)
	})
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go n.join(conn)
		}
	}()
	return n
}

// cut breaks all connections, or lets new ones through again.
func (n *brokenNet) cut(down bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.down = down
	for conn := range n.conns {
		_ = conn.Close()
	}
}

// keep is whether the network lets a connection through; it then breaks with
// the others.
func (n *brokenNet) keep(conn net.Conn) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.down {
		n.conns[conn] = true
	}
	return !n.down
}

func (n *brokenNet) join(from net.Conn) {
	defer n.end(from)
	if !n.keep(from) {
		return
	}
	to, err := net.Dial("tcp", n.target)
	if err != nil {
		return
	}
	defer n.end(to)
	if !n.keep(to) {
		return
	}
	go func() {
		_, _ = io.Copy(to, from)
		_ = to.(*net.TCPConn).CloseWrite()
	}()
	_, _ = io.Copy(from, to)
}

func (n *brokenNet) end(conn net.Conn) {
	_ = conn.Close()
	n.mu.Lock()
	delete(n.conns, conn)
	n.mu.Unlock()
}

// hookReceiver is the web service of a customer: it takes a document for every
// key it has not had, and passes over a request whose key it knows.
type hookReceiver struct {
	url string

	mu      sync.Mutex
	taken   map[string]hookDelivery // by key
	again   int                     // requests of a known key
	differs []string                // keys that came with different bodies
	dropped int                     // answers that were lost
}

type hookDelivery struct {
	entry, body string
	documents   []string // their SHA-256
}

func newHookReceiver(t *testing.T) *hookReceiver {
	t.Helper()
	h := &hookReceiver{taken: map[string]hookDelivery{}}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	h.url = server.URL
	return h
}

func (h *hookReceiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // whoever sent it was killed
	}
	d := hookDelivery{body: sha(body)}
	if err := d.read(r.Header.Get("Content-Type"), body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	key := r.Header.Get("Idempotency-Key")
	h.mu.Lock()
	defer h.mu.Unlock()
	if before, known := h.taken[key]; known {
		h.again++
		if before.body != d.body {
			h.differs = append(h.differs, key)
		}
		return
	}
	h.taken[key] = d
	if len(h.taken)%50 == 0 { // taken, but the sender does not hear of it
		h.dropped++
		panic(http.ErrAbortHandler)
	}
}

// read reads the form that a webhook sends.
func (d *hookDelivery) read(contentType string, body []byte) error {
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return err
	}
	form := multipart.NewReader(bytes.NewReader(body), params["boundary"])
	for {
		part, err := form.NextPart()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return err
		}
		if part.FormName() == "document" {
			d.documents = append(d.documents, sha(content))
			continue
		}
		var head struct{ Entry string }
		if err := json.Unmarshal(content, &head); err != nil {
			return err
		}
		d.entry = head.Entry
	}
}

// processes finds those that work in a folder: it is their folder for
// temporary files, or their command names it. (What browsers are started with
// is not all of our environment.)
func processes(t *testing.T, folder string) (pids []int) {
	t.Helper()
	found, err := filepath.Glob("/proc/[0-9]*")
	if err != nil || len(found) == 0 {
		t.Skip("needs /proc")
	}
	for _, process := range found {
		environ, _ := os.ReadFile(process + "/environ")
		command, _ := os.ReadFile(process + "/cmdline")
		if bytes.Contains(append(environ, command...), []byte("="+folder)) {
			pid, _ := strconv.Atoi(filepath.Base(process))
			pids = append(pids, pid)
		}
	}
	return pids
}

// browsers are the browser processes, of all kinds, that descend from others.
func browsers(t *testing.T, ancestors ...int) (pids []int) {
	t.Helper()
	found, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(found) == 0 {
		t.Skip("needs /proc")
	}
	names, parents := map[int]string{}, map[int]int{}
	for _, file := range found {
		stat, _ := os.ReadFile(file)
		before, after, ok := strings.Cut(string(stat), ") ") // pid (name) state parent …
		fields := strings.Fields(after)
		pid, name, _ := strings.Cut(before, " (")
		if number, err := strconv.Atoi(pid); ok && err == nil && len(fields) > 1 && fields[0] != "Z" {
			names[number] = name
			parents[number], _ = strconv.Atoi(fields[1])
		}
	}
	for pid, name := range names {
		at := pid
		for at > 1 && !slices.Contains(ancestors, at) {
			at = parents[at]
		}
		if at > 1 && at != pid && !strings.HasPrefix(name, "quire") {
			pids = append(pids, pid)
		}
	}
	return pids
}

// killProcess ends a process at once; false when it had ended by itself.
func killProcess(pid int) bool { return syscall.Kill(pid, syscall.SIGKILL) == nil }

// zipped reads the one ZIP file of a folder: the SHA-256 of its files by name.
func zipped(t *testing.T, folder string) map[string]string {
	t.Helper()
	found, err := os.ReadDir(folder)
	if err != nil || len(found) != 1 {
		t.Errorf("%d files for the run, %v", len(found), err)
		return nil
	}
	archive, err := zip.OpenReader(filepath.Join(folder, found[0].Name()))
	if err != nil {
		t.Error(err)
		return nil
	}
	defer archive.Close()
	files := map[string]string{}
	for _, file := range archive.File {
		r, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err := errors.Join(err, r.Close()); err != nil {
			t.Fatal(err)
		}
		files[file.Name] = sha(content)
	}
	return files
}

func openBucket(t *testing.T, address string) *blob.Bucket {
	t.Helper()
	b, err := blob.OpenBucket(context.Background(), address+"&region=us-east-1&use_path_style=true")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

func keysOf(t *testing.T, b *blob.Bucket, prefix string) (keys []string) {
	t.Helper()
	list := b.List(&blob.ListOptions{Prefix: prefix})
	for {
		o, err := list.Next(t.Context())
		if errors.Is(err, io.EOF) {
			return keys
		}
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, o.Key)
	}
}

// unexpected are the names of files that no entry has.
func unexpected(names []string) (list []string) {
	for _, name := range names {
		if strings.Contains(name, "(") || strings.Contains(name, ".part") || !strings.HasSuffix(name, ".pdf") {
			list = append(list, name)
		}
	}
	return list
}

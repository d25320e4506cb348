package deliver

import (
	"errors"
	"os"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"github.com/quire-reports/quire/report"
)

// probe tests the connection of a target and gives what is said, good or bad.
func probe(t *testing.T, env *Env, target Target) (string, error) {
	t.Helper()
	kind, known := Find(target.Type)
	if !known || !kind.CanProbe() {
		t.Fatalf("%s cannot be tested", target.Type)
	}
	return kind.Probe(t.Context(), env, target.Connection, target.Learned)
}

// finds fails unless a test of the connection succeeds with the words.
func finds(t *testing.T, env *Env, target Target, words string) {
	t.Helper()
	if found, err := probe(t, env, target); err != nil || !strings.Contains(found, words) {
		t.Errorf("found %q, %v; want %q", found, err, words)
	}
}

// misses fails unless a test of the connection fails with the words, and
// without the secrets.
func misses(t *testing.T, env *Env, target Target, words string) {
	t.Helper()
	found, err := probe(t, env, target)
	if err == nil || !strings.Contains(err.Error(), words) {
		t.Errorf("found %q, %v; want an error with %q", found, err, words)
	}
	for _, v := range target.Connection {
		if s, secret := v.(report.Secret); secret && err != nil && len(s) > 3 && strings.Contains(err.Error(), s.Reveal()) {
			t.Errorf("the error tells a secret: %v", err)
		}
	}
}

func TestProbeMail(t *testing.T) {
	box := newMailbox(t, nil)
	target := box.target(nil, nil)
	finds(t, box.roots, target, "took the sign-in of")
	misses(t, box.roots, target.with(map[string]any{"password": report.Secret("wrong-secret")}), "refused the sign-in")
	misses(t, testEnv(t), target, "certificate")
	if len(box.received) != 0 {
		t.Errorf("%d messages were sent", len(box.received))
	}
	misses(t, box.roots, target.with(map[string]any{"port": int64(1)}), "could not be reached")
	var problems report.Problems
	if _, err := probe(t, box.roots, target.with(map[string]any{"host": nil})); !errors.As(err, &problems) || !strings.Contains(err.Error(), `"host" is missing`) {
		t.Errorf("without a host: %v", err)
	}
}

func TestProbeSFTP(t *testing.T) {
	target, _, hostKey := openSSH(t)
	env := testEnv(t)
	finds(t, env, target, "its folder can be read")
	finds(t, env, target.with(map[string]any{"folder": "not/there"}), "is made by the first delivery")
	key, _, _, _, err := ssh.ParseAuthorizedKey([]byte(hostKey))
	if err != nil {
		t.Fatal(err)
	}
	misses(t, env, target.with(map[string]any{"hostKey": nil}), ssh.FingerprintSHA256(key))
	misses(t, env, target.with(map[string]any{"hostKey": "SHA256:" + strings.Repeat("B", 43)}), "with another key")
	misses(t, env, target.with(map[string]any{"username": "nobody-here"}), "sign")
}

func TestProbeS3(t *testing.T) {
	server, env := newS3(t), testEnv(t)
	finds(t, env, server.target(nil), "the bucket out can be reached")
	misses(t, env, server.target(nil).with(map[string]any{"bucket": "missing"}), `bucket "missing" does not exist`)
	misses(t, env, server.target(nil).with(map[string]any{"endpoint": "http://127.0.0.1:1"}), "could not be reached")
}

func TestProbeWebDAV(t *testing.T) {
	server := newDAV(t)
	env := server.env
	finds(t, env, server.target(nil), "can be reached")
	misses(t, env, server.target(nil).with(map[string]any{"password": report.Secret("wrong-secret")}), "401")
	misses(t, env, server.target(nil).with(map[string]any{"address": report.Secret(server.url + "not/there")}), "404")
}

func TestProbeFolders(t *testing.T) {
	folder := t.TempDir()
	target := Target{Type: "local"}
	finds(t, &Env{Folders: []string{folder}}, target, folder)
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
	misses(t, &Env{}, target, "the operator has allowed none")
	misses(t, &Env{Folders: []string{folder + "/missing"}}, target, "cannot be written to")
}

func TestProbeWebhook(t *testing.T) {
	s := newReceiver(t)
	finds(t, s.env, s.target(nil), "connection.test")
	finds(t, s.env, s.target(nil), "connection.test") // the receiver takes it for another one
	if len(s.got) != 2 || !strings.Contains(string(s.got[0].body), `"type":"connection.test"`) {
		t.Errorf("got %d requests", len(s.got))
	}
	misses(t, s.env, s.target(nil).with(map[string]any{"secret": report.Secret("another secret of 16")}), "403")
}

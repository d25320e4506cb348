package deliver

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"

	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/report"
)

// keyPair is a new key: its private part as a file, its public part as a line.
func keyPair(t *testing.T, passphrase string) (private, public string) {
	t.Helper()
	pub, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	var block *pem.Block
	if passphrase == "" {
		block, err = ssh.MarshalPrivateKey(key, "")
	} else {
		block, err = ssh.MarshalPrivateKeyWithPassphrase(key, "", []byte(passphrase))
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := ssh.NewPublicKey(pub)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(block)), strings.TrimSpace(string(ssh.MarshalAuthorizedKey(line)))
}

// openSSH starts an OpenSSH server whose users arrive in an empty folder, and
// gives a target that signs in by key.
func openSSH(t *testing.T) (target Target, folder, hostKey string) {
	t.Helper()
	const program = "/usr/sbin/sshd"
	if _, err := os.Stat(program); err != nil {
		judges.Missing(t, "needs OpenSSH's server; scripts/setup.sh test installs it")
	}
	if os.Getuid() == 0 { // where it locks itself in; boot scripts make it otherwise
		if err := os.MkdirAll("/run/sshd", 0o755); err != nil {
			judges.Missing(t, "OpenSSH's server cannot run here: ", err)
		}
	}
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	folder = filepath.Join(dir, "files")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	hostPrivate, hostKey := keyPair(t, "")
	private, public := keyPair(t, "a long passphrase")
	l, port := listen(t)
	_ = l.Close()
	config := fmt.Sprintf("ListenAddress 127.0.0.1:%d\nHostKey %s/host\nAuthorizedKeysFile %s/authorized\nPidFile none\nStrictModes no\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin yes\nSubsystem sftp internal-sftp -d %s\n", port, dir, dir, folder)
	for name, content := range map[string]string{"host": hostPrivate, "authorized": public + "\n", "config": config} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var log bytes.Buffer
	server := exec.Command(program, "-D", "-e", "-f", filepath.Join(dir, "config"))
	server.Stderr = &log
	if err := server.Start(); err != nil {
		judges.Missing(t, "OpenSSH's server does not start here: ", err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
		if t.Failed() {
			t.Logf("sshd: %s", log.String())
		}
	})
	address := fmt.Sprintf("127.0.0.1:%d", port)
	for range 100 {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
			return Target{Type: "sftp", Connection: map[string]any{
				"host": "127.0.0.1", "port": int64(port), "username": me.Username,
				"privateKey": report.Secret(private), "passphrase": report.Secret("a long passphrase"), "hostKey": hostKey,
			}}, folder, hostKey
		}
		time.Sleep(50 * time.Millisecond)
	}
	judges.Missing(t, fmt.Sprintf("OpenSSH's server does not answer here: %s", log.String()))
	return
}

// with is a target with some members of its connection changed; nil removes.
func (t Target) with(changes map[string]any) Target {
	connection := map[string]any{}
	for n, v := range t.Connection {
		connection[n] = v
	}
	for n, v := range changes {
		if connection[n] = v; v == nil {
			delete(connection, n)
		}
	}
	t.Connection = connection
	return t
}

func TestSFTPToOpenSSH(t *testing.T) {
	target, folder, hostKey := openSSH(t)
	env := testEnv(t)
	one, two := random(1, 20<<20), random(2, 33)
	docs := []report.Document{pdf("Rechnung Müller.pdf", one), doc("Übersicht.csv", "text/csv", two), pdf("empty.pdf", nil)}
	target.Settings = map[string]any{"path": "2026/November é"}

	receipt := mustDeliver(t, env, target, docs, "k")
	if receipt.State != Sent || receipt.Items[0].Place != "sftp://127.0.0.1/2026/November é/Rechnung Müller.pdf" {
		t.Errorf("%+v", receipt)
	}
	for i, want := range [][]byte{one, two, nil} {
		got, err := os.ReadFile(filepath.Join(folder, "2026", "November é", docs[i].Name))
		if err != nil {
			t.Fatal(err)
		}
		same(t, docs[i].Name, got, want)
	}
	target.Interrupted = true
	if again := mustDeliver(t, env, target, docs, "k"); again.State != AlreadySent || len(listing(t, folder)) != 3 {
		t.Errorf("the second delivery: %+v, %v", again, listing(t, folder))
	}

	// Another content of the same name.
	target.Settings = map[string]any{"path": "2026/November é"}
	if got := items(mustDeliver(t, env, target, []report.Document{pdf("empty.pdf", two)}, "k2")); got[0] != "empty (2).pdf 33 false" {
		t.Errorf("%v", got)
	}
	target.Settings["conflict"] = "refuse"
	refused(t, env, target, []report.Document{pdf("empty.pdf", []byte("third"))}, "exists with another content")
	target.Settings["conflict"] = "overwrite"
	mustDeliver(t, env, target, []report.Document{pdf("empty.pdf", []byte("third"))}, "k3")
	got, _ := os.ReadFile(filepath.Join(folder, "2026", "November é", "empty.pdf"))
	same(t, "overwritten", got, []byte("third"))

	// A base folder, which may be absolute, and the forms of host keys.
	base := filepath.Join(folder, "base")
	parsed, _, _, _, _ := ssh.ParseAuthorizedKey([]byte(hostKey))
	for i, key := range []string{"# comment\n[127.0.0.1]:2222 " + hostKey + "\n", ssh.FingerprintSHA256(parsed), "SHA256:0000000000000000000000000000000000000000000\n" + hostKey} {
		target.Settings = nil
		mustDeliver(t, env, target.with(map[string]any{"folder": base, "hostKey": key}), []report.Document{pdf(fmt.Sprintf("%d.pdf", i), two)}, "k")
	}
	if got := listing(t, base); !reflect.DeepEqual(got, []string{"0.pdf", "1.pdf", "2.pdf"}) {
		t.Errorf("%v", got)
	}
}

func TestSFTPRefusals(t *testing.T) {
	target, folder, hostKey := openSSH(t)
	env := testEnv(t)
	one := []report.Document{pdf("a.pdf", random(3, 200_000))}
	otherPrivate, otherPublic := keyPair(t, "")
	if err := os.WriteFile(filepath.Join(folder, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		change    map[string]any
		settings  map[string]any
		docs      []report.Document
		words     string
		permanent bool
	}{
		{change: map[string]any{"hostKey": otherPublic}, words: "another key than the connection names: ssh-ed25519 SHA256:", permanent: true},
		{change: map[string]any{"hostKey": nil}, words: `"hostKey" is missing`, permanent: true},
		{change: map[string]any{"hostKey": "trust me"}, words: "ssh-keyscan", permanent: true},
		{change: map[string]any{"hostKey": "@revoked * " + hostKey}, words: "ssh-keyscan", permanent: true},
		{change: map[string]any{"privateKey": report.Secret(otherPrivate)}, words: "refused the sign-in", permanent: true},
		{change: map[string]any{"privateKey": report.Secret("garbage"), "passphrase": nil}, words: "cannot be read", permanent: true},
		{change: map[string]any{"passphrase": nil}, words: "needs its passphrase", permanent: true},
		{change: map[string]any{"passphrase": report.Secret("wrong")}, words: "does not fit", permanent: true},
		{change: map[string]any{"privateKey": nil}, words: "a password or a private key", permanent: true},
		{change: map[string]any{"host": "10.1.2.3"}, words: "Egress__AllowHosts", permanent: true},
		{settings: map[string]any{"path": "../up"}, words: "contains ..", permanent: true},
		{settings: map[string]any{"path": "file"}, words: "failed", permanent: false},
		{docs: []report.Document{broken("b.pdf", random(4, 300_000), 200_000)}, words: "the storage went away"},
	}
	for _, c := range cases {
		to := target.with(c.change)
		to.Settings = c.settings
		if c.docs == nil {
			c.docs = one
		}
		if _, missing := c.change["privateKey"]; missing && c.change["privateKey"] == nil {
			to = to.with(map[string]any{"password": nil})
		}
		if e := refused(t, env, to, c.docs, c.words); e.Permanent != c.permanent {
			t.Errorf("%v: permanent %v", c.words, e.Permanent)
		}
	}
	if got := listing(t, folder); !reflect.DeepEqual(got, []string{"file"}) {
		t.Errorf("left behind: %v", got)
	}
}

// passwordServer is an SSH server in this process that takes one password, as
// an answer to a question if asked is set.
func passwordServer(t *testing.T, asked bool) (port int, hostKey string) {
	t.Helper()
	private, hostKey := keyPair(t, "")
	signer, err := ssh.ParsePrivateKey([]byte(private))
	if err != nil {
		t.Fatal(err)
	}
	check := func(given string) (*ssh.Permissions, error) {
		if given != "geheim & gut" {
			return nil, errors.New("wrong")
		}
		return nil, nil
	}
	config := &ssh.ServerConfig{}
	if asked {
		config.KeyboardInteractiveCallback = func(_ ssh.ConnMetadata, ask ssh.KeyboardInteractiveChallenge) (*ssh.Permissions, error) {
			answers, err := ask("", "", []string{"Password: "}, []bool{false})
			if err != nil {
				return nil, err
			}
			return check(answers[0])
		}
	} else {
		config.PasswordCallback = func(_ ssh.ConnMetadata, given []byte) (*ssh.Permissions, error) { return check(string(given)) }
	}
	config.AddHostKey(signer)
	l, port := listen(t)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go serveSFTP(conn, config)
		}
	}()
	return port, hostKey
}

func serveSFTP(conn net.Conn, config *ssh.ServerConfig) {
	defer conn.Close()
	_, channels, requests, err := ssh.NewServerConn(conn, config)
	if err != nil {
		return
	}
	go ssh.DiscardRequests(requests)
	for c := range channels {
		channel, requests, err := c.Accept()
		if err != nil {
			return
		}
		go func() {
			for r := range requests {
				_ = r.Reply(r.Type == "subsystem", nil)
			}
		}()
		go func() { _ = sftp.NewRequestServer(channel, sftp.InMemHandler()).Serve() }()
	}
}

func TestSFTPWithAPassword(t *testing.T) {
	env := testEnv(t)
	for _, asked := range []bool{false, true} {
		port, hostKey := passwordServer(t, asked)
		target := Target{Type: "sftp", Connection: map[string]any{"host": "127.0.0.1", "port": int64(port), "username": "u", "password": report.Secret("geheim & gut"), "hostKey": hostKey}}
		if r := mustDeliver(t, env, target, []report.Document{pdf("a.pdf", []byte("x"))}, "k"); r.State != Sent {
			t.Errorf("%+v", r)
		}
		wrong := target.with(map[string]any{"password": report.Secret("wr0ng secret")})
		if e := refused(t, env, wrong, []report.Document{pdf("a.pdf", []byte("x"))}, "refused the sign-in"); !e.Permanent || strings.Contains(e.Message, "wr0ng") {
			t.Errorf("%+v", e)
		}
	}
}

func TestSFTPStopsWithItsContext(t *testing.T) {
	_, port := listen(t) // never answers
	_, hostKey := keyPair(t, "")
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	target := Target{Type: "sftp", Connection: map[string]any{"host": "127.0.0.1", "port": int64(port), "username": "u", "password": "pppp", "hostKey": hostKey}}
	start := time.Now()
	_, err := Deliver(ctx, testEnv(t), target, []report.Document{pdf("a.pdf", []byte("x"))}, "k")
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 5*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}

	env := testEnv(t)
	env.Idle = 100 * time.Millisecond
	_, err = Deliver(t.Context(), env, target, []report.Document{pdf("a.pdf", []byte("x"))}, "k")
	var e *Error
	if !errors.As(err, &e) || e.Permanent || !strings.Contains(e.Message, "did not answer in time") {
		t.Errorf("%v", err)
	}
}

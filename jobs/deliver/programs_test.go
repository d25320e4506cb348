package deliver

import (
	"bytes"
	"crypto/sha1"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"mime"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/s3blob"

	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store/storetest"
)

// These tests deliver to servers that others wrote and that people run: Apache
// with WebDAV, Versity's S3 gateway, aiosmtpd. (TestSFTPToOpenSSH is the like.)
// What the other tests' servers inside the process are for is what no real one
// does when it is asked to: to answer late, wrongly or not at all.

// runProgram runs a server until the test ends, and waits until it listens.
func runProgram(t *testing.T, port int, name string, args ...string) {
	t.Helper()
	var log bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("%s: %s", filepath.Base(name), log.String())
		}
	})
	for range 200 {
		conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err == nil {
			_ = conn.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%s does not listen", name)
}

// program finds a server, or skips the test.
func program(t *testing.T, name, debian string) string {
	t.Helper()
	for _, place := range []string{name, "/usr/sbin/" + name} {
		if path, err := exec.LookPath(place); err == nil {
			return path
		}
	}
	judges.Missing(t, fmt.Sprintf("needs %s (Debian: %s); scripts/setup.sh test installs it", name, debian))
	return ""
}

// freePort is a port that nobody listens on.
func freePort(t *testing.T) int {
	t.Helper()
	l, port := listen(t)
	_ = l.Close()
	return port
}

// certificateFiles are a certificate for this machine and its key.
func certificateFiles(t *testing.T, dir string) (cert, key string, roots *x509.CertPool) {
	t.Helper()
	config, roots := certificate(t)
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	private, err := x509.MarshalPKCS8PrivateKey(config.Certificates[0].PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	write(t, cert, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: config.Certificates[0].Certificate[0]})))
	write(t, key, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
	return cert, key, roots
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// belongTo gives folders to a user, as a server that root starts does not stay
// root.
func belongTo(t *testing.T, name string, folders ...string) string {
	t.Helper()
	if os.Getuid() != 0 {
		return ""
	}
	u, err := user.Lookup(name)
	if err != nil {
		judges.Missing(t, fmt.Sprintf("needs the user %s, as this test runs as root", name))
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	for _, folder := range folders {
		if err := os.Chown(folder, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	return fmt.Sprintf("User %s\nGroup #%d\n", name, gid)
}

// openFolder is a folder that other users may enter, unlike t.TempDir.
func openFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "quire-server-")
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// apache starts Apache with WebDAV below /dav, over TLS, for one user.
func apache(t *testing.T) (target Target, env *Env, folder string) {
	t.Helper()
	server := program(t, "apache2", "apache2-bin")
	const modules = "/usr/lib/apache2/modules"
	if _, err := os.Stat(modules + "/mod_dav_fs.so"); err != nil {
		judges.Missing(t, "needs Apache's modules where Debian has them")
	}
	dir, port := openFolder(t), freePort(t)
	folder = filepath.Join(dir, "files", "dav")
	locks := filepath.Join(dir, "locks")
	for _, f := range []string{folder, locks} {
		if err := os.MkdirAll(f, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cert, key, roots := certificateFiles(t, dir)
	sum := sha1.Sum([]byte("pass:wörd"))
	users := filepath.Join(dir, "users")
	write(t, users, "quire:{SHA}"+base64.StdEncoding.EncodeToString(sum[:])+"\n")
	if err := os.Chmod(users, 0o644); err != nil { // read by who it runs as
		t.Fatal(err)
	}
	var config strings.Builder
	for _, m := range []string{"mpm_event", "authn_core", "authz_core", "auth_basic", "authn_file", "authz_user", "dav", "dav_fs", "ssl"} {
		fmt.Fprintf(&config, "LoadModule %s_module %s/mod_%s.so\n", m, modules, m)
	}
	config.WriteString(belongTo(t, "www-data", folder, locks))
	fmt.Fprintf(&config, `ServerName 127.0.0.1
Listen 127.0.0.1:%d
PidFile %[2]s/pid
ErrorLog %[2]s/error.log
DocumentRoot %[2]s/files
DavLockDB %[2]s/locks/db
SSLEngine on
SSLCertificateFile %[3]s
SSLCertificateKeyFile %[4]s
<Directory %[2]s/files/dav>
	Dav On
	AuthType Basic
	AuthName Quire
	AuthUserFile %[5]s
	Require valid-user
</Directory>
`, port, dir, cert, key, users)
	write(t, filepath.Join(dir, "apache.conf"), config.String())
	runProgram(t, port, server, "-X", "-d", dir, "-f", filepath.Join(dir, "apache.conf"))
	t.Cleanup(func() {
		if log, _ := os.ReadFile(filepath.Join(dir, "error.log")); t.Failed() {
			t.Logf("Apache: %s", log)
		}
	})
	env = testEnv(t)
	env.Roots = roots
	return Target{Type: "webdav", Connection: map[string]any{
		"address": report.Secret(fmt.Sprintf("https://127.0.0.1:%d/dav/", port)), "username": "quire", "password": report.Secret("pass:wörd"),
	}}, env, folder
}

// threeDocuments have what servers stumble over: size, characters, nothing.
func threeDocuments() (docs []report.Document, contents [][]byte) {
	contents = [][]byte{random(1, 20<<20), random(2, 1000), nil}
	return []report.Document{pdf("Rechnung Müller & Söhne #1 100%.pdf", contents[0]), doc("Übersicht;a=b.csv", "text/csv", contents[1]), pdf("empty.pdf", contents[2])}, contents
}

func TestWebDAVToApache(t *testing.T) {
	target, env, folder := apache(t)
	docs, contents := threeDocuments()
	target.Settings = map[string]any{"path": "2026/November é/ü%20ü"}
	if receipt := mustDeliver(t, env, target, docs, "k"); receipt.State != Sent {
		t.Errorf("%+v", receipt)
	}
	for i, want := range contents {
		got, err := os.ReadFile(filepath.Join(folder, "2026", "November é", "ü%20ü", docs[i].Name))
		if err != nil {
			t.Fatal(err)
		}
		same(t, docs[i].Name, got, want)
	}
	target.Interrupted = true
	if again := mustDeliver(t, env, target, docs, "k"); again.State != AlreadySent || len(listing(t, folder)) != 3 {
		t.Errorf("%+v %v", again, listing(t, folder))
	}
	fresh := []report.Document{pdf("empty.pdf", []byte("new content"))}
	if got := items(mustDeliver(t, env, target, fresh, "k2")); got[0] != "empty (2).pdf 11 false" {
		t.Errorf("%v", got)
	}
	target.Settings["conflict"] = "refuse"
	refused(t, env, target, fresh, "exists with another content")
	target.Settings["conflict"] = "overwrite"
	mustDeliver(t, env, target, fresh, "k2")
	got, _ := os.ReadFile(filepath.Join(folder, "2026", "November é", "ü%20ü", "empty.pdf"))
	same(t, "overwritten", got, []byte("new content"))
	refused(t, env, target, []report.Document{broken("b.pdf", random(4, 300_000), 200_000)}, "the storage went away")
	refused(t, env, target.with(map[string]any{"password": report.Secret("wr0ng")}), docs, "answered 401 Unauthorized; check the user name")
	if got := listing(t, folder); len(got) != 4 {
		t.Errorf("left behind: %v", got)
	}
}

func TestObjectStorageToVersity(t *testing.T) {
	server, env := storetest.PrivateS3(t, "out"), testEnv(t)
	target := Target{Type: "s3", Settings: map[string]any{"path": "2026/November é"}, Connection: map[string]any{
		"endpoint": server.Endpoint, "bucket": "out", "accessKey": server.AccessKey, "secretKey": report.Secret(server.SecretKey), "prefix": "reports",
	}}
	docs, contents := threeDocuments()
	if receipt := mustDeliver(t, env, target, docs, "k"); receipt.State != Sent {
		t.Errorf("%+v", receipt)
	}
	bucket, err := blob.OpenBucket(t.Context(), server.Storage("out", server.Endpoint)+"&region=us-east-1&use_path_style=true")
	if err != nil {
		t.Fatal(err)
	}
	defer bucket.Close()
	fetch := func(name string) []byte {
		t.Helper()
		content, err := bucket.ReadAll(t.Context(), "reports/2026/November é/"+name)
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	for i, want := range contents {
		same(t, docs[i].Name, fetch(docs[i].Name), want)
	}
	if about, err := bucket.Attributes(t.Context(), "reports/2026/November é/"+docs[1].Name); err != nil || about.ContentType != "text/csv" || about.Metadata[s3Hash] != sumOf(contents[1]) {
		t.Errorf("%+v %v", about, err)
	}
	target.Interrupted = true
	if again := mustDeliver(t, env, target, docs, "k"); again.State != AlreadySent {
		t.Errorf("%+v", again)
	}
	fresh := []report.Document{pdf("empty.pdf", []byte("new content"))}
	if got := items(mustDeliver(t, env, target, fresh, "k2")); got[0] != "empty (2).pdf 11 false" {
		t.Errorf("%v", got)
	}
	target.Settings["conflict"] = "overwrite"
	mustDeliver(t, env, target, fresh, "k2")
	same(t, "overwritten", fetch("empty.pdf"), []byte("new content"))
	refused(t, env, target, []report.Document{broken("b.pdf", random(4, 30<<20), 22<<20)}, "the storage went away")
	refused(t, env, target.with(map[string]any{"secretKey": report.Secret("wr0ng")}), docs, "check the access key")
	refused(t, env, target.with(map[string]any{"bucket": "nowhere"}), docs, `bucket "nowhere" does not exist`)
	if ok, err := bucket.Exists(t.Context(), "reports/2026/November é/b.pdf"); ok || err != nil {
		t.Errorf("a cut document was kept: %v", err)
	}
}

func TestMailToASMTPServer(t *testing.T) {
	server := program(t, "aiosmtpd", "python3-aiosmtpd")
	dir, port := t.TempDir(), freePort(t)
	cert, key, roots := certificateFiles(t, dir)
	box := filepath.Join(dir, "box")
	runProgram(t, port, server, "-n", "-u", "-l", fmt.Sprintf("127.0.0.1:%d", port), "--tlscert", cert, "--tlskey", key, "-c", "aiosmtpd.handlers.Mailbox", box)
	env := testEnv(t)
	env.Roots = roots
	large, small := random(1, 5<<20), []byte("a;b\n1;2\n")
	docs := []report.Document{pdf("Rechnung für Ана № 1.pdf", large), doc("Posten.csv", "text/csv; charset=utf-8", small)}
	target := Target{
		Type:       "email",
		Connection: map[string]any{"host": "127.0.0.1", "port": int64(port), "from": "reports@example.com", "displayName": "Müller, Söhne & Co."},
		Settings: map[string]any{
			"to": `"Čarnojević, Ana" <ana@example.com>, bo@example.com`, "cc": "cc@example.com", "bcc": "secret@example.com", "replyTo": "help@example.com",
			"subject": "Ihre Rechnung № 4711 über 1.234,56 €", "text": "Guten Tag,\n.\n..dots\nGrüße\n", "html": "<p>Grüße &amp; <b>Dank</b></p>",
		},
	}
	receipt := mustDeliver(t, env, target, docs, "run7/entry1/mail")
	files, err := filepath.Glob(filepath.Join(box, "new", "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d messages arrived, %v", len(files), err)
	}
	content, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	header, parts := readMail(t, content)
	decoder := mime.WordDecoder{}
	subject, _ := decoder.DecodeHeader(header.Get("Subject"))
	from, _ := header.AddressList("From")
	to, _ := header.AddressList("To")
	cc, _ := header.AddressList("Cc")
	if subject != "Ihre Rechnung № 4711 über 1.234,56 €" || from[0].Name != "Müller, Söhne & Co." || len(to) != 2 || to[0].Name != "Čarnojević, Ana" || len(cc) != 1 ||
		header.Get("Bcc") != "" || header.Get("Message-Id") != receipt.Reference {
		t.Errorf("subject %q, from %v, to %v, cc %v, bcc %q, id %q of %q", subject, from, to, cc, header.Get("Bcc"), header.Get("Message-Id"), receipt.Reference)
	}
	envelope := strings.Split(header.Get("X-RcptTo"), ", ") // as the server was told
	if want := []string{"ana@example.com", "bo@example.com", "cc@example.com", "secret@example.com"}; !slices.Equal(envelope, want) || header.Get("X-MailFrom") != "reports@example.com" {
		t.Errorf("envelope from %q to %q", header.Get("X-MailFrom"), envelope)
	}
	want := []part{
		{"text/plain", "", []byte("Guten Tag,\n.\n..dots\nGrüße\n")},
		{"text/html", "", []byte("<p>Grüße &amp; <b>Dank</b></p>")},
		{"application/pdf", docs[0].Name, large},
		{"text/csv", docs[1].Name, small},
	}
	if len(parts) != len(want) {
		t.Fatalf("%d parts", len(parts))
	}
	for i, p := range parts {
		got := p.content
		if strings.HasPrefix(p.kind, "text/") && p.name == "" {
			got = bytes.TrimRight(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), "\n")
			want[i].content = bytes.TrimRight(want[i].content, "\n")
		}
		if p.kind != want[i].kind || p.name != want[i].name {
			t.Errorf("part %d is %s %q; want %s %q", i, p.kind, p.name, want[i].kind, want[i].name)
		}
		same(t, p.kind, got, want[i].content)
	}
}

package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/render"
)

var withTraefik = flag.Bool("traefik", false, "try Traefik in front of the service, see make check-traefik")

// TestBehindProxies puts real proxies in front of the service by the blocks that
// docs/deployment.md shows, at the root of a host and below a path.
func TestBehindProxies(t *testing.T) {
	t.Parallel()
	judges.Slow(t)
	if _, err := render.FindBrowser(""); err != nil {
		judges.Missing(t, "needs chromium-headless-shell or chromium")
	}
	built := newProgram(t)
	for _, proxy := range []struct {
		name  string
		start func(t *testing.T, service, base string) (url string)
	}{{"nginx", startNginx}, {"caddy", startCaddy}, {"traefik", startTraefik}} {
		if proxy.name == "traefik" && !*withTraefik {
			continue
		}
		for _, base := range []string{"", "/reports"} {
			t.Run(proxy.name+base, func(t *testing.T) {
				t.Parallel()
				p := &program{binary: built.binary, dir: t.TempDir()}
				r := p.start(t, "PathBase="+base, "TrustedProxies=loopback", "RootUser__Password=secret-7a!", "Storage__Sync=false")
				front := proxy.start(t, strings.TrimPrefix(r.url, "http://"), base) + base
				throughProxy(t, front, p.token)
			})
		}
	}
}

// proxyBlock is what the guide shows for a proxy, by how its block begins.
func proxyBlock(t *testing.T, begins string) string {
	t.Helper()
	guide, err := os.ReadFile("../../docs/deployment.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```\\w+\n(" + begins + ".*?)```").FindSubmatch(guide)
	if block == nil {
		t.Fatal("the guide shows nothing that begins with " + begins)
	}
	return string(block[1])
}

// proxyProgram is a proxy, unpacked or installed.
func proxyProgram(t *testing.T, name string) string {
	t.Helper()
	cache, _ := os.UserCacheDir()
	for _, root := range []string{filepath.Join(cache, "quire", "proxies", "root"), ""} {
		for _, folder := range []string{"/usr/sbin/", "/usr/bin/"} {
			if path := root + folder + name; exists(path) {
				return path
			}
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		judges.Missing(t, "needs "+name+"; scripts/setup.sh test unpacks it")
	}
	return path
}

// proxyCommand runs a proxy with the libraries that were unpacked beside it.
func proxyCommand(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	libraries, _ := filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(program)), "lib", "*-linux-gnu"))
	cmd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+strings.Join(libraries, ":"))
	return cmd
}

func startNginx(t *testing.T, service, base string) string {
	nginx := proxyProgram(t, "nginx")
	block := proxyBlock(t, "location / {")
	dir, address := t.TempDir(), freeAddress(t)
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	block = replaceOnce(t, block, "127.0.0.1:8080", service)
	block = replaceOnce(t, block, "location / {", "location "+base+"/ {")
	config := "daemon off; master_process off; pid nginx.pid; error_log error.log; events {}\nhttp { access_log off;"
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		config += " " + kind + "_temp_path " + kind + ";"
	}
	config += "\nserver { listen " + address + ";\n" + block + "}}\n"
	file := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	besides(t, proxyCommand(nginx, "-p", dir, "-e", filepath.Join(dir, "error.log"), "-c", file))
	return "http://" + address
}

func startCaddy(t *testing.T, service, base string) string {
	caddy := proxyProgram(t, "caddy")
	block := proxyBlock(t, "reports.example.com {")
	dir, address := t.TempDir(), freeAddress(t)
	_, port, _ := strings.Cut(address, ":")
	block = replaceOnce(t, block, "127.0.0.1:8080", service)
	if base != "" {
		block = replaceOnce(t, block, "reverse_proxy ", "reverse_proxy "+base+"/* ")
	}
	// A certificate of its own takes the place of one of the host's.
	block = replaceOnce(t, block, "reports.example.com {", "localhost:"+port+" {\n    tls internal\n    #")
	config := "{\n    admin off\n    skip_install_trust\n    auto_https disable_redirects\n}\n" + block
	file := filepath.Join(dir, "Caddyfile")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := proxyCommand(caddy, "run", "--config", file, "--adapter", "caddyfile")
	cmd.Env = append(cmd.Env, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir, "HOME="+dir)
	besides(t, cmd)
	return "https://localhost:" + port
}

func startTraefik(t *testing.T, service, base string) string {
	cache, _ := os.UserCacheDir()
	traefik := filepath.Join(cache, "quire", "traefik")
	if !exists(traefik) {
		judges.Missing(t, "needs Traefik; scripts/setup.sh traefik builds it")
	}
	dir, address := t.TempDir(), freeAddress(t)
	_, port, _ := strings.Cut(address, ":")
	own := replaceOnce(t, proxyBlock(t, "entryPoints:"), `":443"`, `"`+address+`"`)
	own = replaceOnce(t, own, "filename: quire.yml", "filename: "+filepath.Join(dir, "quire.yml"))
	// A certificate of its own takes the place of one of the host's.
	own = regexp.MustCompile("certificatesResolvers: .*").ReplaceAllString(own, "global: {checkNewVersion: false}")
	block := replaceOnce(t, proxyBlock(t, "http: "), "127.0.0.1:8080", service)
	block = replaceOnce(t, block, "{certResolver: letsencrypt}", "{}")
	rule := "Host(`localhost`)"
	if base != "" {
		rule += " && PathPrefix(`" + base + "`)"
	}
	block = replaceOnce(t, block, "Host(`reports.example.com`)", rule)
	for name, text := range map[string]string{"traefik.yml": own, "quire.yml": block} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(traefik, "--configFile="+filepath.Join(dir, "traefik.yml"))
	cmd.Dir = dir
	besides(t, cmd)
	return "https://localhost:" + port
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// besides runs a program until the test ends, and shows what it says when that fails.
func besides(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Log(said.String())
		}
	})
}

// throughProxy signs in, follows events, makes a PDF and sends a large body.
func throughProxy(t *testing.T, base, token string) {
	t.Helper()
	jar, _ := cookiejar.New(nil)
	client := &http.Client{Jar: jar, Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	defer client.CloseIdleConnections()
	do := func(method, path string, body io.Reader, header ...string) *http.Response {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, base+path, body)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { resp.Body.Close() })
		return resp
	}
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		resp, err := client.Get(base + "/readyz")
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				break
			}
		}
		if time.Now().After(end) {
			t.Fatalf("it is not ready behind the proxy: %v", err)
		}
	}
	host, _ := url.Parse(base)
	form := url.Values{"email": {"root@localhost"}, "password": {"secret-7a!"}}.Encode()
	in := do("POST", "/sign-in", strings.NewReader(form), "Content-Type", "application/x-www-form-urlencoded", "Origin", host.Scheme+"://"+host.Host)
	if in.StatusCode != http.StatusOK || strings.HasSuffix(in.Request.URL.Path, "/sign-in") {
		t.Fatalf("signing in: %d at %s", in.StatusCode, in.Request.URL)
	}
	if secure := in.Header.Get("Strict-Transport-Security") != ""; secure != (host.Scheme == "https") {
		t.Errorf("over %s the service believes to be encrypted: %t", host.Scheme, secure)
	}

	events := do("GET", "/ws/demo/exports/events", nil)
	if events.StatusCode != http.StatusOK {
		t.Fatalf("events: %d", events.StatusCode)
	}
	heard := make(chan bool, 1)
	go func() {
		told := 0 // at first how things are, then that they have changed
		for lines := bufio.NewScanner(events.Body); told < 2 && lines.Scan(); {
			if strings.HasPrefix(lines.Text(), "data: ") {
				told++
			}
		}
		heard <- told == 2
	}()
	authorised := []string{"Authorization", "Bearer " + token, "Content-Type", "application/json"}
	started := do("POST", "/api/v1/ws/demo/reports/invoice/export", strings.NewReader("{}"), authorised...)
	if started.StatusCode != http.StatusAccepted {
		t.Fatalf("starting an export: %d", started.StatusCode)
	}
	select {
	case well := <-heard:
		if !well {
			t.Error("the stream of events ended")
		}
	case <-time.After(time.Minute):
		t.Error("events do not come through the proxy while the stream is open")
	}

	if none := do("GET", "/ws/demo/files/content/50%25%20off%3B.png", nil); none.StatusCode != http.StatusNotFound {
		t.Errorf("a file that is not there, with signs in its name: %d", none.StatusCode)
	}
	content, _ := json.Marshal(map[string]any{"content": map[string]any{"items": []any{map[string]any{"name": strings.Repeat("x", 20<<20)}}}})
	if large := do("POST", "/api/v1/ws/demo/temporary-data", bytes.NewReader(content), authorised...); large.StatusCode != http.StatusOK {
		t.Errorf("a body of 20 MB: %d", large.StatusCode)
	}
}

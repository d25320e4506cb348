package egress

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// names is a resolver of a table. A name with several answers gives the next
// one each time it is asked.
type names map[string][]string

func (n names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	texts, ok := n[host]
	if !ok {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	var addrs []netip.Addr
	for _, t := range texts {
		addrs = append(addrs, netip.MustParseAddr(t))
	}
	return addrs, nil
}

func guard(t *testing.T, config Config) *Guard {
	t.Helper()
	g, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	return g
}

var hostileURLs = []string{
	// schemes
	"file:///etc/passwd", "FILE:///etc/passwd", "ftp://example.com/x", "gopher://127.0.0.1:6379/_INFO", "GoPher://example.com/",
	"dict://127.0.0.1:11211/stats", "ldap://127.0.0.1/", "data:text/plain,hello", "javascript:alert(1)", "unix:///var/run/docker.sock",
	"jar:http://example.com!/", "netdoc:///etc/passwd", "//127.0.0.1/", "127.0.0.1/", "http:/127.0.0.1/", "http:127.0.0.1",
	// loopback and this network
	"http://127.0.0.1/", "https://127.0.0.1:8443/", "HtTp://127.0.0.1/", "HTTPS://LOCALHOST/", "http://localhost/", "http://localhost./",
	"http://LocalHost:80/", "http://127.1.2.3/", "http://127.255.255.254/", "http://0.0.0.0/", "http://0.0.0.0:22/", "http://0.1.2.3/",
	// decimal, octal, hexadecimal, short forms
	"http://2130706433/", "http://017700000001/", "http://0x7f000001/", "http://0x7F.0x0.0x0.0x1/", "http://0177.0.0.1/", "http://0177.0.0.01/",
	"http://127.1/", "http://127.0.1/", "http://0/", "http://0x0/", "http://127.0.0.1./", "http://0x7f.1/", "http://00000177.1/", "http://3232235777/",
	"http://127.0.0.0x1/", "http://192.168.257/", "http://10.1/", "http://1.1.1.1.1/", "http://999.1.1.1/",
	// private, shared, link-local, metadata, reserved
	"http://10.0.0.1/", "http://10.255.255.255/", "http://172.16.0.1/", "http://172.31.255.254/", "http://192.168.0.1/", "http://100.64.0.1/",
	"http://100.127.255.254/", "http://169.254.169.254/latest/meta-data/", "http://169.254.170.2/", "http://192.0.0.192/", "http://198.18.0.1/",
	"http://192.0.2.1/", "http://198.51.100.1/", "http://203.0.113.1/", "http://192.88.99.1/", "http://224.0.0.1/", "http://239.255.255.250:1900/",
	"http://240.0.0.1/", "http://255.255.255.255/",
	// IPv6
	"http://[::1]/", "http://[::]/", "http://[0:0:0:0:0:0:0:1]/", "http://[0000::1]:80/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/",
	"http://[::FFFF:10.0.0.1]/", "http://[::ffff:169.254.169.254]/", "http://[::127.0.0.1]/", "http://[::ffff:0:127.0.0.1]/",
	"http://[64:ff9b::7f00:1]/", "http://[64:ff9b::10.0.0.1]/", "http://[64:ff9b::a9fe:a9fe]/", "http://[64:ff9b:1::1]/",
	"http://[2002:7f00:1::]/", "http://[2002:0a00:0001::1]/", "http://[2002:c0a8:0101::]/", "http://[2001:0:7f00:1::]/",
	"http://[fc00::1]/", "http://[fd00:ec2::254]/", "http://[fe80::1]/", "http://[fe80::1%25eth0]/", "http://[fec0::1]/", "http://[ff02::1]/",
	"http://[2001:db8::1]/", "http://[100::1]/", "http://[::1%25lo]/", "http://[5f00::1]/",
	// user information
	"http://example.com@127.0.0.1/", "http://example.com:80@127.0.0.1/", "http://example.com%2F@10.0.0.1/", "http://user:pass@localhost/",
	"http://127.0.0.1#@example.com/", "http://127.0.0.1?@example.com/", "http://example.com:@[::1]/",
	// forms that are no addresses
	"http://", "http:///path", "http://:80/", "http://%31%32%37.0.0.1/", "http://127.0.0.1%00.example.com/", "http://exa mple.com/", "http://[127.0.0.1]/",
	"http://[::1]example.com/", "", "http://example.com:99999/", "http://a..b./\\@127.0.0.1",
	// characters that become digits or dots
	"http://①②⑦.⓪.⓪.①/", "http://127。0。0。1/", "http://１２７.0.0.1/",
	// names that resolve badly
	"http://internal.test/", "http://metadata.google.internal/computeMetadata/v1/", "http://mapped.test/", "http://nat64.test/", "http://sixtofour.test/",
	"http://mixed.test/", "http://ula.test/", "http://nothing.test/", "http://127.0.0.1.nip.test/", "http://zero.test/", "http://empty.test/",
}

var hostileNames = names{
	"localhost": {"127.0.0.1", "::1"}, "internal.test": {"10.2.3.4"}, "metadata.google.internal": {"169.254.169.254"},
	"mapped.test": {"::ffff:192.168.1.1"}, "nat64.test": {"64:ff9b::10.0.0.1"}, "sixtofour.test": {"2002:7f00:1::1"},
	"mixed.test": {"93.184.215.14", "10.0.0.1"}, "ula.test": {"fd12::1"}, "127.0.0.1.nip.test": {"127.0.0.1"},
	"zero.test": {"0.0.0.0"}, "empty.test": {}, "example.com": {"127.0.0.1"},
}

func TestHostileAddressesAreRefused(t *testing.T) {
	g := guard(t, Config{Resolver: hostileNames, Timeout: 3 * time.Second})
	if len(hostileURLs) < 60 {
		t.Fatalf("only %d addresses", len(hostileURLs))
	}
	for _, address := range hostileURLs {
		t.Run(address, func(t *testing.T) {
			res, err := g.Get(context.Background(), address)
			if err == nil {
				t.Fatalf("answered %d from %s", res.Status, res.URL)
			}
			var refused *Refused
			var failed *Failed
			switch {
			case errors.As(err, &refused):
			case !errors.As(err, &failed):
				t.Errorf("not one of our errors: %T %v", err, err)
			case !failed.Unknown && !strings.Contains(failed.Reason, "no address"):
				t.Errorf("the address was tried: %v", err)
			}
		})
	}
}

func TestOrdinaryAddressesPassTheCheck(t *testing.T) {
	g := guard(t, Config{})
	for _, address := range []string{
		"https://example.com/a?b=c", "HTTP://EXAMPLE.COM", "http://93.184.215.14/", "https://[2606:4700::1111]/", "http://xn--bcher-kva.example/",
		"http://[64:ff9b::5db8:d70e]/", "http://example.com:8080/", "http://11.0.0.1/", "http://172.32.0.1/", "http://100.128.0.1/", "http://1.1.1.1./",
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Check(u); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestTheOperatorAllowsHosts(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "inside") }))
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	resolver := names{"erp.intern": {"127.0.0.1"}, "a.b.intern": {"127.0.0.1"}, "other.test": {"127.0.0.1"}}
	tests := []struct {
		allow, host string
		want        bool
	}{
		{"127.0.0.1", "127.0.0.1", true},
		{"127.0.0.0/8", "127.0.0.1", true},
		{"127.0.0.0/8", "erp.intern", true},
		{"::ffff:127.0.0.1", "127.0.0.1", true},
		{"127.0.0.1", "[::ffff:127.0.0.1]", true},
		{"erp.intern", "erp.intern", true},
		{"ERP.Intern.", "erp.intern", true},
		{"*.intern", "a.b.intern", true},
		{"*.intern", "other.test", false},
		{"intern", "erp.intern", false},
		{"erp.intern", "127.0.0.1", false},
		{"erp.intern", "other.test", false},
		{"10.0.0.0/8", "127.0.0.1", false},
	}
	for _, tt := range tests {
		g := guard(t, Config{AllowHosts: []string{tt.allow}, Resolver: resolver})
		res, err := g.Get(context.Background(), "http://"+tt.host+":"+port+"/")
		if (err == nil) != tt.want {
			t.Errorf("allow %s, host %s: %v", tt.allow, tt.host, err)
		}
		if err == nil && string(res.Body) != "inside" {
			t.Errorf("got %q", res.Body)
		}
	}
}

// A host that is taken off the list is not reached by connections from before: one
// that is idle and one that becomes so later.
func TestAHostTakenOffIsNotReachedAnyMore(t *testing.T) {
	began, end := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/long" {
			began <- struct{}{}
			<-end
		}
	}))
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	g := guard(t, Config{AllowHosts: []string{"erp.intern"}, Resolver: names{"erp.intern": {"127.0.0.1"}, "new.intern": {"127.0.0.1"}}})
	get := func(host, path string) error {
		_, err := g.Get(t.Context(), "http://"+host+":"+port+path)
		return err
	}
	long := make(chan error, 1)
	go func() { long <- get("erp.intern", "/long") }()
	<-began
	if err := get("erp.intern", "/"); err != nil { // by a second connection
		t.Fatal(err)
	}
	if err := g.Allow([]string{"new.intern"}); err != nil {
		t.Fatal(err)
	}
	var refused *Refused
	if err := get("erp.intern", "/"); !errors.As(err, &refused) {
		t.Errorf("reached by the idle connection: %v", err)
	}
	if err := get("new.intern", "/"); err != nil {
		t.Error(err)
	}
	close(end)
	if err := <-long; err != nil {
		t.Errorf("what was under way: %v", err)
	}
	if err := get("erp.intern", "/"); !errors.As(err, &refused) {
		t.Errorf("reached by the connection that was busy: %v", err)
	}
}

func TestTheErrorNamesHostAndSetting(t *testing.T) {
	g := guard(t, Config{Resolver: hostileNames})
	_, err := g.Get(context.Background(), "http://user:secret@internal.test/path?key=secret")
	want := `the host "internal.test" may not be reached: there is no public host of this name; the operator can allow it with Egress__AllowHosts`
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	var refused *Refused
	if !errors.As(err, &refused) || refused.Detail != "it is 10.2.3.4, which is a private address" {
		t.Errorf("the log gets %+v", refused)
	}
}

// Whoever names hosts must not learn which names there are inside.
func TestNamesInsideAreLikeNamesOfNothing(t *testing.T) {
	t.Parallel()
	g := guard(t, Config{Resolver: names{"inside.test": {"10.2.3.4"}}})
	said := map[string]string{}
	for _, host := range []string{"inside.test", "nothing.test"} {
		_, err := g.Get(context.Background(), "http://"+host+"/")
		said[host] = strings.ReplaceAll(fmt.Sprint(err), host, "{host}")
	}
	if said["inside.test"] != said["nothing.test"] || strings.Contains(said["inside.test"], "10.2") {
		t.Errorf("they differ: %v", said)
	}
}

func TestPlainReasonsHoldNoAddresses(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(nil)
	closed.Close()
	hangsUp := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, _ := http.NewResponseController(w).Hijack()
		_ = conn.Close()
	}))
	defer hangsUp.Close()
	secure := httptest.NewTLSServer(nil)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	defer secure.Close()
	g := guard(t, Config{AllowHosts: []string{"127.0.0.1"}})
	for address, want := range map[string]string{
		closed.URL:  `the host "127.0.0.1" did not answer: the connection was refused`,
		hangsUp.URL: `the host "127.0.0.1" did not answer: the connection was closed too early`,
		secure.URL:  `the host "127.0.0.1" did not answer: its certificate is of an authority that is not known`,
		strings.Replace(hangsUp.URL, "http:", "https:", 1): `the host "127.0.0.1" did not answer: it does not speak TLS`,
	} {
		_, err := g.Get(context.Background(), address)
		var failed *Failed
		if fmt.Sprint(err) != want || !errors.As(err, &failed) || failed.Err == nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// A guard beside another one reaches what the other allows, also later; not the
// other way round.
func TestGuardsBesideEachOther(t *testing.T) {
	here := netip.MustParseAddr("127.0.0.1")
	first := guard(t, Config{})
	second := guard(t, Config{AllowHosts: []string{"mail.test"}, Beside: first})
	if second.checkAddr("erp.test", here) == nil || second.checkAddr("mail.test", here) != nil || first.checkAddr("mail.test", here) == nil {
		t.Error("each has its own hosts at first")
	}
	if err := first.Allow([]string{"erp.test"}); err != nil {
		t.Fatal(err)
	}
	if err := second.checkAddr("erp.test", here); err != nil {
		t.Error(err)
	}
	if err := second.checkAddr("mail.test", here); err != nil {
		t.Error(err)
	}
}

func TestAllowHostsRefusesNonsense(t *testing.T) {
	for _, entry := range []string{"http://a", "a/b", "10.0.0.0/99", "*", "*.", "a b", "127.1", "user@host"} {
		if _, err := New(Config{AllowHosts: []string{entry}}); err == nil || !strings.Contains(err.Error(), Setting) {
			t.Errorf("%q: %v", entry, err)
		}
	}
}

// changing gives another answer each time it is asked.
type changing struct {
	answers []string
	asked   atomic.Int32
}

func (c *changing) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	n := int(c.asked.Add(1)) - 1
	return []netip.Addr{netip.MustParseAddr(c.answers[min(n, len(c.answers)-1)])}, nil
}

func TestAnAnswerThatChangesIsAskedOnce(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	// The first answer is harmless and leads nowhere; the second would reach
	// the server on this machine.
	resolver := &changing{answers: []string{"240.0.0.1", "127.0.0.1"}}
	g := guard(t, Config{Resolver: resolver, AllowHosts: []string{"240.0.0.1"}, Timeout: 500 * time.Millisecond})
	if _, err := g.Get(context.Background(), "http://rebind.test:"+port+"/"); err == nil {
		t.Error("the second answer was used")
	}
	if n := resolver.asked.Load(); n != 1 {
		t.Errorf("asked %d times", n)
	}
	if _, err := g.Get(context.Background(), "http://rebind.test:"+port+"/"); err == nil {
		t.Error("the second request reached the inside")
	}
}

func TestRedirectsAreChecked(t *testing.T) {
	var target atomic.Value
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/end" {
			fmt.Fprintf(w, "%s|%s|%s", r.Header.Get("X-Api-Key"), r.Header.Get("Referer"), r.Header.Get("Accept"))
			return
		}
		http.Redirect(w, r, target.Load().(string), http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	resolver := names{"public.test": {"127.0.0.1"}, "second.test": {"127.0.0.1"}, "inside.test": {"10.0.0.1"}}
	g := guard(t, Config{Resolver: resolver, AllowHosts: []string{"public.test", "second.test"}, Timeout: 2 * time.Second, MaxRedirects: 3})
	tests := map[string]struct{ to, method, want string }{
		"private address": {"http://10.0.0.1/", "GET", "private address"},
		"private name":    {"http://inside.test/", "GET", "no public host of this name"},
		"loopback":        {"http://127.0.0.1:" + port + "/end", "GET", "this machine"},
		"scheme":          {"file:///etc/passwd", "GET", "only http and https"},
		"endless":         {"http://public.test:" + port + "/again", "GET", "redirects more than 3 times"},
		"same host":       {"http://public.test:" + port + "/end", "GET", "key||application/json"},
		"other host":      {"http://second.test:" + port + "/end", "GET", "||application/json"},
		"body elsewhere":  {"http://second.test:" + port + "/end", "POST", "to another host"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			target.Store(tt.to)
			var body io.Reader
			if tt.method == "POST" {
				body = strings.NewReader("secret")
			}
			req, err := http.NewRequest(tt.method, "http://public.test:"+port+"/?q=secret", body)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("X-Api-Key", "key")
			req.Header.Set("Accept", "application/json")
			res, err := g.Fetch(context.Background(), req)
			got := fmt.Sprint(err)
			if err == nil {
				got = strings.ReplaceAll(string(res.Body), "http://public.test:"+port+"/?q=secret", "")
			}
			if !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestLimitsEndARequest(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/large":
			for range 100 {
				w.Write(make([]byte, 1000))
			}
		case "/slow":
			<-r.Context().Done()
		case "/dripping":
			for r.Context().Err() == nil {
				w.Write([]byte("x"))
				w.(http.Flusher).Flush()
				time.Sleep(10 * time.Millisecond)
			}
		}
	}))
	defer server.Close()
	g := guard(t, Config{AllowHosts: []string{"127.0.0.1"}, MaxBytes: 50_000, Timeout: 200 * time.Millisecond})
	tests := map[string]string{"/large": "larger than the limit of 50000 bytes", "/slow": "no answer within 200ms", "/dripping": "no answer within 200ms"}
	for path, want := range tests {
		start := time.Now()
		_, err := g.Get(context.Background(), server.URL+path)
		if err == nil || !strings.Contains(err.Error(), want) || time.Since(start) > 2*time.Second {
			t.Errorf("%s: %v after %v", path, err, time.Since(start))
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := g.Get(ctx, server.URL+"/slow"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func FuzzCheck(f *testing.F) {
	for _, u := range hostileURLs {
		f.Add(u)
	}
	g, err := New(Config{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, address string) {
		u, err := url.Parse(address)
		if err != nil || g.Check(u) != nil {
			return
		}
		if addr, err := netip.ParseAddr(u.Hostname()); err == nil && (addr.Unmap().IsPrivate() || addr.Unmap().IsLoopback() || addr.IsLinkLocalUnicast() || addr.IsMulticast()) {
			t.Errorf("%q passes", address)
		}
	})
}

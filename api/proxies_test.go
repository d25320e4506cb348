package api

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/quire-reports/quire/api/internal/access"
)

func networks(t testing.TB, texts ...string) []netip.Prefix {
	t.Helper()
	var all []netip.Prefix
	for _, text := range texts {
		all = append(all, must[netip.Prefix](t)(netip.ParsePrefix(text)))
	}
	return all
}

func TestWhereRequestsComeFrom(t *testing.T) {
	t.Parallel()
	behind := &access.Proxies{Trusted: networks(t, "10.0.0.0/8", "fd00::/8")}
	for name, c := range map[string]struct {
		peer   string
		header http.Header
		want   string
	}{
		"straight":                        {"203.0.113.7:4321", nil, "203.0.113.7"},
		"a stranger who says":             {"203.0.113.7:4321", header("X-Forwarded-For", "198.51.100.1", "Forwarded", "for=198.51.100.1"), "203.0.113.7"},
		"one proxy":                       {"10.0.0.1:80", header("X-Forwarded-For", "203.0.113.7"), "203.0.113.7"},
		"a forged beginning":              {"10.0.0.1:80", header("X-Forwarded-For", "1.1.1.1, 203.0.113.7"), "203.0.113.7"},
		"two proxies":                     {"10.0.0.1:80", header("X-Forwarded-For", "1.1.1.1, 203.0.113.7,10.9.9.9"), "203.0.113.7"},
		"several headers":                 {"10.0.0.1:80", http.Header{"X-Forwarded-For": {"1.1.1.1", "203.0.113.7", "10.9.9.9"}}, "203.0.113.7"},
		"a client inside":                 {"10.0.0.1:80", header("X-Forwarded-For", "10.2.2.2"), "10.2.2.2"},
		"a proxy that says nothing":       {"10.0.0.1:80", nil, "10.0.0.1"},
		"what is no address":              {"10.0.0.1:80", header("X-Forwarded-For", "203.0.113.7, unknown"), "10.0.0.1"},
		"with ports":                      {"10.0.0.1:80", header("X-Forwarded-For", "203.0.113.7:555"), "203.0.113.7"},
		"IPv6":                            {"[fd00::1]:80", header("X-Forwarded-For", "2001:db8::7"), "2001:db8::7"},
		"IPv6 in brackets":                {"[fd00::1%eth0]:80", header("X-Forwarded-For", "[2001:db8::7]:99"), "2001:db8::7"},
		"IPv4 in IPv6":                    {"[::ffff:10.0.0.1]:80", header("X-Forwarded-For", "::ffff:203.0.113.7"), "203.0.113.7"},
		"Forwarded":                       {"10.0.0.1:80", header("Forwarded", `for=1.1.1.1, for="[2001:db8::7]:4711";proto=https;by=10.0.0.1`), "2001:db8::7"},
		"the usual header before the new": {"10.0.0.1:80", header("X-Forwarded-For", "203.0.113.7", "Forwarded", "for=198.51.100.1"), "203.0.113.7"},
		"an endless list":                 {"10.0.0.1:80", header("X-Forwarded-For", "203.0.113.7"+strings.Repeat(",10.0.0.2", 5000)), "10.0.0.2"},
		"a socket":                        {"@", nil, "@"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		if r.RemoteAddr = c.peer; c.header != nil {
			r.Header = c.header
		}
		if got := behind.Address(r); got != c.want {
			t.Errorf("%s: %q; want %q", name, got, c.want)
		}
	}
}

func TestHTTPSOnlyOnceOverHTTPS(t *testing.T) {
	t.Parallel()
	const name = "Strict-Transport-Security"
	for what, c := range map[string]struct {
		public, proto, peer string
		trusted             []netip.Prefix
		tls, want           bool
	}{
		"plain HTTP":                {},
		"TLS":                       {tls: true, want: true},
		"the public address":        {public: "https://reports.example.com", want: true},
		"another host":              {public: "https://elsewhere.example.com"},
		"a trusted proxy":           {proto: "https", peer: "10.0.0.1:80", trusted: networks(t, "10.0.0.0/8"), want: true},
		"two trusted proxies":       {proto: "https, http", peer: "10.0.0.1:80", trusted: networks(t, "10.0.0.0/8"), want: true},
		"a trusted proxy over HTTP": {proto: "http", peer: "10.0.0.1:80", trusted: networks(t, "10.0.0.0/8"), tls: true},
		"another proxy":             {proto: "https", peer: "192.0.2.9:80", trusted: networks(t, "10.0.0.0/8")},
		"a proxy nobody named":      {proto: "https", peer: "10.0.0.1:80"},
	} {
		h := open(t, func(cfg *Config) { cfg.PublicURL, cfg.TrustedProxies = c.public, c.trusted })
		r := arriving("/sign-in", nil, c.tls)
		if c.proto != "" {
			r.Header.Set("X-Forwarded-Proto", c.proto)
			r.RemoteAddr = c.peer
		}
		w := httptest.NewRecorder()
		if h.handler.ServeHTTP(w, r); (w.Header().Get(name) == "max-age=31536000") != c.want {
			t.Errorf("%s: %q", what, w.Header().Get(name))
		}
		if warned := strings.Contains(h.log.String(), "TrustedProxies does not name"); warned != (c.proto != "" && (len(c.trusted) == 0 || c.peer == "192.0.2.9:80")) {
			t.Errorf("%s: the log says\n%s", what, h.log)
		}
	}
}

func TestTheLogHasTheClientsAddress(t *testing.T) {
	t.Parallel()
	h := open(t, func(c *Config) { c.TrustedProxies = networks(t, "192.0.2.1/32") }) // httptest's peer
	h.do(scenario{path: "/sign-in", header: header("X-Forwarded-For", "203.0.113.7")})
	if !strings.Contains(h.log.String(), "address=203.0.113.7") {
		t.Error(h.log.String())
	}
}

// Package egress decides which outside addresses the service may reach, and
// reaches them: data sources, images and deliveries all go through a Guard.
// Only http and https; names are resolved once and the connection is made to
// exactly the address that was checked; loopback, private and other special
// addresses are refused, in every form they can be written, unless the operator
// allows the host. Redirects are checked like first requests. The package knows
// addresses and bytes, nothing of reports.
package egress

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/quire-reports/quire/internal/tracing"
)

// Setting is the name of the setting that allows hosts, as errors show it.
const Setting = "Egress__AllowHosts"

// Config is what an operator may set.
type Config struct {
	// AllowHosts are hosts that may be reached although their address is
	// private: names ("erp.intern", "*.intern"), addresses and networks
	// ("10.1.0.0/16").
	AllowHosts []string
	// Beside is a guard whose hosts may be reached, too, also those that it allows
	// later on.
	Beside *Guard
	// MaxBytes bounds one answer; default 64 MB.
	MaxBytes int64
	// Timeout bounds one request with its redirects and its answer; default 30 s.
	Timeout time.Duration
	// MaxRedirects bounds the redirects of one request; default 5.
	MaxRedirects int
	// Resolver finds addresses; default the system's.
	Resolver Resolver
}

// Resolver finds the addresses of a host name.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Guard makes requests that pass the rules. It is safe for use by several
// goroutines.
type Guard struct {
	config Config
	allow  atomic.Pointer[allowList]
	client atomic.Pointer[http.Client] // anew with each list
}

// New makes a guard. An entry of AllowHosts that is none is an error naming it.
func New(config Config) (*Guard, error) {
	if config.MaxBytes <= 0 {
		config.MaxBytes = 64 << 20
	}
	if config.Timeout <= 0 {
		config.Timeout = 30 * time.Second
	}
	if config.MaxRedirects <= 0 {
		config.MaxRedirects = 5
	}
	if config.Resolver == nil {
		config.Resolver = net.DefaultResolver
	}
	g := &Guard{config: config}
	if err := g.Allow(config.AllowHosts); err != nil {
		return nil, err
	}
	return g, nil
}

// Allow allows hosts, and no others, from now on: a request that begins later uses
// no connection from before, also none that was busy meanwhile. What is under way
// ends in peace, and so does what was connected by DialContext.
func (g *Guard) Allow(hosts []string) error {
	allow, err := parseAllow(hosts)
	if err != nil {
		return err
	}
	g.allow.Store(&allow)
	before := g.client.Swap(&http.Client{Transport: tracing.Transport(g.transport()), CheckRedirect: g.checkRedirect})
	if before != nil {
		before.CloseIdleConnections()
	}
	return nil
}

// allows is whether a host may be reached although its address is a special one.
func (g *Guard) allows(host string, addr netip.Addr) bool {
	list := g.allow.Load()
	return list.addr(addr) || list.name(host) || g.config.Beside != nil && g.config.Beside.allows(host, addr)
}

// transport takes no proxy from the environment: it would reach for us what we
// may not.
func (g *Guard) transport() *http.Transport {
	return &http.Transport{
		DialContext:            g.DialContext,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    4,
		MaxConnsPerHost:        32,
		IdleConnTimeout:        60 * time.Second,
		TLSHandshakeTimeout:    10 * time.Second,
		ResponseHeaderTimeout:  g.config.Timeout,
		MaxResponseHeaderBytes: 256 << 10,
	}
}

// Close ends idle connections.
func (g *Guard) Close() { g.client.Load().CloseIdleConnections() }

// Refused is a request that the guard does not make.
type Refused struct {
	Host   string
	Reason string
	// Allowable is whether the operator can allow it by a setting.
	Allowable bool
	Detail    string // for the log: what nobody outside should learn
}

// Error names the host and, if there is one, the setting that would allow it.
func (r *Refused) Error() string {
	message := fmt.Sprintf("the host %q may not be reached: %s", r.Host, r.Reason)
	if r.Allowable {
		message += "; the operator can allow it with " + Setting
	}
	return message
}

// Check says whether an address is one that may be asked at all: its scheme,
// its form, and its host as far as that can be told without resolving it.
func (g *Guard) Check(u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" {
		return &Refused{Host: u.Host, Reason: fmt.Sprintf("its address begins with %q; only http and https are accepted", u.Scheme+":")}
	}
	host := normalHost(u.Hostname())
	if host == "" {
		return &Refused{Host: u.Host, Reason: "the address names no host"}
	}
	if strings.Contains(host, "%") {
		return &Refused{Host: host, Reason: "an address with a zone is a local one"}
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		return g.checkAddr(host, addr)
	}
	if looksNumeric(host) {
		return &Refused{Host: host, Reason: "it is a number in a form that hides an address; write four decimal numbers"}
	}
	return nil
}

// noPublicHost is said of names that lead inside and of those that lead nowhere:
// the difference would tell which names there are inside.
const noPublicHost = "there is no public host of this name"

// normalHost is a host as it is compared: lower case, without a final dot.
func normalHost(host string) string { return strings.TrimSuffix(strings.ToLower(host), ".") }

// looksNumeric is whether some resolvers would read a name as an IPv4 address:
// its last label is a decimal, octal or hexadecimal number.
func looksNumeric(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	if digits, isHex := strings.CutPrefix(last, "0x"); isHex {
		return strings.Trim(digits, "0123456789abcdef") == ""
	}
	return last != "" && strings.Trim(last, "0123456789") == ""
}

func (g *Guard) checkAddr(host string, addr netip.Addr) error {
	reason := refusal(addr)
	if reason == "" || g.allows(host, addr) {
		return nil
	}
	if host != addr.String() { // whose address is not told, nor that there is one
		return &Refused{Host: host, Reason: noPublicHost, Allowable: true, Detail: fmt.Sprintf("it is %s, which is %s", addr, reason)}
	}
	return &Refused{Host: host, Reason: "it is " + reason, Allowable: true}
}

// DialContext connects to a host by a checked address. It fits http.Transport
// and other clients that take a dialer.
func (g *Guard) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	host = normalHost(host)
	addrs, err := g.resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	dialer := net.Dialer{Timeout: 10 * time.Second, Control: func(_, target string, _ syscall.RawConn) error {
		return g.checkTarget(host, target)
	}}
	for _, addr := range addrs {
		var conn net.Conn
		if conn, err = dialer.DialContext(ctx, network, net.JoinHostPort(addr.String(), port)); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// resolve gives the addresses of a host when all of them may be reached: a
// name that also has a private address is not trusted.
func (g *Guard) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr}, g.checkAddr(host, addr)
	}
	if looksNumeric(host) {
		return nil, &Refused{Host: host, Reason: "it is a number in a form that hides an address"}
	}
	addrs, err := g.config.Resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, lookupError(ctx, host, err)
	}
	for i, addr := range addrs {
		addrs[i] = addr.Unmap()
		if err := g.checkAddr(host, addrs[i]); err != nil {
			return nil, err
		}
	}
	if len(addrs) == 0 {
		return nil, &Failed{Host: host, Reason: "it has no address"}
	}
	return addrs, nil
}

func lookupError(ctx context.Context, host string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var dns *net.DNSError
	if errors.As(err, &dns) && dns.IsNotFound {
		return &Failed{Host: host, Unknown: true, Err: err}
	}
	return &Failed{Host: host, Reason: "its name could not be resolved", Err: err}
}

// checkTarget looks once more at the address that the system is about to
// connect to.
func (g *Guard) checkTarget(host, target string) error {
	at, err := netip.ParseAddrPort(target)
	if err != nil {
		return &Refused{Host: host, Reason: "its address cannot be read"}
	}
	return g.checkAddr(host, at.Addr())
}

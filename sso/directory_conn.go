package sso

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-ldap/ldap/v3"
)

// Bounds of what a directory may make us wait for and read.
const (
	directoryDial    = 5 * time.Second
	directoryAnswer  = 10 * time.Second
	directoryBytes   = 16 << 20         // of one connection
	serverRests      = 30 * time.Second // after it did not answer; it is asked last
	accountRests     = time.Minute      // after ours was refused, so that it is not locked
	defaultLDAPPort  = "389"
	defaultLDAPSPort = "636"
)

// CheckServer accepts the address of a server of a directory: encrypted, or on
// this machine.
func CheckServer(address string, startTLS bool) error {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.User != nil || u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "ldap" && u.Scheme != "ldaps" {
		return fmt.Errorf("%q is not accepted; accepted: such as ldaps://dc1.example.com, or ldap://dc1.example.com, which goes on encrypted by StartTLS", address)
	}
	if u.Scheme == "ldap" && !startTLS && !isLoopback(u.Hostname()) {
		return fmt.Errorf("%q would carry passwords unencrypted; accepted without StartTls: ldaps://…, and ldap://… on this machine only", address)
	}
	return nil
}

func isLoopback(host string) bool {
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.IsLoopback()
	}
	return strings.EqualFold(host, "localhost")
}

// hostAndPort is where a server listens.
func hostAndPort(server *url.URL) string {
	port := server.Port()
	if port == "" {
		port = defaultLDAPPort
		if server.Scheme == "ldaps" {
			port = defaultLDAPSPort
		}
	}
	return net.JoinHostPort(server.Hostname(), port)
}

// directoryConn is a connection on which our own account has signed in.
type directoryConn struct {
	*ldap.Conn
	of   *Directory
	stop func() bool
}

func (c *directoryConn) close() {
	c.stop()
	_ = c.Close()
}

// connect takes the first server that answers; one that did not lately comes last.
func (d *Directory) connect(ctx context.Context) (*directoryConn, error) {
	var faults []error
	for _, server := range d.inOrder() {
		if ctx.Err() != nil {
			break
		}
		c, err := d.connectTo(ctx, server)
		d.note(server, err)
		if err == nil {
			return c, nil
		}
		faults = append(faults, fmt.Errorf("%s: %w", server, err))
		if errors.Is(err, errOurAccount) { // others would count it, too
			break
		}
	}
	return nil, &Refusal{Why: Unreachable, Err: errors.Join(append(faults, ctx.Err())...)}
}

// inOrder are the servers, those that failed lately last.
func (d *Directory) inOrder() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	order := slices.Clone(d.Servers)
	slices.SortStableFunc(order, func(a, b string) int {
		resting := func(s string) int {
			if at, ok := d.failed[s]; ok && d.clock().Sub(at) < serverRests {
				return 1
			}
			return 0
		}
		return resting(a) - resting(b)
	})
	return order
}

func (d *Directory) note(server string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case errors.Is(err, errOurAccount):
		d.barred = d.clock()
	case err != nil:
		d.failed[server] = d.clock()
	default:
		delete(d.failed, server)
	}
}

// errOurAccount is a directory that does not know the account of this service.
var errOurAccount = errors.New("the account that looks people up is refused")

func (d *Directory) connectTo(ctx context.Context, server string) (*directoryConn, error) {
	d.mu.Lock()
	barred := !d.barred.IsZero() && d.clock().Sub(d.barred) < accountRests
	d.mu.Unlock()
	if barred {
		return nil, fmt.Errorf("%w, less than a minute ago; it is not tried again so soon, as that could lock it", errOurAccount)
	}
	at, err := url.Parse(server)
	if err != nil {
		return nil, err
	}
	dialing, done := context.WithTimeout(ctx, directoryDial)
	defer done()
	raw, err := d.dialer.DialContext(dialing, "tcp", hostAndPort(at))
	if err != nil {
		return nil, err
	}
	var conn net.Conn = &boundedConn{Conn: raw, left: directoryBytes}
	encryption := &tls.Config{ServerName: at.Hostname(), RootCAs: d.CA, MinVersion: tls.VersionTLS12}
	if at.Scheme == "ldaps" {
		secure := tls.Client(conn, encryption)
		if err := secure.HandshakeContext(dialing); err != nil {
			return nil, errors.Join(err, raw.Close())
		}
		conn = secure
	}
	c := &directoryConn{Conn: ldap.NewConn(conn, at.Scheme == "ldaps"), of: d}
	c.stop = context.AfterFunc(ctx, func() { _ = raw.Close() })
	c.SetTimeout(directoryAnswer)
	c.Start()
	if at.Scheme == "ldap" && d.StartTLS {
		// The library waits for the handshake without a limit of its own.
		limit := context.AfterFunc(dialing, func() { _ = raw.Close() })
		err = c.StartTLS(encryption)
		limit()
	}
	if err == nil {
		err = c.bind()
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// bind signs in as the account that looks people up.
func (c *directoryConn) bind() error {
	var err error
	if c.of.BindDN == "" {
		err = c.UnauthenticatedBind("")
	} else {
		err = c.Bind(c.of.BindDN, c.of.BindPassword)
	}
	if ldap.IsErrorAnyOf(err, ldap.LDAPResultInvalidCredentials, ldap.LDAPResultInappropriateAuthentication, ldap.LDAPResultInvalidDNSyntax, ldap.LDAPResultUnwillingToPerform) {
		return &Refusal{Why: Unreachable, Err: fmt.Errorf("%w: %w", errOurAccount, err)}
	}
	if err != nil {
		return unreachable(err)
	}
	return nil
}

// passwordOf tells whether a password is that of a person.
func (c *directoryConn) passwordOf(dn, password string) error {
	result, err := c.SimpleBind(ldap.NewSimpleBindRequest(dn, password, []ldap.Control{ldap.NewControlBeheraPasswordPolicy()}))
	policy := policyOf(result)
	switch {
	case err == nil && (policy == nil || policy.Error != policyChangeNow):
		return nil
	case err == nil, policy != nil && policy.Error == policyExpired, isExpired(err):
		return &Refusal{Why: Expired, Err: err}
	case ldap.IsErrorAnyOf(err, ldap.LDAPResultInvalidCredentials, ldap.LDAPResultInappropriateAuthentication, ldap.LDAPResultUnwillingToPerform,
		ldap.LDAPResultConstraintViolation, ldap.LDAPResultInsufficientAccessRights, ldap.LDAPResultNoSuchObject, ldap.LDAPResultInvalidDNSyntax):
		return &Refusal{Why: WrongPassword, Err: err}
	}
	return unreachable(err)
}

// What the password policy of a directory says besides.
const (
	policyExpired   = 0
	policyChangeNow = 2
)

func policyOf(result *ldap.SimpleBindResult) *ldap.ControlBeheraPasswordPolicy {
	if result == nil {
		return nil
	}
	policy, _ := ldap.FindControl(result.Controls, ldap.ControlTypeBeheraPasswordPolicy).(*ldap.ControlBeheraPasswordPolicy)
	return policy
}

// isExpired reads what Active Directory says of a right password that is to be
// changed first: code 532 and 773.
func isExpired(err error) bool {
	var said *ldap.Error
	if !errors.As(err, &said) || said.ResultCode != ldap.LDAPResultInvalidCredentials || said.Err == nil {
		return false
	}
	text := said.Err.Error()
	return strings.Contains(text, "data 532,") || strings.Contains(text, "data 773,")
}

// boundedConn reads no more than it may.
type boundedConn struct {
	net.Conn
	left int
}

func (c *boundedConn) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, fmt.Errorf("the directory sends more than %d MB", directoryBytes>>20)
	}
	n, err := c.Conn.Read(p[:min(len(p), c.left)])
	c.left -= n
	return n, err
}

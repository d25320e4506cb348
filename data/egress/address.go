package egress

import (
	"fmt"
	"net/netip"
	"strings"
)

// special are the networks that no request may reach unless the operator
// allows it, with the words for the error.
var special = []struct {
	prefix netip.Prefix
	is     string
}{
	{netip.MustParsePrefix("0.0.0.0/8"), "an address of this network"},
	{netip.MustParsePrefix("10.0.0.0/8"), "a private address"},
	{netip.MustParsePrefix("100.64.0.0/10"), "an address of a provider's inner network"},
	{netip.MustParsePrefix("127.0.0.0/8"), "the address of this machine itself"},
	{netip.MustParsePrefix("169.254.0.0/16"), "a link-local address"},
	{netip.MustParsePrefix("172.16.0.0/12"), "a private address"},
	{netip.MustParsePrefix("192.0.0.0/24"), "a reserved address"},
	{netip.MustParsePrefix("192.0.2.0/24"), "an address for documentation"},
	{netip.MustParsePrefix("192.88.99.0/24"), "a reserved address"},
	{netip.MustParsePrefix("192.168.0.0/16"), "a private address"},
	{netip.MustParsePrefix("198.18.0.0/15"), "an address for measurements"},
	{netip.MustParsePrefix("198.51.100.0/24"), "an address for documentation"},
	{netip.MustParsePrefix("203.0.113.0/24"), "an address for documentation"},
	{netip.MustParsePrefix("224.0.0.0/4"), "a multicast address"},
	{netip.MustParsePrefix("240.0.0.0/4"), "a reserved address"},
	{netip.MustParsePrefix("::/128"), "an address of this network"},
	{netip.MustParsePrefix("::1/128"), "the address of this machine itself"},
	{netip.MustParsePrefix("::/96"), "an IPv4 address in a form that is no longer used"},
	{netip.MustParsePrefix("64:ff9b:1::/48"), "an address of a local translator"},
	{netip.MustParsePrefix("100::/64"), "an address that leads nowhere"},
	{netip.MustParsePrefix("2001::/23"), "a reserved address"},
	{netip.MustParsePrefix("2001:db8::/32"), "an address for documentation"},
	{netip.MustParsePrefix("3fff::/20"), "an address for documentation"},
	{netip.MustParsePrefix("5f00::/16"), "a reserved address"},
	{netip.MustParsePrefix("fc00::/7"), "a private address"},
	{netip.MustParsePrefix("fe80::/10"), "a link-local address"},
	{netip.MustParsePrefix("fec0::/10"), "a private address"},
	{netip.MustParsePrefix("ff00::/8"), "a multicast address"},
}

// embedded are the networks whose addresses carry an IPv4 address, and where.
var embedded = []struct {
	prefix netip.Prefix
	at     int // first of the four bytes
}{
	{netip.MustParsePrefix("::ffff:0:0/96"), 12},   // IPv4-mapped
	{netip.MustParsePrefix("::ffff:0:0:0/96"), 12}, // IPv4-translated
	{netip.MustParsePrefix("64:ff9b::/96"), 12},    // NAT64
	{netip.MustParsePrefix("2002::/16"), 2},        // 6to4
}

// refusal says what a special address is; it is empty for an ordinary one.
func refusal(addr netip.Addr) string {
	if addr.Zone() != "" {
		return "a local address with a zone"
	}
	addr = addr.Unmap()
	if inner, ok := innerIPv4(addr); ok {
		return refusal(inner)
	}
	for _, s := range special {
		if s.prefix.Contains(addr) {
			return s.is
		}
	}
	return ""
}

// innerIPv4 is the IPv4 address inside an IPv6 one.
func innerIPv4(addr netip.Addr) (netip.Addr, bool) {
	if !addr.Is6() {
		return netip.Addr{}, false
	}
	b := addr.As16()
	for _, e := range embedded {
		if e.prefix.Contains(addr) {
			return netip.AddrFrom4([4]byte(b[e.at : e.at+4])), true
		}
	}
	return netip.Addr{}, false
}

// allowList is what an operator allows.
type allowList struct {
	names    map[string]bool
	suffixes []string // ".intern" of "*.intern"
	networks []netip.Prefix
}

func parseAllow(entries []string) (allowList, error) {
	list := allowList{names: map[string]bool{}}
	for _, e := range entries {
		e = normalHost(strings.TrimSpace(e))
		if e == "" {
			continue
		}
		if err := list.add(e); err != nil {
			return list, err
		}
	}
	return list, nil
}

func (l *allowList) add(entry string) error {
	if network, err := netip.ParsePrefix(entry); err == nil {
		l.networks = append(l.networks, network.Masked())
		return nil
	}
	if addr, err := netip.ParseAddr(strings.Trim(entry, "[]")); err == nil {
		addr = addr.Unmap()
		l.networks = append(l.networks, netip.PrefixFrom(addr, addr.BitLen()))
		return nil
	}
	if suffix, ok := strings.CutPrefix(entry, "*."); ok && isName(suffix) {
		l.suffixes = append(l.suffixes, "."+suffix)
		return nil
	}
	if !isName(entry) {
		return fmt.Errorf("%s: %q is no host; accepted: a name such as erp.intern or *.intern, an address, a network such as 10.1.0.0/16", Setting, entry)
	}
	l.names[entry] = true
	return nil
}

func isName(s string) bool {
	return s != "" && !strings.ContainsAny(s, "/:*@ \t[]?#%") && !strings.HasPrefix(s, ".") && !looksNumeric(s)
}

func (l *allowList) name(host string) bool {
	if l.names[host] {
		return true
	}
	for _, s := range l.suffixes {
		if strings.HasSuffix(host, s) {
			return true
		}
	}
	return false
}

// addr is whether a network of the list holds an address, in whatever form
// that is written.
func (l *allowList) addr(addr netip.Addr) bool {
	addr = addr.Unmap()
	inner, hasInner := innerIPv4(addr)
	for _, n := range l.networks {
		if n.Contains(addr) || hasInner && n.Contains(inner) {
			return true
		}
	}
	return false
}

package access

import (
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
)

// Proxies tells where requests come from when proxies stand in between. What
// their headers say is believed of trusted ones only: anybody can send them.
type Proxies struct {
	Trusted []netip.Prefix
	Log     *slog.Logger // may be nil

	warn sync.Once
}

// maxHops bounds how many addresses of a header are looked at.
const maxHops = 32

// Address is where a request comes from: the last address, seen from us, that
// is no trusted proxy. IPv6 addresses are without zone, IPv4 ones never mapped.
func (p *Proxies) Address(r *http.Request) string {
	address, ok := addressOf(r.RemoteAddr)
	if !ok {
		return r.RemoteAddr // of a test, or of a socket
	}
	hops := forwardedFor(r.Header)
	for i := len(hops) - 1; i >= 0 && i >= len(hops)-maxHops && p.trusts(address); i-- {
		before, ok := addressOf(hops[i])
		if !ok {
			break
		}
		address = before
	}
	return address.String()
}

// scheme is what the browser spoke to the proxy nearest to it, as far as a
// header says so and may be believed; else nothing. Without trusted proxies in
// the settings everybody is believed, as always: who lies only spoils cookies of
// their own.
func (p *Proxies) scheme(r *http.Request) (scheme string, trusted bool) {
	said := forwardedScheme(r.Header)
	if said == "" {
		return "", false
	}
	if peer, ok := addressOf(r.RemoteAddr); ok && p.trusts(peer) {
		return said, true
	}
	p.warn.Do(func() { p.warnOf(r.RemoteAddr) })
	if len(p.Trusted) > 0 {
		return "", false
	}
	return said, false
}

func (p *Proxies) warnOf(peer string) {
	if p.Log == nil {
		return
	}
	effect := "the header decides about Secure cookies, and all users of the proxy count as one address; set TrustedProxies to the proxy's address"
	if len(p.Trusted) > 0 {
		effect = "the header is ignored; add the address to TrustedProxies if it is a proxy of yours"
	}
	p.Log.Warn("X-Forwarded-Proto comes from an address that TrustedProxies does not name", "peer", peer, "effect", effect)
}

func (p *Proxies) trusts(address netip.Addr) bool {
	return slices.ContainsFunc(p.Trusted, func(known netip.Prefix) bool { return known.Contains(address) })
}

// forwardedFor are the addresses that proxies added, the nearest to us last.
// X-Forwarded-For is asked first, as nearly every proxy writes that one.
func forwardedFor(h http.Header) []string {
	if values := h.Values("X-Forwarded-For"); len(values) > 0 {
		return strings.Split(strings.Join(values, ","), ",")
	}
	var hops []string
	for _, hop := range forwarded(h) {
		hops = append(hops, hop["for"])
	}
	return hops
}

// forwardedScheme is the first of the list, http or https: each proxy adds what
// it was spoken to with.
func forwardedScheme(h http.Header) string {
	said, _, _ := strings.Cut(strings.Join(h.Values("X-Forwarded-Proto"), ","), ",")
	if hops := forwarded(h); said == "" && len(hops) > 0 {
		said = hops[0]["proto"]
	}
	switch said = strings.ToLower(strings.TrimSpace(said)); said {
	case "http", "https":
		return said
	}
	return ""
}

// forwarded are the elements of the header Forwarded (RFC 7239). Quoted texts
// with commas or semicolons, which addresses never have, are not understood.
func forwarded(h http.Header) []map[string]string {
	text := strings.Join(h.Values("Forwarded"), ",")
	if text == "" {
		return nil
	}
	var hops []map[string]string
	for element := range strings.SplitSeq(text, ",") {
		hop := map[string]string{}
		for pair := range strings.SplitSeq(element, ";") {
			name, value, _ := strings.Cut(pair, "=")
			hop[strings.ToLower(strings.TrimSpace(name))] = strings.Trim(strings.TrimSpace(value), `"`)
		}
		hops = append(hops, hop)
	}
	return hops
}

// addressOf reads an address with or without a port and brackets.
func addressOf(text string) (netip.Addr, bool) {
	text = strings.TrimSpace(text)
	address, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	if err != nil {
		with, err := netip.ParseAddrPort(text)
		if err != nil {
			return netip.Addr{}, false
		}
		address = with.Addr()
	}
	return address.Unmap().WithZone(""), true
}

package access

import (
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Names of the cookies. Those of previews go on with "_" and an ending of each.
const (
	SessionCookie = "quire_session"
	PreviewCookie = "quire_preview"
	PendingCookie = "quire_sign_in" // while the user is away at a provider
	PasskeyCookie = "quire_passkey" // while the user is asked for a passkey
)

// Cookies writes cookies with the attributes that fit the request.
type Cookies struct {
	PathBase string
	Public   *url.URL // address under which people reach the service; may be nil
	Proxies  *Proxies // may be nil: then what proxies say is not believed
}

// session is the cookie of the sign-in page.
func (c Cookies) session(r *http.Request, value string, expires time.Time) *http.Cookie {
	return c.cookie(SessionCookie, value, expires, c.secure(r))
}

// preview is the cookie made from a nonce. It has to work in a frame on a page
// of another site, which takes SameSite=None, Secure and, where third-party
// cookies are kept apart, Partitioned.
func (c Cookies) preview(r *http.Request, name, value string, expires time.Time) *http.Cookie {
	cookie := c.cookie(name, value, expires, c.secure(r) || trustedFrame(r))
	if cookie.Secure {
		cookie.SameSite = http.SameSiteNoneMode
		cookie.Partitioned = true
	}
	return cookie
}

// trustedFrame tells that a browser loads us over plain HTTP into a frame of
// another origin and yet counts our address as trustworthy, as it does with
// localhost: only then it sends these headers, and then it also takes Secure
// cookies, while SameSite=Lax would not be sent from that frame. That holds on
// the same site, too, as what a sandboxed frame asks for is of no site.
func trustedFrame(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return (site == "cross-site" || site == "same-site") && r.Header.Get("Sec-Fetch-Dest") == "iframe"
}

// staysOnSite tells that a browser sends the cookies of previews only with what
// pages of our own origin ask for: over plain HTTP, at an address that it does
// not count as trustworthy, so that it takes no Secure cookies.
func (c Cookies) staysOnSite(r *http.Request) bool {
	return !c.secure(r) && r.Header.Get("Sec-Fetch-Site") == ""
}

func (c Cookies) cookie(name, value string, expires time.Time, secure bool) *http.Cookie {
	cookie := &http.Cookie{
		Name: name, Value: value, Path: c.PathBase, Expires: expires,
		HttpOnly: true, Secure: secure, SameSite: http.SameSiteLaxMode,
	}
	if cookie.Path == "" {
		cookie.Path = "/"
	}
	if value == "" {
		cookie.Expires, cookie.MaxAge = time.Time{}, -1
	}
	return cookie
}

// secure tells whether the browser reached us over HTTPS, perhaps through a
// proxy that ends it.
func (c Cookies) secure(r *http.Request) bool {
	if c.Proxies != nil {
		if said, _ := c.Proxies.scheme(r); said != "" {
			return said == "https"
		}
	}
	return c.Encrypted(r)
}

// Encrypted is whether the browser reached us over HTTPS by what nobody can
// forge: the connection, a trusted proxy or the public address.
func (c Cookies) Encrypted(r *http.Request) bool {
	if c.Proxies != nil {
		if said, trusted := c.Proxies.scheme(r); trusted {
			return said == "https"
		}
	}
	return r.TLS != nil || c.Public != nil && c.Public.Scheme == "https" && strings.EqualFold(c.Public.Host, r.Host)
}

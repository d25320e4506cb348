package access

import (
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Names of the cookies.
const (
	SessionCookie = "quire_session"
	PreviewCookie = "quire_preview"
)

// Cookies writes cookies with the attributes that fit the request.
type Cookies struct {
	PathBase string
	Public   *url.URL // address under which people reach the service; may be nil
}

// session is the cookie of the sign-in page.
func (c Cookies) session(r *http.Request, value string, expires time.Time) *http.Cookie {
	return c.cookie(SessionCookie, value, expires, c.secure(r))
}

// preview is the cookie made from a nonce. It has to work in a frame on a page
// of another site, which takes SameSite=None, Secure and, where third-party
// cookies are kept apart, Partitioned.
func (c Cookies) preview(r *http.Request, value string, expires time.Time) *http.Cookie {
	cookie := c.cookie(PreviewCookie, value, expires, c.secure(r) || trustedFrame(r))
	if cookie.Secure {
		cookie.SameSite = http.SameSiteNoneMode
		cookie.Partitioned = true
	}
	return cookie
}

// trustedFrame tells that a browser loads us over plain HTTP into a frame of
// another site and yet counts our address as trustworthy, as it does with
// localhost: only then it sends these headers, and then it also takes Secure
// cookies, while SameSite=Lax would not be sent from that frame.
func trustedFrame(r *http.Request) bool {
	return r.Header.Get("Sec-Fetch-Site") == "cross-site" && r.Header.Get("Sec-Fetch-Dest") == "iframe"
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
	if forwarded := r.Header.Get("X-Forwarded-Proto"); forwarded != "" {
		return strings.EqualFold(forwarded, "https")
	}
	return r.TLS != nil || c.Public != nil && c.Public.Scheme == "https" && strings.EqualFold(c.Public.Host, r.Host)
}

package main

import (
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/store"
)

// folder checks that a folder is there.
func folder(v string) error {
	if info, err := os.Stat(v); err != nil || !info.IsDir() {
		return fmt.Errorf("%q is no folder; accepted: the path of one", v)
	}
	return nil
}

// isWholeFolder checks that a folder is there and does not depend on where the
// service was started.
func isWholeFolder(v string) error {
	if !filepath.IsAbs(v) {
		return fmt.Errorf("%q is no absolute path; accepted: the path of a folder from the root", v)
	}
	return folder(v)
}

func isProgram(v string) error {
	if _, err := render.FindBrowser(v); err != nil {
		return fmt.Errorf("%q is no program; accepted: the path of Chromium's executable, or its name on PATH", v)
	}
	return nil
}

// isHost takes what the guard of outgoing requests does.
func isHost(v string) error {
	guard, err := egress.New(egress.Config{AllowHosts: []string{v}})
	if err == nil {
		guard.Close()
	}
	return err
}

// origin is a source of Content-Security-Policy: a scheme, a host or both.
var origin = regexp.MustCompile(`^(\*|'self'|'none'|https?:|(https?://)?(\*\.)?[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*(:(\d+|\*))?)$`)

func isOrigin(v string) error {
	if !origin.MatchString(v) {
		return fmt.Errorf("%q is no origin; accepted: *, or such as https://portal.example.com, https://*.example.com or 'self', comma-separated", v)
	}
	return nil
}

// isPlace checks the address of something that data are kept in.
func isPlace(prefixes ...string) func(string) error {
	return func(v string) error {
		if slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(v, p) }) {
			return store.CheckAddress(v)
		}
		return fmt.Errorf("does not begin with %s", strings.Join(prefixes, " or ")) // a password may be inside
	}
}

func oneOf(values ...string) func(string) error {
	return func(v string) error {
		if slices.Contains(values, v) {
			return nil
		}
		return fmt.Errorf("%q is not accepted; accepted: %s", v, strings.Join(values, ", "))
	}
}

func isAddress(v string) error {
	if _, port, err := net.SplitHostPort(v); err != nil || port == "" {
		return fmt.Errorf("%q is no address; accepted: {host}:{port} or :{port}", v)
	}
	return nil
}

func isPathBase(v string) error {
	if !strings.HasPrefix(v, "/") || strings.HasSuffix(v, "/") || strings.ContainsAny(v, "?#;\" ") {
		return fmt.Errorf("%q is no path base; accepted: a path such as /reports, without a slash at its end", v)
	}
	return nil
}

func isHTTPURL(v string) error {
	u, err := url.Parse(v)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("%q is no address; accepted: http://… or https://…", v)
	}
	return nil
}

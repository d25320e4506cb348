package sso_test

import (
	"context"
	"crypto/x509"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/data/egress"
	"github.com/quire-reports/quire/sso"
	"github.com/quire-reports/quire/sso/ssotest"
)

// directoryAt is how the service sees a directory.
func directoryAt(t *testing.T, at *ssotest.Directory, change ...func(*sso.DirectoryConfig)) *sso.Directory {
	t.Helper()
	guard, err := egress.New(egress.Config{AllowHosts: []string{"127.0.0.1"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(guard.Close)
	c := sso.DirectoryConfig{
		Terms: sso.Terms{Name: "staff", Label: "Staff", Enabled: true}, Servers: []string{at.LDAP}, StartTLS: true, CA: at.CA,
		BindDN: ssotest.Reader, BindPassword: ssotest.ReaderPassword, UserBase: ssotest.People, GroupBase: ssotest.Groups,
	}
	c.Fill("openldap")
	for _, f := range change {
		f(&c)
	}
	return sso.NewDirectory(c, guard, time.Now)
}

func always(context.Context, string) error { return nil }

// why is the reason of a refusal; empty: there is none.
func why(err error) sso.Why {
	var refusal *sso.Refusal
	if errors.As(err, &refusal) {
		return refusal.Why
	}
	if err != nil {
		return sso.Why(err.Error())
	}
	return ""
}

func TestDirectorySignIn(t *testing.T) {
	at := ssotest.NewDirectory(t)
	ana := at.AddPerson("ana", "correct horse")
	at.AddPerson("star*name", "correct horse")
	at.AddPerson("paren(s)", `back\slash "quotes"`)
	at.AddGroup("authors", ana)
	at.AddGroup("Sales & Söhne, Ltd", ana)
	d := directoryAt(t, at)
	id, err := d.SignIn(t.Context(), "ana", "correct horse", always)
	if err != nil {
		t.Fatal(err)
	}
	if id.Issuer != "ldap:staff" || len(id.Subject) != 36 || id.Email != "ana@company.example" || id.Name != "Person ana" || id.EmailVerified ||
		!slices.Equal(id.Groups, []string{"Sales & Söhne, Ltd", "authors"}) {
		t.Errorf("got %+v", id)
	}
	if again, err := d.SignIn(t.Context(), "ANA", "correct horse", always); err != nil || again.Subject != id.Subject {
		t.Errorf("in capitals: %+v %v", again, err)
	}
	for name, password := range map[string]string{"star*name": "correct horse", "paren(s)": `back\slash "quotes"`} {
		if _, err := d.SignIn(t.Context(), name, password, always); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range [][2]string{
		{"ana", "wrong"},
		{"ana", ""},
		{"ana", "correct horse\x00"},
		{"ana", "correct horse "},
		{"", "correct horse"},
		{"nobody", "correct horse"},
		{"an*", "correct horse"},
		{"*", "correct horse"},
		{"ana)(uid=*", "correct horse"},
		{"*)(|(uid=*", "correct horse"},
		{"ana\x00", "correct horse"},
		{`ana\`, "correct horse"},
		{`\61na`, "correct horse"},
		{"ana)(objectClass=*", "correct horse"},
		{"{name}", "correct horse"},
		{"{dn}", "correct horse"},
		{"uid=ana," + ssotest.People, "correct horse"},
		{"ana\n", "correct horse"},
		{"ana\xff", "correct horse"},
		{strings.Repeat("a", 300), "correct horse"},
		{"ana", strings.Repeat("a", 5000)},
		{ssotest.Reader, ssotest.ReaderPassword},
		{"reader", ssotest.ReaderPassword},
	} {
		if id, err := d.SignIn(t.Context(), c[0], c[1], always); why(err) != sso.WrongPassword {
			t.Errorf("%q with %q: %+v %v", c[0], c[1], id, err)
		}
	}
}

func TestGuessesAreAskedFor(t *testing.T) {
	at := ssotest.NewDirectory(t)
	at.AddPerson("ana", "correct horse")
	d := directoryAt(t, at)
	enough, asked := errors.New("enough"), []string{}
	may := func(_ context.Context, person string) error {
		asked = append(asked, person)
		return enough
	}
	for _, name := range []string{"ana", "ANA", " ana ", "nobody", "NOBODY"} {
		if _, err := d.SignIn(t.Context(), name, "correct horse", may); !errors.Is(err, enough) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(asked) != 5 || asked[0] != asked[1] || asked[0] != asked[2] || asked[3] != asked[4] || asked[0] == asked[3] {
		t.Errorf("asked for %q", asked)
	}
}

func TestDirectoryOverTLS(t *testing.T) {
	at := ssotest.NewDirectory(t)
	at.AddPerson("ana", "correct horse")
	other := ssotest.NewDirectory(t) // with an authority of its own
	for _, c := range []struct {
		name   string
		change func(*sso.DirectoryConfig)
		want   string
	}{
		{"StartTLS", func(*sso.DirectoryConfig) {}, ""},
		{"TLS", func(c *sso.DirectoryConfig) { c.Servers = []string{at.LDAPS} }, ""},
		{"plain on this machine", func(c *sso.DirectoryConfig) { c.StartTLS, c.CA = false, nil }, ""},
		{"StartTLS, another authority", func(c *sso.DirectoryConfig) { c.CA = other.CA }, "certificate signed by unknown authority"},
		{"TLS, another authority", func(c *sso.DirectoryConfig) { c.Servers, c.CA = []string{at.LDAPS}, other.CA }, "certificate signed by unknown authority"},
		{"TLS, those of the system", func(c *sso.DirectoryConfig) { c.Servers, c.CA = []string{at.LDAPS}, nil }, "certificate signed by unknown authority"},
		{"TLS, no authority", func(c *sso.DirectoryConfig) { c.Servers, c.CA = []string{at.LDAPS}, x509.NewCertPool() }, "certificate signed by unknown authority"},
		{"TLS at the other port", func(c *sso.DirectoryConfig) { c.Servers = []string{strings.Replace(at.LDAP, "ldap:", "ldaps:", 1)} }, ""},
	} {
		id, err := directoryAt(t, at, c.change).SignIn(t.Context(), "ana", "correct horse", always)
		switch {
		case c.name == "TLS at the other port":
			if why(err) != sso.Unreachable {
				t.Errorf("%s: %v", c.name, err)
			}
		case c.want == "" && err != nil, c.want != "" && (why(err) != sso.Unreachable || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %+v %v", c.name, id, err)
		}
	}
}

func TestServersOfADirectoryThatFail(t *testing.T) {
	at := ssotest.NewDirectory(t)
	at.AddPerson("ana", "correct horse")
	dead := ssotest.NewDirectory(t)
	dead.Stop()
	d := directoryAt(t, at, func(c *sso.DirectoryConfig) { c.Servers = []string{dead.LDAP, at.LDAP} })
	for range 2 {
		if _, err := d.SignIn(t.Context(), "ana", "correct horse", always); err != nil {
			t.Fatal(err)
		}
	}
	at.Stop()
	if _, err := d.SignIn(t.Context(), "ana", "correct horse", always); why(err) != sso.Unreachable || !strings.Contains(err.Error(), dead.LDAP) || !strings.Contains(err.Error(), at.LDAP) {
		t.Errorf("none: %v", err)
	}
	at.Start()
	if _, err := d.SignIn(t.Context(), "ana", "correct horse", always); err != nil {
		t.Errorf("back again: %v", err)
	}

	// A server that says nothing costs a bounded time.
	silent := silentServer(t)
	began := time.Now()
	d = directoryAt(t, at, func(c *sso.DirectoryConfig) { c.Servers, c.StartTLS = []string{"ldap://" + silent}, false })
	limited, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	if _, err := d.SignIn(limited, "ana", "correct horse", always); why(err) != sso.Unreachable || time.Since(began) > 5*time.Second {
		t.Errorf("a silent server: %v after %v", err, time.Since(began))
	}

	// Our own account is not tried until it is locked.
	d = directoryAt(t, at, func(c *sso.DirectoryConfig) { c.Servers, c.BindPassword = []string{at.LDAP, at.LDAPS}, "wrong" })
	for i, want := range []string{"Invalid Credentials", "less than a minute ago"} {
		if _, err := d.SignIn(t.Context(), "ana", "correct horse", always); why(err) != sso.Unreachable || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), at.LDAPS) {
			t.Errorf("wrong account, time %d: %v", i+1, err)
		}
	}
}

func TestHostsOfDirectoriesPassTheGuard(t *testing.T) {
	at := ssotest.NewDirectory(t)
	guard, err := egress.New(egress.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(guard.Close)
	d := sso.NewDirectory(directoryAt(t, at).DirectoryConfig, guard, time.Now)
	var refused *egress.Refused
	if _, err := d.SignIn(t.Context(), "ana", "x", always); !errors.As(err, &refused) {
		t.Errorf("got %v", err)
	}
}

// silentServer takes connections and says nothing.
func silentServer(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l.Addr().String()
}

package main

import (
	"context"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/quire-reports/quire/sso/ssotest"
)

// The service with settings as docs/sso.md has them: somebody signs in over TLS,
// and is out soon after the directory has disabled them.
func TestTheServiceFollowsADirectory(t *testing.T) {
	at := ssotest.NewDirectory(t)
	ana := at.AddPerson("ana", "correct horse")
	at.AddGroup("reporting", ana)
	secret := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(secret, []byte(ssotest.ReaderPassword+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const is = "Sso__Providers__0__"
	env := []string{
		is + "Name=example", is + "Type=ldap", is + "Label=Example Ltd", is + "Groups=reporting = demo:Viewer", is + "RequiredGroups=reporting",
		is + "Ldap__Servers=ldaps://127.0.0.1:1, " + at.LDAPS, is + "Ldap__CaFile=" + at.CAFile, is + "Ldap__BindDn=" + ssotest.Reader, is + "Ldap__BindPassword_FILE=" + secret,
		is + "Ldap__UserBase=" + ssotest.People, is + "Ldap__GroupBase=" + ssotest.Groups,
	}
	env = append(env, "DataDir="+t.TempDir())
	service, stop := served(t, env...)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	status := func(resp *http.Response, err error) int {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	enter := func(password string) int {
		t.Helper()
		return status(browser.PostForm(service+"/sign-in", url.Values{"place": {"example"}, "email": {"ana"}, "password": {password}}))
	}
	if got := enter("wrong"); got != 422 {
		t.Errorf("a wrong password: %d", got)
	}
	if got := enter("correct horse"); got != 303 {
		t.Fatalf("the right password: %d", got)
	}
	if got := status(browser.Get(service + "/ws/demo")); got != 200 {
		t.Errorf("signed in: %d", got)
	}
	cookies := jar.Cookies(address(t, service))
	at.Set(ana, "nsAccountLock", "TRUE")
	stop()
	service, stop = served(t, append(env, is+"Ldap__SyncMinutes=1")...) // so it is time at once
	defer stop()
	jar.SetCookies(address(t, service), cookies)
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if got := status(browser.Get(service + "/ws/demo")); got == 303 {
			t.Logf("out after %s", time.Since(began).Round(time.Millisecond))
			break
		}
		if time.Since(began) > 20*time.Second {
			t.Fatal("who is disabled is still in")
		}
	}
}

func address(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// served serves with settings of the environment, until it is told to stop.
func served(t *testing.T, env ...string) (service string, stop func()) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	s, err := loadSettings("", append(env, "Address="+l.Addr().String(), "Log__Level=error"), nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- serve(ctx, s) }()
	waitForAnswer(t, "http://"+s.Address)
	return "http://" + s.Address, func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

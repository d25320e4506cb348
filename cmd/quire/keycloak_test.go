package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/quire-reports/quire/internal/judges"
)

var withKeycloak = flag.Bool("keycloak", false, "sign in at a real Keycloak")

// keycloak is a running Keycloak, with a realm for the company and one for a
// stranger.
type keycloak struct {
	t   testing.TB
	url string
}

const keycloakAdmin = "admin-of-the-test"

// startKeycloak starts the Keycloak that scripts/setup.sh has fetched; it forgets
// everything when it ends.
func startKeycloak(t *testing.T) *keycloak {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		judges.Missing(t, "no folder for judges: ", err)
	}
	home := filepath.Join(cache, "quire", "keycloak", "keycloak")
	if _, err := os.Stat(filepath.Join(home, "bin", "kc.sh")); err != nil {
		judges.Missing(t, "needs Keycloak: scripts/setup.sh test fetches it")
	}
	port, watch := freePort(t), freePort(t)
	k := &keycloak{t: t, url: "http://127.0.0.1:" + port}
	var out lockedBuffer
	cmd := exec.Command("sh", filepath.Join(home, "bin", "kc.sh"), "start-dev", "--db=dev-mem", "--cache=local", "--http-host=127.0.0.1", "--http-port="+port, "--http-management-port="+watch)
	cmd.Env = append(os.Environ(), "KC_BOOTSTRAP_ADMIN_USERNAME=admin", "KC_BOOTSTRAP_ADMIN_PASSWORD="+keycloakAdmin, "JAVA_OPTS_KC_HEAP=-Xms64m -Xmx512m",
		"JAVA_OPTS_APPEND=-XX:TieredStopAtLevel=1") // it does not live long enough for more
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = &out, &out, &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // it has nothing to keep
		_ = cmd.Wait()
	})
	began := time.Now()
	tick := time.NewTicker(300 * time.Millisecond)
	defer tick.Stop()
	for {
		<-tick.C
		resp, err := http.Get(k.url + "/realms/master/.well-known/openid-configuration")
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				break
			}
		}
		if time.Since(began) > 5*time.Minute {
			t.Fatalf("Keycloak does not start: %s", out.String())
		}
	}
	t.Logf("Keycloak started in %s", time.Since(began).Round(time.Second))
	return k
}

func freePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// lockedBuffer is written by a process and read by the test.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// admin calls the admin API; into may be nil. It gives the ID of what was made.
func (k *keycloak) admin(method, path string, body, into any) (made string) {
	k.t.Helper()
	var content io.Reader
	kind := "application/json"
	switch b := body.(type) {
	case nil:
	case []byte:
		content, kind = bytes.NewReader(b), "application/xml"
	default:
		text, err := json.Marshal(b)
		if err != nil {
			k.t.Fatal(err)
		}
		content = bytes.NewReader(text)
	}
	req, err := http.NewRequest(method, k.url+"/admin/realms"+path, content)
	if err != nil {
		k.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+k.token())
	req.Header.Set("Content-Type", kind)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		k.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	if resp.StatusCode >= 300 {
		k.t.Fatalf("%s %s: %d %s", method, path, resp.StatusCode, text)
	}
	if into != nil {
		if err := json.Unmarshal(text, into); err != nil {
			k.t.Fatal(err)
		}
	}
	at := resp.Header.Get("Location")
	return at[strings.LastIndex(at, "/")+1:]
}

// token is one of the administrator, who has no long ones.
func (k *keycloak) token() string {
	k.t.Helper()
	return k.grant(k.url, "master", url.Values{"client_id": {"admin-cli"}, "username": {"admin"}, "password": {keycloakAdmin}, "grant_type": {"password"}})["access_token"]
}

// grant asks for tokens without a browser.
func (k *keycloak) grant(at, realm string, form url.Values) map[string]string {
	k.t.Helper()
	resp, err := http.PostForm(at+"/realms/"+realm+"/protocol/openid-connect/token", form)
	if err != nil {
		k.t.Fatal(err)
	}
	defer resp.Body.Close()
	var all map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&all); err != nil || resp.StatusCode != http.StatusOK {
		k.t.Fatalf("tokens: %d %v %v", resp.StatusCode, all, err)
	}
	tokens := map[string]string{}
	for name, v := range all {
		tokens[name], _ = v.(string)
	}
	return tokens
}

// realm makes a realm with people and groups.
func (k *keycloak) realm(realm string) {
	k.t.Helper()
	person := func(name string, groups ...string) map[string]any {
		return map[string]any{
			"username": name, "enabled": true, "email": name + "@" + realm + ".example", "emailVerified": true, "firstName": strings.ToUpper(name[:1]) + name[1:], "lastName": "Company",
			"groups": groups, "credentials": []any{map[string]any{"type": "password", "value": name + "-password", "temporary": false}},
		}
	}
	k.admin("POST", "", map[string]any{
		"realm": realm, "enabled": true, "groups": []any{map[string]any{"name": "staff"}, map[string]any{"name": "authors"}, map[string]any{"name": "it"}},
		"users": []any{person("ana", "/staff"), person("bo", "/staff", "/authors"), person("eva"), person("ida", "/it")},
	}, nil)
}

// openIDClient makes an application of OpenID Connect.
func (k *keycloak) openIDClient(realm, id, secret, service string) {
	k.t.Helper()
	k.admin("POST", "/"+realm+"/clients", map[string]any{
		"clientId": id, "protocol": "openid-connect", "secret": secret, "redirectUris": []string{service + "/*"}, "standardFlowEnabled": true, "directAccessGrantsEnabled": true,
		"attributes": map[string]string{
			"pkce.code.challenge.method": "S256", "post.logout.redirect.uris": service + "/*",
			"backchannel.logout.url": service + "/auth/company/backchannel-logout", "backchannel.logout.session.required": "true",
		},
		"protocolMappers": []any{map[string]any{"name": "groups", "protocol": "openid-connect", "protocolMapper": "oidc-group-membership-mapper", "config": map[string]string{
			"claim.name": "groups", "full.path": "true", "id.token.claim": "true", "userinfo.token.claim": "true",
		}}},
	}, nil)
}

// samlClient makes an application of what it says of itself, as the button
// “Import client” does, and adds what the guide adds.
func (k *keycloak) samlClient(realm string, metadata []byte, change func(client map[string]any)) {
	k.t.Helper()
	client := map[string]any{}
	k.admin("POST", "/"+realm+"/client-description-converter", metadata, &client)
	attribute := func(name, mapper string, config map[string]string) map[string]any {
		config["attribute.name"], config["attribute.nameformat"] = name, "Basic"
		return map[string]any{"name": name, "protocol": "saml", "protocolMapper": mapper, "config": config}
	}
	client["protocolMappers"] = []any{
		attribute("groups", "saml-group-membership-mapper", map[string]string{"single": "true", "full.path": "true"}),
		attribute("email", "saml-user-property-mapper", map[string]string{"user.attribute": "email"}),
		attribute("email_verified", "saml-user-property-mapper", map[string]string{"user.attribute": "emailVerified"}),
		attribute("firstName", "saml-user-property-mapper", map[string]string{"user.attribute": "firstName"}),
		attribute("lastName", "saml-user-property-mapper", map[string]string{"user.attribute": "lastName"}),
	}
	client["frontchannelLogout"] = false
	if change != nil {
		change(client)
	}
	k.admin("POST", "/"+realm+"/clients", client, nil)
}

// userID finds somebody.
func (k *keycloak) userID(realm, name string) string {
	k.t.Helper()
	var found []struct{ ID string }
	k.admin("GET", "/"+realm+"/users?exact=true&username="+name, nil, &found)
	return found[0].ID
}

// setGroup puts somebody into a group, or takes them out.
func (k *keycloak) setGroup(realm, user, group string, member bool) {
	k.t.Helper()
	var groups []struct{ ID, Name string }
	k.admin("GET", "/"+realm+"/groups?exact=true&search="+group, nil, &groups)
	method := "DELETE"
	if member {
		method = "PUT"
	}
	k.admin(method, "/"+realm+"/users/"+k.userID(realm, user)+"/groups/"+groups[0].ID, nil, nil)
}

// person is somebody with a browser, which keeps cookies and follows redirects, as people's browsers do.
type person struct {
	t      testing.TB
	client *http.Client
	// hold is the beginning of an address that is not gone to: the test does.
	hold string
}

func newPerson(t testing.TB) *person {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &person{t: t, client: &http.Client{Jar: loopback{jar}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// loopback sends cookies for HTTPS to this machine, as browsers do.
type loopback struct{ jar *cookiejar.Jar }

func (l loopback) Cookies(u *url.URL) []*http.Cookie { return l.jar.Cookies(secured(u)) }
func (l loopback) SetCookies(u *url.URL, cookies []*http.Cookie) {
	l.jar.SetCookies(secured(u), cookies)
}

func secured(u *url.URL) *url.URL {
	at := *u
	at.Scheme = "https"
	return &at
}

// shown is where a browser is.
type shown struct {
	url, body string
	status    int
	header    http.Header
}

// open goes to an address, or sends a form, and follows where that leads.
func (b *person) open(address string, form url.Values) *shown {
	b.t.Helper()
	for range 20 {
		if b.hold != "" && strings.HasPrefix(address, b.hold) {
			return &shown{url: address, body: form.Encode()}
		}
		var body io.Reader
		method := http.MethodGet
		if form != nil {
			body, method = strings.NewReader(form.Encode()), http.MethodPost
		}
		req, err := http.NewRequest(method, address, body)
		if err != nil {
			b.t.Fatal(err)
		}
		if form != nil {
			req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		resp, err := b.client.Do(req)
		if err != nil {
			b.t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil {
			b.t.Fatal(err)
		}
		to, err := resp.Location()
		if err != nil {
			return &shown{url: address, body: string(text), status: resp.StatusCode, header: resp.Header}
		}
		address, form = to.String(), nil
	}
	b.t.Fatal("too many redirects")
	return nil
}

var (
	formAction = regexp.MustCompile(`(?is)<form[^>]*\saction="([^"]*)"`)
	hidden     = regexp.MustCompile(`(?is)<input[^>]*type="hidden"[^>]*>`)
	inputName  = regexp.MustCompile(`(?is)\sname="([^"]*)"`)
	inputValue = regexp.MustCompile(`(?is)\svalue="([^"]*)"`)
)

// form reads the form of a page.
func (s *shown) form(t testing.TB) (action string, fields url.Values) {
	t.Helper()
	found := formAction.FindStringSubmatch(s.body)
	if found == nil {
		t.Fatalf("no form at %s: %d %.2000s", s.url, s.status, s.body)
	}
	fields = url.Values{}
	for _, input := range hidden.FindAllString(s.body, -1) {
		name, value := inputName.FindStringSubmatch(input), inputValue.FindStringSubmatch(input)
		if name != nil && value != nil {
			fields.Set(html.UnescapeString(name[1]), html.UnescapeString(value[1]))
		}
	}
	return html.UnescapeString(found[1]), fields
}

// enter goes to an address that leads to Keycloak, signs in there as somebody,
// who may be signed in already, and comes back.
func (b *person) enter(address, name string) *shown {
	b.t.Helper()
	page := b.open(address, nil)
	if strings.Contains(page.body, `name="password"`) {
		action, fields := page.form(b.t)
		fields.Set("username", name)
		fields.Set("password", name+"-password")
		page = b.open(action, fields)
	}
	if strings.Contains(page.body, "SAMLResponse") && strings.Contains(page.body, "<form") { // a page that sends itself
		action, fields := page.form(b.t)
		page = b.open(action, fields)
	}
	return page
}

// proxy stands before Keycloak under an address of its own, which Keycloak takes
// for its own, and changes what it says.
type proxy struct {
	url    string
	mu     sync.Mutex
	change func(path string, answer map[string]any)
}

func (k *keycloak) proxy() *proxy {
	to, err := url.Parse(k.url)
	if err != nil {
		k.t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		k.t.Fatal(err)
	}
	p := &proxy{url: "http://" + listener.Addr().String()}
	forward := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Host = r.In.Host
			r.Out.Header.Del("Accept-Encoding")
		},
		ModifyResponse: p.modify,
	}
	server := &http.Server{Handler: forward, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }() // ends with the test
	k.t.Cleanup(func() { _ = server.Close() })
	return p
}

func (p *proxy) modify(r *http.Response) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.change == nil || !strings.Contains(r.Header.Get("Content-Type"), "json") {
		return nil
	}
	text, err := io.ReadAll(r.Body)
	answer := map[string]any{}
	if err := errors.Join(err, json.Unmarshal(text, &answer)); err != nil {
		return err
	}
	p.change(r.Request.URL.Path, answer)
	if text, err = json.Marshal(answer); err != nil {
		return err
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	r.Header.Set("Content-Length", fmt.Sprint(len(text)))
	return nil
}

func (p *proxy) set(change func(path string, answer map[string]any)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.change = change
}

// tokenPart changes a part of a token and keeps the rest.
func tokenPart(token string, n int, change func(map[string]any)) string {
	parts := strings.Split(token, ".")
	raw, err := base64.RawURLEncoding.DecodeString(parts[n])
	values := map[string]any{}
	if err := errors.Join(err, json.Unmarshal(raw, &values)); err != nil {
		panic(err)
	}
	change(values)
	raw, err = json.Marshal(values)
	if err != nil {
		panic(err)
	}
	parts[n] = base64.RawURLEncoding.EncodeToString(raw)
	return strings.Join(parts, ".")
}

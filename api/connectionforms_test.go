package api

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/quire-reports/quire/jobs/deliver"
	"github.com/quire-reports/quire/report"
)

// TestConnectionForms makes, changes and tests connections to destinations: a
// secret is never shown again, is kept when its field is empty, and does not go
// anywhere else unasked.
func TestConnectionForms(t *testing.T) {
	h := open(t)
	var tested map[string]any
	var fault error
	types := connectionTypes()
	for i := range types {
		if types[i].Name == "email" {
			types[i].Probe = func(_ context.Context, c map[string]any, _ func(string, report.Secret)) (string, error) {
				tested = c
				return "the mail server answers", fault
			}
		}
	}
	h.handler, h.routes = build(Config{Store: h.store, Export: h.export, Jobs: h.jobs, Clock: h.clock.Now, ConnectionTypes: types})
	const all = "/ws/demo/connections"
	kept := func(name string) map[string]any {
		t.Helper()
		c, err := h.store.Connection(t.Context(), h.demo.ID, name)
		if err != nil {
			t.Fatal(err)
		}
		members := map[string]any{}
		if err := json.Unmarshal([]byte(c.Address.Reveal()), &members); err != nil {
			t.Fatal(err)
		}
		return members
	}
	form := func(more ...string) []string {
		return append([]string{"type", "email", "name", "mail", "field.host", "smtp.example.com", "field.port", "587", "field.enableSsl", "true", "field.username", "reports", "field.from", "reports@example.com"}, more...)
	}
	offered := h.opened(t, "author", all, `<optgroup label="Services">`, `<optgroup label="Destinations of deliveries">`, `<option value="sftp">SFTP</option>`)
	if strings.Contains(offered, "Databases") || strings.Contains(offered, `value="postgres"`) {
		t.Error("who is no root user is offered databases")
	}
	if all := h.opened(t, "root", all, `<optgroup label="Databases">`, `<option value="mysql">MySQL or MariaDB</option>`); strings.Contains(all, `value="sqlite"`) {
		t.Error("files of the server's own machine are offered")
	}
	h.opened(t, "author", all+"/new?type=email", `name="field.host"`, `type="password"`, "Test the connection", "STARTTLS")
	h.sent(t, "author", all, 422, form("field.port", "x")...)
	refused := h.sent(t, "author", all, 422, "type", "email", "name", "mail", "field.from", "nobody", "field.enableSsl", "true", "field.host", "mail", "field.password", "s3cret-word").Body.String()
	if !strings.Contains(refused, `value="mail"`) || strings.Contains(refused, "s3cret-word") || !strings.Contains(refused, `id="field-from" name="field.from" type="text" value="nobody"`) {
		t.Errorf("the form is not shown again as it was, or with its secret:\n%s", refused)
	}
	h.sent(t, "author", all, 303, form("field.password", "s3cret-word")...)
	if c := kept("mail"); c["password"] != "s3cret-word" || c["port"] != 587.0 || c["enableSsl"] != true {
		t.Errorf("kept %v", c)
	}
	page := h.opened(t, "author", all+"/edit?name=mail", "leave empty to keep it", `value="smtp.example.com"`)
	if strings.Contains(page, "s3cret-word") {
		t.Error("the password is shown again")
	}
	h.sent(t, "author", all+"/edit", 303, form("field.displayName", "Reports", "exists", "1")...)
	if c := kept("mail"); c["password"] != "s3cret-word" || c["displayName"] != "Reports" {
		t.Errorf("kept %v", c)
	}
	moved := form("exists", "1")
	moved[5] = "smtp.evil.example"
	if again := h.sent(t, "author", all+"/edit", 422, moved...).Body.String(); !strings.Contains(again, "leads elsewhere") || kept("mail")["host"] != "smtp.example.com" {
		t.Errorf("the password goes to another host:\n%s", again)
	}
	if found := h.sent(t, "author", all+"/test", 200, moved...).Body.String(); !strings.Contains(found, "leads elsewhere") || tested != nil {
		t.Errorf("tested %v:\n%s", tested, found)
	}
	found := h.sent(t, "author", all+"/test", 200, form("exists", "1")...).Body.String()
	if !strings.Contains(found, "It works: the mail server answers.") || tested["password"] != "s3cret-word" || strings.Contains(found, "s3cret-word") {
		t.Errorf("tested %v:\n%s", tested, found)
	}
	fault = &deliver.Error{Message: "the mail server refused the sign-in", Permanent: true}
	if found := h.sent(t, "author", all+"/test", 200, form("exists", "1")...).Body.String(); !strings.Contains(found, "The mail server refused the sign-in.") {
		t.Errorf("in\n%s", found)
	}
	fault = errors.New("a bug with internals")
	h.sent(t, "author", all+"/test", 500, form("exists", "1")...)
	h.sent(t, "author", all+"/test", 404, "type", "postgres")
	h.sent(t, "author", all+"/test", 404, "type", "email", "exists", "1", "name", "none")

	h.sent(t, "author", all, 303, "type", "webhook", "name", "hook", "field.address", "https://example.com/hook", "field.secret", "0123456789abcdef",
		"field.headers.name", "X-Key", "field.headers.value", "k3y")
	h.sent(t, "author", all+"/edit", 303, "type", "webhook", "name", "hook", "field.headers.name", "X-Key", "field.headers.value", "")
	if c := kept("hook"); c["address"] != "https://example.com/hook" || len(c["headers"].([]any)) != 1 {
		t.Errorf("kept %v", c)
	}
	h.sent(t, "author", all+"/edit", 422, "type", "webhook", "name", "hook", "field.address", "https://evil.example/hook")
	h.sent(t, "author", all, 303, "type", "dropbox", "name", "drive", "field.clientId", "app", "field.token", "refresh-me")
	if c := kept("drive"); !strings.Contains(c["token"].(string), `"refresh_token":"refresh-me"`) {
		t.Errorf("kept %v", c)
	}
}

// A secret that is kept goes nowhere else, and is not used for another account:
// who cannot see it may not choose what it opens.
func TestKeptSecretsOpenOneAccount(t *testing.T) {
	h := open(t)
	const all = "/ws/demo/connections"
	for kind, c := range map[string]struct{ settings, moves []string }{
		"email": {
			[]string{"host", "smtp.example.com", "enableSsl", "true", "username", "reports", "from", "reports@example.com", "password", "s3cret-word"},
			[]string{"host", "smtp.evil.example", "port", "25", "username", "boss"},
		},
		"sftp": {
			[]string{"host", "files.example.com", "username", "u", "hostKey", "SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "password", "s3cret-word"},
			[]string{"host", "evil.example", "port", "2222", "username", "root"},
		},
		"s3": {
			[]string{"endpoint", "https://s3.example.com", "bucket", "out", "accessKey", "k", "pathStyle", "true", "secretKey", "s3cret-word"},
			[]string{"endpoint", "https://s3.evil.example", "bucket", "payroll", "accessKey", "other", "pathStyle", ""},
		},
		"webdav": {
			[]string{"address", "https://cloud.example.com/dav", "username", "u", "password", "s3cret-word"},
			[]string{"address", "https://evil.example/dav", "username", "boss"},
		},
	} {
		form := func(changed, value string) []string {
			fields := []string{"type", kind, "name", kind}
			for i := 0; i < len(c.settings); i += 2 {
				name, text := c.settings[i], c.settings[i+1]
				switch {
				case changed == "" && value == "": // all of it
				case name == changed:
					text = value
				case text == "s3cret-word" || name == "address": // what a form does not show
					continue
				}
				fields = append(fields, "field."+name, text)
			}
			if changed == "port" {
				fields = append(fields, "field.port", value)
			}
			return fields
		}
		h.sent(t, "author", all, 303, form("", "")...)
		h.sent(t, "author", all+"/edit", 303, append(form("none", "kept"), "exists", "1")...)
		for i := 0; i < len(c.moves); i += 2 {
			if page := h.sent(t, "author", all+"/edit", 422, append(form(c.moves[i], c.moves[i+1]), "exists", "1")...).Body.String(); !strings.Contains(page, "nothing secret goes there unasked") {
				t.Errorf("%s, another %s:\n%s", kind, c.moves[i], page)
			}
		}
	}
}

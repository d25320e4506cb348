package deliver

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/oauth2"

	"github.com/quire-reports/quire/report"
)

const signInRedirect = "https://reports.example.com/connections/signed-in"

// signInServer gives a token for the code "good" whose proof is right.
func signInServer(t *testing.T, challenge *string, host, path string) http.Handler {
	t.Helper()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.Host != host || r.URL.Path != path:
			t.Errorf("asked for %s%s; want %s%s", r.Host, r.URL.Path, host, path)
			w.WriteHeader(http.StatusNotFound)
		case r.FormValue("code") != "good" || r.FormValue("client_secret") != "s3cret" || r.FormValue("redirect_uri") != signInRedirect || oauth2.S256ChallengeFromVerifier(r.FormValue("code_verifier")) != *challenge:
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"error":"invalid_grant","error_description":"Code was already redeemed."}`))
		default:
			_, _ = w.Write([]byte(`{"access_token":"a1","refresh_token":"r1","token_type":"Bearer","expires_in":3600}`))
		}
	})
}

func TestSignIn(t *testing.T) {
	for name, c := range map[string]struct{ page, host, path, asks string }{
		"googleDrive": {"https://accounts.google.com/o/oauth2/v2/auth", "oauth2.googleapis.com", "/token", "access_type=offline"},
		"onedrive":    {"https://login.microsoftonline.com/acme/oauth2/v2.0/authorize", "login.microsoftonline.com", "/acme/oauth2/v2.0/token", "scope=offline_access"},
		"dropbox":     {"https://www.dropbox.com/oauth2/authorize", "api.dropboxapi.com", "/oauth2/token", "token_access_type=offline"},
	} {
		t.Run(name, func(t *testing.T) {
			kind, _ := Find(name)
			conn := map[string]any{"clientId": "app", "clientSecret": report.Secret("s3cret")}
			if name == "onedrive" {
				conn["tenant"], conn["driveId"] = "acme", "d1"
			}
			verifier := oauth2.GenerateVerifier()
			address, err := kind.SignInAddress(conn, signInRedirect, "state-1", verifier)
			if err != nil || !strings.HasPrefix(address, c.page+"?") || !strings.Contains(address, c.asks) || !strings.Contains(address, "state=state-1") || strings.Contains(address, "s3cret") || strings.Contains(address, verifier) {
				t.Fatalf("%s %v", address, err)
			}
			page, err := url.Parse(address)
			if err != nil {
				t.Fatal(err)
			}
			challenge := page.Query().Get("code_challenge")
			env := provide(t, signInServer(t, &challenge, c.host, c.path))
			token, err := SignIn(t.Context(), env, kind, conn, "good", signInRedirect, verifier)
			if err != nil {
				t.Fatal(err)
			}
			var kept struct {
				Access  string `json:"access_token"`
				Refresh string `json:"refresh_token"`
			}
			if err := json.Unmarshal([]byte(token.Reveal()), &kept); err != nil || kept.Access != "a1" || kept.Refresh != "r1" {
				t.Errorf("%s %v", token.Reveal(), err)
			}
			conn["token"] = token
			if problems := kind.CheckConnection(conn, "connection"); len(problems) > 0 {
				t.Errorf("with the token: %v", problems)
			}
			_, err = SignIn(t.Context(), env, kind, conn, "bad", signInRedirect, verifier)
			if err == nil || !strings.Contains(err.Error(), "refused the sign-in (invalid_grant: Code was already redeemed.)") {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestSignInThatCannotBe(t *testing.T) {
	drive, _ := Find("dropbox")
	if _, err := drive.SignInAddress(map[string]any{}, signInRedirect, "s", "v"); err == nil || !strings.Contains(err.Error(), "connection.clientId") {
		t.Errorf("%v", err)
	}
	mail, _ := Find("email")
	if _, err := mail.SignInAddress(nil, signInRedirect, "s", "v"); err == nil || mail.SignsIn() || !drive.SignsIn() {
		t.Errorf("%v", err)
	}
	_, err := SignIn(t.Context(), closed(t), drive, map[string]any{"clientId": "app"}, "good", signInRedirect, "v")
	var p *report.Problem
	if !errors.As(err, &p) || p.Kind != report.Busy {
		t.Errorf("%v", err)
	}
}

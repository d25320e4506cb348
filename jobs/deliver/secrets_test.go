package deliver

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

func TestSecretsAreTakenOutOfTexts(t *testing.T) {
	type inner struct{ Value report.Secret }
	conn := struct {
		Host     string
		Password report.Secret
		Short    report.Secret
		Key      report.Secret
		Token    report.Secret
		Headers  []inner
	}{"host", "p&ss wörd", "abc", "-----BEGIN-----\nc2VjcmV0\n-----END-----\n", `{"access_token":"acc3ss-token","expires":5}`, []inner{{"Bearer xyz"}}}
	s := newScrubber(conn)
	for _, text := range []string{
		"login p&ss wörd failed", "https://u:p%26ss%20w%C3%B6rd@host", "?q=p%26ss+w%C3%B6rd", "key c2VjcmV0 is bad", "token acc3ss-token expired", "header Bearer xyz",
	} {
		got := s.clean(text)
		if !strings.Contains(got, "•••") || strings.Contains(got, "rd") && strings.Contains(got, "ss") || strings.Contains(got, "c2Vj") || strings.Contains(got, "acc3ss") || strings.Contains(got, "xyz") {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	if got := s.clean("the host abc"); got != "the host abc" {
		t.Errorf("%q", got)
	}
	r := s.receipt(Receipt{Reference: "acc3ss-token", Items: []Item{{Place: "at p&ss wörd"}}})
	if r.Reference != "•••" || r.Items[0].Place != "at •••" {
		t.Errorf("%+v", r)
	}
}

func TestATargetDoesNotShowItsSecrets(t *testing.T) {
	target := Target{Type: "sftp", Connection: map[string]any{"password": report.Secret("t0p-s3cret"), "headers": []any{map[string]any{"value": report.Secret("t0p-s3cret")}}}}
	text, err := json.Marshal(target.Connection)
	if shown := fmt.Sprintf("%v %+v %#v %s", target, target, target, text); err != nil || strings.Contains(shown, "t0p") {
		t.Errorf("%s %v", shown, err)
	}
}

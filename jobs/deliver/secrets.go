package deliver

import (
	"encoding/json"
	"net/url"
	"reflect"
	"strings"
	"sync"

	"github.com/quire-reports/quire/report"
)

// revealed is a copy of settings with secrets as the text they are, so that
// they can be decoded.
func revealed(settings map[string]any) map[string]any {
	open := make(map[string]any, len(settings))
	for name, v := range settings {
		open[name] = revealedValue(v)
	}
	return open
}

func revealedValue(v any) any {
	switch v := v.(type) {
	case report.Secret:
		return v.Reveal()
	case map[string]any:
		return revealed(v)
	case []any:
		open := make([]any, len(v))
		for i := range v {
			open[i] = revealedValue(v[i])
		}
		return open
	}
	return v
}

// scrubber takes the secrets of a target out of texts. Destinations do not
// write them there; libraries and servers might.
type scrubber struct {
	mu      sync.Mutex
	secrets []string
}

// minScrubbed is the length below which a secret is left alone: replacing
// single letters would only spell it out.
const minScrubbed = 4

func newScrubber(settings ...any) *scrubber {
	s := &scrubber{}
	for _, v := range settings {
		s.collect(reflect.ValueOf(v))
	}
	return s
}

func (s *scrubber) collect(v reflect.Value) {
	switch {
	case v.Type() == reflect.TypeFor[report.Secret]():
		if text := v.String(); len(text) >= minScrubbed { // the text itself, not what the method shows
			s.add(text)
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			s.collect(v.Field(i))
		}
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			s.collect(v.Index(i))
		}
	}
}

func (s *scrubber) add(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	query := url.QueryEscape(text)
	s.secrets = append(s.secrets, text, query, strings.ReplaceAll(query, "+", "%20"), url.PathEscape(text), url.User(text).String())
	var members map[string]any // of a token or a key file
	if json.Unmarshal([]byte(text), &members) == nil {
		for _, v := range members {
			if member, ok := v.(string); ok && len(member) >= 2*minScrubbed {
				s.secrets = append(s.secrets, member)
			}
		}
	}
	for line := range strings.Lines(text) { // of a private key
		if line = strings.TrimSpace(line); len(line) >= minScrubbed && line != text {
			s.secrets = append(s.secrets, line)
		}
	}
}

func (s *scrubber) clean(text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, secret := range s.secrets {
		text = strings.ReplaceAll(text, secret, report.Secret(secret).String())
	}
	return text
}

func (s *scrubber) receipt(r Receipt) Receipt {
	r.Reference = s.clean(r.Reference)
	for i := range r.Items {
		r.Items[i].Place = s.clean(r.Items[i].Place)
	}
	return r
}

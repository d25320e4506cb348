package data

import (
	"crypto/sha256"
	"encoding/json"
	"strings"

	"github.com/quire-reports/quire/report"
)

// inputs is a fingerprint of what decides a source's value besides the sources
// it needs: its type and settings, and the parameters it depends on. A source
// that declares dependencies depends on the parameters among them, one that
// declares none on all.
func (n *node) inputs(req *Request) [sha256.Size]byte {
	params := req.Params
	if len(n.source.Dependencies) > 0 {
		params = &report.Object{}
		for _, d := range n.source.Dependencies {
			if name, ok := strings.CutPrefix(strings.TrimSpace(d), "$params."); ok {
				v, _ := req.Params.Get(name)
				params.Set(name, v)
			}
		}
	}
	language := req.Language
	if req.Zone != nil {
		language += " " + req.Zone.String()
	}
	// What cannot be written as JSON is in no definition and no request.
	text, _ := json.Marshal([]any{n.source.Type, n.source.Settings, params, language})
	return sha256.Sum256(text)
}

// keep takes over the value of an earlier run when nothing that decides it has
// changed: the inputs are the same, and all sources that it needs were kept too.
func (n *node) keep(previous *Set) bool {
	if previous == nil || n.replaced {
		return false
	}
	for _, d := range n.needs {
		if !d.result.Kept {
			return false
		}
	}
	for _, old := range previous.Sources {
		if old.Name == n.source.Name && !old.NotReady && !old.Replaced && old.inputs == n.result.inputs {
			n.value, n.result.Kept = old.value, true
			n.result.Logs = old.Logs
			return true
		}
	}
	return false
}

package data

import (
	"crypto/sha256"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/quire-reports/quire/report"
)

// inputs is a fingerprint of what decides a source's value besides the sources
// it needs: its type and settings, who looks, and the parameters it depends on. A source
// that declares dependencies depends on the parameters among them and on those
// that its text names, one that declares none on all.
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
		eachText(n.source.Settings, func(s string) {
			for _, m := range paramRead.FindAllStringSubmatch(s, -1) {
				v, _ := req.Params.Get(m[1])
				params.Set(m[1], v)
			}
		})
	}
	language := req.Language
	if req.Zone != nil {
		language += " " + req.Zone.String()
	}
	// What cannot be written as JSON is in no definition and no request.
	text, _ := json.Marshal([]any{n.source.Type, n.source.Settings, n.source.Dependencies, params, language, n.words(req), req.User})
	return sha256.Sum256(text)
}

var paramRead = regexp.MustCompile(`\$params\s*(?:\?\.|\.)?\s*(?:\[\s*["'` + "`" + `])?([\p{L}_$][\p{L}\p{N}_$-]*)`)

// words is the dictionary when the source may read it.
func (n *node) words(req *Request) *report.Object {
	var words *report.Object
	eachText(n.source.Settings, func(s string) {
		if strings.Contains(s, "$dict") {
			words = req.Dict
		}
	})
	return words
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
			n.result.Logs, n.warnings = old.Logs, old.warnings
			return true
		}
	}
	return false
}

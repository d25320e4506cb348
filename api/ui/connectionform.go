package ui

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/report"
)

// connectionField is a field of a connection to a destination. What is secret
// of it is never here.
type connectionField struct {
	Name, Label, Help string
	Kind              string // text, lines, secret, secret-lines, secret-file, number, check, choice, pairs
	Value             string
	Checked           bool
	Required          bool
	Kept              bool // a secret that is there
	Min, Max          string
	Choices           []fieldChoice
	Pairs             []string // names
	Wrong             bool
}

type fieldChoice struct {
	Value    string
	Selected bool
}

// ID is the name of the field in the form.
func (f connectionField) ID() string { return "field-" + f.Name }

// fieldsOf draws the fields of a destination with the members of a connection.
func fieldsOf(kind report.ConnectionType, members map[string]any, wrong string) []connectionField {
	var fields []connectionField
	for _, f := range kind.Fields {
		d := connectionField{Name: f.Name, Label: f.Label, Help: f.Help, Required: f.Required, Kind: kindOfField(f), Wrong: wrong == f.Name || strings.HasPrefix(wrong, f.Name+"[")}
		value, set := members[f.Name]
		d.Value = textOfMember(value)
		if !set {
			d.Value = f.Default
		}
		switch d.Kind {
		case "secret", "secret-lines", "secret-file":
			d.Kept, d.Value = textOfMember(value) != "", ""
		case "check":
			d.Checked = d.Value == "true"
		case "number":
			d.Min, d.Max = bound(f.Min), bound(f.Max)
		case "choice":
			for _, option := range f.Enum {
				d.Choices = append(d.Choices, fieldChoice{option, option == d.Value})
			}
		case "pairs":
			d.Pairs = append(namesOfPairs(value), "", "")
		}
		fields = append(fields, d)
	}
	return fields
}

func kindOfField(f report.Field) string {
	switch {
	case f.Shape == report.ListShape:
		return "pairs"
	case f.Shape == report.BoolShape:
		return "check"
	case f.Shape == report.IntegerShape || f.Shape == report.NumberShape:
		return "number"
	case len(f.Enum) > 0:
		return "choice"
	case f.Editor == "secret":
		return "secret"
	case f.Editor == "secret-text":
		return "secret-lines"
	case f.Editor == "secret-file":
		return "secret-file"
	case f.Name == "hostKey":
		return "lines"
	}
	return "text"
}

func bound(n *float64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatFloat(*n, 'f', -1, 64)
}

func textOfMember(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case json.Number:
		return v.String()
	case int64:
		return strconv.FormatInt(v, 10)
	}
	return ""
}

func namesOfPairs(value any) []string {
	list, _ := value.([]any)
	var names []string
	for _, item := range list {
		if pair, ok := item.(map[string]any); ok {
			names = append(names, textOfMember(pair["name"]))
		}
	}
	return names
}

// membersOf reads what the store keeps of a connection to a destination.
func membersOf(kept report.Secret) map[string]any {
	members := map[string]any{}
	if json.Unmarshal([]byte(kept.Reveal()), &members) != nil {
		return map[string]any{}
	}
	return members
}

// membersIn reads the form of a connection. A secret whose field is empty is
// kept, unless the connection now leads elsewhere: else somebody who cannot see
// it could have it sent to a place of their own.
func membersIn(kind report.ConnectionType, sent url.Values, kept map[string]any) (map[string]any, error) {
	members := map[string]any{}
	var secrets []report.Field
	for _, f := range kind.Fields {
		text := strings.TrimSpace(sent.Get("field." + f.Name))
		switch kindOfField(f) {
		case "secret", "secret-lines", "secret-file":
			secrets = append(secrets, f)
			if text != "" {
				members[f.Name] = tokenOf(f, text)
			}
		case "check":
			members[f.Name] = text == "true"
		case "number":
			if text == "" {
				continue
			}
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return members, report.Problemf(f.Name, "is no whole number")
			}
			members[f.Name] = n
		case "pairs":
		default:
			if text != "" {
				members[f.Name] = text
			}
		}
	}
	moved := leadsElsewhere(kind, members, kept)
	for _, f := range secrets {
		if _, given := members[f.Name]; given {
			continue
		}
		if old := textOfMember(kept[f.Name]); old != "" && (!moved || f.Name == "address" || f.Tag("stays") != "") {
			members[f.Name] = old
		} else if old != "" {
			return members, report.Problemf(f.Name, "enter this again: the connection leads elsewhere or signs in as another now, and nothing secret goes there unasked")
		}
	}
	return members, pairsIn(kind, sent, kept, moved, members)
}

// leadsElsewhere tells whether the secrets would go to another place. Members
// that are not given are those of before, if they are secret, or the default.
func leadsElsewhere(kind report.ConnectionType, members, kept map[string]any) bool {
	for _, f := range kind.Fields {
		now, given := members[f.Name]
		if f.Tag("leads") == "" || !given && f.Editor == "secret" {
			continue
		}
		if len(kept) > 0 && cmp.Or(textOfMember(now), f.Default) != cmp.Or(textOfMember(kept[f.Name]), f.Default) {
			return true
		}
	}
	return false
}

// tokenOf takes the refresh token of a drive alone, too: the access token that
// belongs to it is then fetched with the first use.
func tokenOf(f report.Field, text string) string {
	if f.Name != "token" || f.Editor != "secret-text" || strings.HasPrefix(text, "{") {
		return text
	}
	token, _ := json.Marshal(map[string]string{"access_token": "none", "token_type": "Bearer", "refresh_token": text, "expiry": "2000-01-01T00:00:00Z"}) // text always can be written
	return string(token)
}

// pairsIn reads the names and values of a list, such as the headers of a
// webhook.
func pairsIn(kind report.ConnectionType, sent url.Values, kept map[string]any, moved bool, members map[string]any) error {
	at := slices.IndexFunc(kind.Fields, func(f report.Field) bool { return kindOfField(f) == "pairs" })
	if at < 0 {
		return nil
	}
	name := kind.Fields[at].Name
	names, values := sent["field."+name+".name"], sent["field."+name+".value"]
	if len(names) != len(values) || len(names) > maxHeaders {
		return report.Problemf(name, "at most %d headers are accepted, each with a name and a value", maxHeaders)
	}
	old, _ := kept[name].([]any)
	var list []any
	for i := range names {
		pair := map[string]any{"name": strings.TrimSpace(names[i]), "value": strings.TrimSpace(values[i])}
		if pair["name"] == "" {
			continue
		}
		for _, item := range old {
			if o, ok := item.(map[string]any); ok && pair["value"] == "" && !moved && strings.EqualFold(textOfMember(o["name"]), textOfMember(pair["name"])) {
				pair["value"] = textOfMember(o["value"])
			}
		}
		if pair["value"] == "" {
			return report.Problemf(name, "enter the value of the header %s; with another address none is kept", textOfMember(pair["name"]))
		}
		list = append(list, pair)
	}
	if len(list) > 0 {
		members[name] = list
	}
	return nil
}

// sealedMembers is a connection as the store keeps it.
func sealedMembers(kind report.ConnectionType, members map[string]any) (report.Secret, error) {
	if problems := withoutSignIn(kind, members, kind.Check(members, "")); len(problems) > 0 {
		return "", problems
	}
	text, err := json.Marshal(members)
	return report.Secret(text), err
}

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// defaultSettingsFile is read when it exists and no other file is named.
const defaultSettingsFile = "settings.json"

// loadSettings reads the settings file, then the environment, which wins, then
// the command line's flags, which win over both. Each wrong value is a line that
// names the setting, what is wrong with it and what is accepted; all of them are
// found at once, as settingFaults.
func loadSettings(file string, environ []string, flags map[string]string) (*settings, error) {
	g := given{values: map[string]string{}, from: map[string]string{}}
	if err := g.readFile(file); err != nil {
		g.fault("", err)
	}
	g.readEnvironment(environ)
	for name, v := range flags {
		g.values[strings.ToLower(name)] = v
	}
	s := settings{Texts: map[string]report.Secret{}}
	for _, st := range acceptedSettings() {
		v, ok := g.values[strings.ToLower(st.name)]
		if ok {
			s.Given = append(s.Given, st.name)
		} else {
			v = st.def
		}
		s.Texts[st.name] = report.Secret(v)
		if err := st.set(&s, v); err != nil {
			g.fault(st.name, fmt.Errorf("setting %s: %w", st.name, err))
		}
	}
	g.checkTogether(&s)
	if len(g.faults) > 0 {
		return nil, g.faults
	}
	s.complete()
	return &s, nil
}

// settingFaults is what is wrong with the settings, a line each.
type settingFaults []error

func (f settingFaults) Error() string {
	lines := make([]string, len(f))
	for i, err := range f {
		lines[i] = oneLine(err)
	}
	return strings.Join(lines, "; ")
}

// given is what an operator has written.
type given struct {
	values map[string]string // by names in lower case
	from   map[string]string // where each is written
	faults settingFaults
	wrong  []string // settings with faults
}

func (g *given) fault(name string, err error) {
	g.faults = append(g.faults, err)
	g.wrong = append(g.wrong, name)
}

// checkTogether checks what concerns several settings, when each is right.
func (g *given) checkTogether(s *settings) {
	for _, c := range []struct {
		of    string // what the names begin with
		check func(*settings) error
	}{
		{"Encryption.", (*settings).checkKeys},
		{"SmtpServer.", func(s *settings) error { return s.Mail.check() }},
		{"Exports.", (*settings).checkTimes},
		{"Exports.InService", (*settings).checkQueue},
		{"Worker.Kinds", (*settings).checkKinds},
		{"Metrics.", (*settings).checkMetrics},
		{"Backup.", (*settings).checkBackup},
		{"Sso.", (*settings).checkSignIn},
	} {
		if slices.ContainsFunc(g.wrong, func(name string) bool { return strings.HasPrefix(name, c.of) }) {
			continue
		}
		if err := c.check(s); err != nil {
			g.fault(c.of, err)
		}
	}
}

func (s *settings) checkKeys() error {
	if (s.Key == "") != (s.Vector == "") {
		return errors.New("settings Encryption.Key and Encryption.Vector: only one is set; accepted: both or neither")
	}
	if (s.OldKey == "") != (s.OldVector == "") {
		return errors.New("settings Encryption.OldKey and Encryption.OldVector: only one is set; accepted: both or neither")
	}
	return nil
}

func (s *settings) checkTimes() error {
	if s.AsyncTimeout < s.ExportTimeout {
		return fmt.Errorf("setting Exports.AsyncTimeoutSeconds: %d is less than Exports.TimeoutSeconds; accepted: at least %d", s.AsyncTimeout, s.ExportTimeout)
	}
	return nil
}

// checkQueue refuses to leave queued work to workers that cannot share the database.
func (s *settings) checkQueue() error {
	if !s.ExportsInService && (s.Database == "" || strings.HasPrefix(s.Database, "sqlite:")) {
		return errors.New("setting Exports.InService: false leaves queued work to quire worker, which needs PostgreSQL; accepted with SQLite: true")
	}
	return nil
}

// checkKinds refuses to leave kinds of work to processes that cannot share the database.
func (s *settings) checkKinds() error {
	if s.work() != "" && (s.Database == "" || strings.HasPrefix(s.Database, "sqlite:")) {
		return fmt.Errorf("setting Worker.Kinds: %s alone leaves the rest to other processes, which need PostgreSQL; accepted with SQLite: %s", s.work(), strings.Join(workKinds(), ","))
	}
	return nil
}

// workKinds lists the kinds of queued work, as settings name them.
func workKinds() (words []string) {
	for _, w := range store.Works() {
		words = append(words, string(w))
	}
	return words
}

// work is the one kind of queued work that this process does; empty means every kind.
func (s *settings) work() store.Work {
	var named []store.Work
	for _, w := range store.Works() {
		if slices.Contains(s.WorkerKinds, string(w)) {
			named = append(named, w)
		}
	}
	if len(named) != 1 {
		return ""
	}
	return named[0]
}

// works are the kinds of work that the process does.
func (s *settings) works() []store.Work {
	if w := s.work(); w != "" {
		return []store.Work{w}
	}
	return store.Works()
}

// checkMetrics refuses profiles at an address that everybody can reach.
func (s *settings) checkMetrics() error {
	if s.Profiling && s.MetricsAddress == "" {
		return errors.New("setting Metrics.Profiling: true without Metrics.Address would show the process to everybody; accepted: true with Metrics.Address")
	}
	return nil
}

// complete fills in what depends on others.
func (s *settings) complete() {
	if s.Database == "" {
		s.Database = "sqlite:" + filepath.Join(s.DataDir, "quire.db")
	}
	if s.Storage == "" {
		s.Storage = s.ownFolder()
	}
}

// ownFolder is where files are when no setting says so.
func (s *settings) ownFolder() string {
	dir, err := filepath.Abs(filepath.Join(s.DataDir, "files"))
	if err != nil { // the working folder is gone
		dir = filepath.Join(s.DataDir, "files")
	}
	return "file://" + filepath.ToSlash(dir)
}

func (g *given) readFile(file string) error {
	optional := file == ""
	if optional {
		file = defaultSettingsFile
	}
	doc, err := os.ReadFile(file)
	if optional && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("settings file: %w", err)
	}
	root, err := report.ParseValue(doc)
	if err != nil {
		return fmt.Errorf("settings file %s: %w", file, err)
	}
	object, ok := root.(*report.Object)
	if !ok {
		return fmt.Errorf("settings file %s: must hold a JSON object", file)
	}
	g.flatten(object, "", "settings file "+file)
	return nil
}

// flatten reads nested members as dotted names.
func (g *given) flatten(o *report.Object, parent, from string) {
	for name, v := range o.All() {
		full := report.JoinPath(parent, name)
		if full == "$schema" { // for editors
			continue
		}
		switch v := v.(type) {
		case nil:
		case *report.Object:
			if st := settingNamed(full); st != nil {
				g.fault(st.name, fmt.Errorf("%s: setting %s: is an object; accepted: one value", from, st.name))
				continue
			}
			g.flatten(v, full, from)
		case []any:
			if !g.flattenList(v, full, from) {
				g.putList(full, v, from)
			}
		case string:
			g.put(full, v, from)
		case bool, json.Number:
			g.put(full, fmt.Sprint(v), from)
		}
	}
}

// flattenList reads a list of objects: their names have its place in the list.
func (g *given) flattenList(items []any, parent, from string) bool {
	for i, item := range items {
		object, ok := item.(*report.Object)
		if !ok {
			return false
		}
		g.flatten(object, fmt.Sprintf("%s.%d", parent, i), from)
	}
	return len(items) > 0
}

// settingNamed is the setting of a name in any case, or nil.
func settingNamed(name string) *setting {
	for _, st := range acceptedSettings() {
		if strings.EqualFold(st.name, name) {
			return &st
		}
	}
	return nil
}

// putList takes the values of a list, if the setting may be one.
func (g *given) putList(name string, values []any, from string) {
	if st := settingNamed(name); st != nil && !st.isList() {
		g.fault(st.name, fmt.Errorf("%s: setting %s: is a list; accepted: one value", from, st.name))
		return
	}
	items := make([]string, len(values))
	for n, v := range values {
		switch v.(type) {
		case string, bool, json.Number:
			items[n] = fmt.Sprint(v)
		default:
			g.fault(name, fmt.Errorf("%s: setting %s: number %d of the list is no text; accepted: a list of texts", from, name, n+1))
			return
		}
	}
	g.put(name, strings.Join(items, ","), from)
}

// inFile ends the name of a setting whose value is in a file, as secrets of
// containers are.
const inFile = "_FILE"

// put takes a value under its name, if there is such a setting.
func (g *given) put(name, value, from string) {
	var names []string
	for _, st := range acceptedSettings() {
		switch {
		case strings.EqualFold(st.name, name):
			g.take(st.name, value, from, from+inFile)
			return
		case st.isSecret() && strings.EqualFold(st.name+inFile, name):
			content, err := os.ReadFile(value)
			if err != nil {
				g.fault(st.name, fmt.Errorf("%s: setting %s%s: %w; accepted: the path of a file with the value", from, st.name, inFile, err))
				return
			}
			g.take(st.name, strings.TrimRight(string(content), "\r\n"), from+inFile, from)
			return
		}
		names = append(names, st.name)
	}
	err := fmt.Errorf("%s: unknown setting %s; quire settings lists all", from, name)
	if near := report.Nearest(name, names); near != "" {
		err = fmt.Errorf("%s: unknown setting %s; did you mean %s?", from, name, near)
	}
	g.fault(name, err)
}

// take refuses a value that is also given in the other way in the same place.
func (g *given) take(name, value, from, other string) {
	lower := strings.ToLower(name)
	if g.from[lower] == other {
		g.fault(name, fmt.Errorf("%s: settings %s and %s%s: both are set; accepted: one of them", strings.TrimSuffix(from, inFile), name, name, inFile))
	}
	g.values[lower], g.from[lower] = value, from
}

// readEnvironment takes the variables whose names are settings: A__B for A.B.
// A name with a group of ours, or nearly one, but no such setting is a fault, so
// that a misspelt variable is not silently without effect.
func (g *given) readEnvironment(environ []string) {
	groups := []string{"Office"} // of another edition of the settings
	var single []string
	for _, st := range acceptedSettings() {
		if group, _, ok := strings.Cut(st.name, "."); ok {
			groups = append(groups, group)
		} else {
			single = append(single, st.name)
		}
	}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		group, rest, nested := strings.Cut(name, "__")
		if nested && !isGroup(group, groups) || !nested && !isAmong(name, single) {
			continue
		}
		if nested {
			name = group + "." + strings.ReplaceAll(rest, "__", ".")
		}
		g.put(name, value, "environment")
	}
}

// isGroup tells whether a name is one of the groups or a misspelt one; short
// ones are too near to what other programs use.
func isGroup(name string, groups []string) bool {
	return isAmong(name, groups) || len(name) >= 5 && report.Nearest(name, groups) != ""
}

func isAmong(name string, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/quire-reports/quire/report"
)

// defaultSettingsFile is read when it exists and no other file is named.
const defaultSettingsFile = "settings.json"

// loadSettings reads the settings file, then the environment, which wins, then
// the command line's flags, which win over both. A wrong value is one line that
// names the setting, what is wrong with it and what is accepted.
func loadSettings(file string, environ []string, flags map[string]string) (*settings, error) {
	values := map[string]string{}
	if err := readSettingsFile(file, values); err != nil {
		return nil, err
	}
	if err := readEnvironment(environ, values); err != nil {
		return nil, err
	}
	for name, v := range flags {
		values[strings.ToLower(name)] = v
	}
	var s settings
	for _, st := range settingList() {
		v, ok := values[strings.ToLower(st.name)]
		if !ok {
			v = st.def
		}
		if err := st.set(&s, v); err != nil {
			return nil, fmt.Errorf("setting %s: %w", st.name, err)
		}
	}
	return &s, s.complete()
}

// complete checks what concerns several settings and fills in what depends on
// others.
func (s *settings) complete() error {
	if (s.Key == "") != (s.Vector == "") {
		return errors.New("settings Encryption.Key and Encryption.Vector: only one is set; accepted: both or neither")
	}
	if err := s.Mail.check(); err != nil {
		return err
	}
	if s.Database == "" {
		s.Database = "sqlite:" + filepath.Join(s.DataDir, "quire.db")
	}
	if s.Storage == "" {
		s.Storage = s.ownFolder()
	}
	return nil
}

// ownFolder is where files are when no setting says so.
func (s *settings) ownFolder() string {
	dir, err := filepath.Abs(filepath.Join(s.DataDir, "files"))
	if err != nil { // the working folder is gone
		dir = filepath.Join(s.DataDir, "files")
	}
	return "file://" + filepath.ToSlash(dir)
}

func readSettingsFile(file string, values map[string]string) error {
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
	if err := flatten(object, "", values); err != nil {
		return fmt.Errorf("settings file %s: %w", file, err)
	}
	return nil
}

// flatten writes nested members as dotted names in lower case.
func flatten(o *report.Object, parent string, values map[string]string) error {
	for name, v := range o.All() {
		full := report.JoinPath(parent, name)
		switch v := v.(type) {
		case nil:
		case *report.Object:
			if err := flatten(v, full, values); err != nil {
				return err
			}
		case []any:
			items := make([]string, len(v))
			for i, item := range v {
				items[i] = fmt.Sprint(item)
			}
			if err := putSetting(full, strings.Join(items, ","), values); err != nil {
				return err
			}
		case string:
			if err := putSetting(full, v, values); err != nil {
				return err
			}
		case bool, json.Number:
			if err := putSetting(full, fmt.Sprint(v), values); err != nil {
				return err
			}
		}
	}
	return nil
}

// putSetting stores a value under its name, if there is such a setting.
func putSetting(name, value string, values map[string]string) error {
	var names []string
	for _, st := range settingList() {
		if strings.EqualFold(st.name, name) {
			values[strings.ToLower(name)] = value
			return nil
		}
		names = append(names, st.name)
	}
	if near := report.Nearest(name, names); near != "" {
		return fmt.Errorf("unknown setting %s; did you mean %s?", name, near)
	}
	return fmt.Errorf("unknown setting %s; quire settings lists all", name)
}

// readEnvironment takes the variables whose names are settings: A__B for A.B.
// A name with a group of ours but no such setting is an error, so that a
// misspelt variable is not silently without effect.
func readEnvironment(environ []string, values map[string]string) error {
	groups := map[string]bool{}
	single := map[string]bool{}
	for _, st := range settingList() {
		if group, _, ok := strings.Cut(st.name, "."); ok {
			groups[strings.ToLower(group)] = true
		} else {
			single[strings.ToLower(st.name)] = true
		}
	}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		group, rest, nested := strings.Cut(name, "__")
		lower := strings.ToLower(group)
		if nested && !groups[lower] || !nested && !single[lower] {
			continue
		}
		if nested {
			name = group + "." + strings.ReplaceAll(rest, "__", ".")
		}
		if err := putSetting(name, value, values); err != nil {
			return fmt.Errorf("environment: %w", err)
		}
	}
	return nil
}

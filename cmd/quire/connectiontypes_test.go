package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/quire-reports/quire/jobs/deliver"
	"github.com/quire-reports/quire/report"
)

// TestConnectionTypes has every type describe itself, under the name that
// stored connections say.
func TestConnectionTypes(t *testing.T) {
	t.Parallel()
	types := connectionTypes(&deliver.Env{})
	for _, name := range []string{"postgres", "mysql", "sqlserver", "sqlite", "mongodb", "api", "email", "sftp", "s3", "webdav", "googleDrive", "onedrive", "dropbox", "webhook"} {
		if _, known := types.Find(name); !known {
			t.Errorf("%s is no type any more, and connections of it are stored", name)
		}
	}
	names := types.Names()
	slices.Sort(names)
	if len(slices.Compact(names)) != len(types) {
		t.Errorf("two types have one name: %q", names)
	}
	for _, kind := range types {
		if kind.Label == "" || kind.Category == "" {
			t.Errorf("%s does not describe itself", kind.Name)
		}
		if hasAddress := kind.Example != "" || kind.Unlisted; hasAddress == (kind.Fields != nil) {
			t.Errorf("%s needs an example of an address or fields", kind.Name)
		}
		if (kind.Fields != nil) != (kind.Check != nil) || kind.Category == report.DestinationConnection && kind.Probe == nil {
			t.Errorf("%s cannot be checked or tested", kind.Name)
		}
		if leadsInside := kind.Category == report.DatabaseConnection; leadsInside != kind.RootOnly {
			t.Errorf("%s: who may make it is not of its category", kind.Name)
		}
	}
	if _, known := types.Find("oracle"); known {
		t.Error("a type that there is not is known")
	}
}

// TestConnectionsOfEarlierVersions are accepted as they were kept.
func TestConnectionsOfEarlierVersions(t *testing.T) {
	t.Parallel()
	const token = `"clientId":"app","clientSecret":"s3cret","token":"{\"access_token\":\"a\",\"refresh_token\":\"r\",\"expiry\":\"2026-01-01T00:00:00Z\"}","folder":"Reports"`
	for name, kept := range map[string]string{
		"email":       `{"host":"mail.example.com","port":587,"enableSsl":true,"username":"u","password":"p","from":"reports@example.com","displayName":"R","replyTo":"a@example.com"}`,
		"sftp":        `{"host":"files.example.com","port":22,"username":"u","password":"p","hostKey":"SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","folder":"in"}`,
		"s3":          `{"endpoint":"https://s3.example.com","region":"us-east-1","bucket":"out","prefix":"a/b","pathStyle":true,"accessKey":"k","secretKey":"s"}`,
		"webdav":      `{"address":"https://cloud.example.com/dav","username":"u","password":"p"}`,
		"googleDrive": `{` + token + `,"folderId":"f1","sharedDrive":"d1"}`,
		"onedrive":    `{` + token + `,"driveId":"d1","tenant":"common"}`,
		"dropbox":     `{` + token + `}`,
		"webhook":     `{"address":"https://example.com/hook","secret":"0123456789abcdef","headers":[{"name":"X-A","value":"b"}]}`,
	} {
		kind, known := connectionTypes(nil).Find(name)
		if !known {
			t.Errorf("%s is not known", name)
			continue
		}
		settings := map[string]any{}
		if err := json.Unmarshal([]byte(kept), &settings); err != nil {
			t.Fatal(err)
		}
		if problems := kind.Check(settings, ""); len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
		}
	}
}

// TestNoTypeIsSpecialElsewhere: what is of one type of connection or delivery
// stands in its file, and nothing compares with its name.
func TestNoTypeIsSpecialElsewhere(t *testing.T) {
	t.Parallel()
	names := connectionTypes(nil).Names()
	for _, kind := range deliver.Types() {
		names = append(names, kind.Name)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == "webhook" }) // also a setting of jobs
	compared := regexp.MustCompile(`(?:[=!]==?|case)\s*"(` + strings.Join(names, "|") + `)"`)
	for _, folder := range []string{"../../api/ui", "../../api/v1", "../../store/connections.go", "../../jobs", "../../cmd", "../../data", "../../assets/web/library"} {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") || !slices.Contains([]string{".go", ".ts", ".tsx"}, filepath.Ext(path)) {
				return err
			}
			text, err := os.ReadFile(path)
			if found := compared.FindStringSubmatch(string(text)); found != nil && !strings.Contains(filepath.Base(path), found[1]) {
				t.Errorf("%s has %s", path, found[0])
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

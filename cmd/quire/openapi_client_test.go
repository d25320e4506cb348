package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/quire-reports/quire/internal/judges"
)

// A client that a widely used generator makes of the OpenAPI document calls
// every operation of it and understands each answer.
func TestAGeneratedClientCallsEveryOperation(t *testing.T) {
	t.Parallel()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	programs := filepath.Join(cache, "quire", "openapi", "bin")
	if _, err := os.Stat(filepath.Join(programs, "openapi-python-client")); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("the generator of clients is not installed; scripts/setup.sh test installs it: ", err)
		}
		judges.Missing(t, "needs openapi-python-client; scripts/setup.sh test installs it")
	}
	delivered := t.TempDir()
	s := startService(t, "Deliveries__Folders="+delivered)
	folder := t.TempDir()
	document := filepath.Join(folder, "openapi.json")
	if err := os.WriteFile(document, forGenerator(t, s.ok("GET", "/api/v1/openapi.json", nil).body), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), filepath.Join(programs, name), args...)
		cmd.Env = append(os.Environ(), "PATH="+programs+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		return string(out)
	}
	run("openapi-python-client", "generate", "--path", document, "--output-path", filepath.Join(folder, "quire_client"), "--meta", "none", "--fail-on-warning", "--config", "../../scripts/openapi/config.yaml")
	t.Log(run("python3", "testdata/openapi_client.py", s.url, s.token, document, folder))
	if files, err := filepath.Glob(filepath.Join(delivered, "client", "*")); err != nil || len(files) == 0 {
		t.Errorf("nothing was delivered: %v", err)
	}
}

// forGenerator takes the query option params out of a document: the generator
// has a variable of that name and sends its text. All else is as it is.
func forGenerator(t *testing.T, document []byte) []byte {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal(document, &all); err != nil {
		t.Fatal(err)
	}
	for _, methods := range all["paths"].(map[string]any) {
		for _, op := range methods.(map[string]any) {
			op := op.(map[string]any)
			if list, ok := op["parameters"].([]any); ok {
				op["parameters"] = slices.DeleteFunc(list, func(p any) bool { return p.(map[string]any)["name"] == "params" })
			}
		}
	}
	changed, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/quire-reports/quire/render/pdf"
)

// The upload that docs/embedding.md shows prints the caller's data, and nothing
// of the sample's.
func TestTheExampleOfEmbeddingPrintsTheCallersData(t *testing.T) {
	t.Parallel()
	s := startService(t)
	doc, err := os.ReadFile("../../docs/embedding.md")
	if err != nil {
		t.Fatal(err)
	}
	uploads := 0
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(doc), -1) {
		command, sample, shown := strings.Cut(block[1], "/temporary-data\n")
		if !shown {
			continue
		}
		uploads++
		command = strings.NewReplacer("https://reports.example.com", s.url, "/ws/acme", "/ws/demo").Replace(command + "/temporary-data")
		run := exec.CommandContext(t.Context(), "bash", "-c", strings.Replace(command, "curl ", "curl -sS ", 1))
		run.Env = append(os.Environ(), "TOKEN="+s.token)
		answer, err := run.Output()
		var uploaded, told map[string]any
		if err != nil || json.Unmarshal(answer, &uploaded) != nil || uploaded["tempDataId"] == nil {
			t.Fatalf("%s: %v %s", command, err, answer)
		}
		if err := json.Unmarshal([]byte(sample), &told); err != nil || len(told) != len(uploaded) {
			t.Errorf("the page shows the answer %s; it is %s", sample, answer)
		}
		a := s.ok("GET", fmt.Sprintf("/api/v1/ws/demo/reports/invoice/pdf?tempDataId=%.0f", uploaded["tempDataId"]), nil)
		if warned := a.header.Get("Quire-Warnings"); strings.Contains(warned, "no data source") {
			t.Error(warned)
		}
		facts, err := pdf.ReadFacts(t.Context(), a.body, "")
		if err != nil {
			t.Fatal(err)
		}
		text := facts.Pages[0].Text
		for _, want := range []string{"A-1041", "Vesna Ilić", "Coffee beans, 1 kg"} {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
		for _, sample := range []string{"2026-10418", "Lindner", "Fjell"} {
			if strings.Contains(text, sample) {
				t.Errorf("%q of the sample is in\n%s", sample, text)
			}
		}
	}
	if uploads == 0 {
		t.Error("the page shows no upload")
	}
}

// The steps that docs/embedding.md shows lead to a frame that shows the
// caller's data and opens nothing else.
func TestTheStepsOfEmbeddingLeadToTheFrame(t *testing.T) {
	t.Parallel()
	s := startService(t)
	doc, err := os.ReadFile("../../docs/embedding.md")
	if err != nil {
		t.Fatal(err)
	}
	steps := string(doc)
	for _, made := range []string{"tempDataId", "nonce"} {
		command := regexp.MustCompile("(?s)```sh\n(.*?)\n *\\{\"" + made).FindStringSubmatch(steps)
		if command == nil {
			t.Fatalf("no command gives a %s", made)
		}
		ours := strings.NewReplacer("https://reports.example.com", s.url, "/ws/acme", "/ws/demo", `"acme"`, `"demo"`, "curl ", "curl -sS ").Replace(command[1])
		run := exec.CommandContext(t.Context(), "bash", "-c", ours)
		run.Env = append(os.Environ(), "TOKEN="+s.token)
		answer, err := run.Output()
		var out map[string]any
		if err != nil || json.Unmarshal(answer, &out) != nil || out[made] == nil {
			t.Fatalf("%s: %v %s", ours, err, answer)
		}
		if id, isUpload := out[made].(float64); isUpload {
			steps = strings.ReplaceAll(steps, "1304462817", fmt.Sprintf("%.0f", id))
		} else {
			steps = strings.Replace(steps, "preview?nonce=…", "preview?nonce="+out[made].(string), 1)
		}
		steps = strings.Replace(steps, command[0], "", 1)
	}
	frame := regexp.MustCompile(`src="https://reports.example.com/ws/acme(/[^"]*)"`).FindStringSubmatch(steps)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	get := func(path string, status int) string {
		t.Helper()
		resp, err := browser.Get(s.url + path)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		body, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != status {
			t.Fatalf("%s: %d, %v", path, resp.StatusCode, err)
		}
		return string(body)
	}
	if shown := get("/ws/demo"+frame[1], 200); !strings.Contains(shown, "Vesna Ilić") || strings.Contains(shown, "2026-10418") {
		t.Error("the frame does not show the caller's data alone")
	}
	download := regexp.MustCompile("`GET (/api/v1/ws/)acme(/reports/[^`]*/pdf[^`]*)`").FindStringSubmatch(steps)
	get(download[1]+"demo"+download[2], 200)
	get("/ws/demo/reports/letter/preview", 404)
	get("/ws/demo/reports/invoice/preview?tempDataId=1", 404)
}

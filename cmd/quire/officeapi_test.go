package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/render/office/docx/docxtest"
	"github.com/quire-reports/quire/render/office/pptx/pptxtest"
	"github.com/quire-reports/quire/render/office/xlsx/xlsxtest"
)

// TestOfficeFilesOverTheAPI asks for real files on each way, and looks at their types,
// names and what they are.
func TestOfficeFilesOverTheAPI(t *testing.T) {
	s := startService(t)
	const about = "/api/v1/ws/demo/reports/price-list/"
	for format, want := range map[string]struct {
		number int
		kind   string
		open   func(content []byte) string
	}{
		"docx": {1, "wordprocessingml.document", func(content []byte) string { return docxtest.Open(t, content).Text() }},
		"xlsx": {2, "spreadsheetml.sheet", func(content []byte) string { return xlsxtest.Open(t, content).String() }},
		"pptx": {3, "presentationml.presentation", func(content []byte) string {
			var text string
			for _, slide := range pptxtest.Open(t, content).Slides {
				text += slide.Text
			}
			return text
		}},
	} {
		started := s.call(http.MethodPost, about+"export", fmt.Sprintf(`{"format":"%d"}`, want.number))
		var file struct{ TemporaryFileID int }
		if err := json.Unmarshal(started.body, &file); err != nil || started.status != http.StatusAccepted {
			t.Fatalf("%d %s", started.status, started.body)
		}
		kept := fmt.Sprintf("/api/v1/ws/demo/exports/%d/", file.TemporaryFileID)
		for begin := time.Now(); strings.Contains(string(s.ok(http.MethodGet, kept+"status", nil).body), "InProgress"); time.Sleep(50 * time.Millisecond) {
			if time.Since(begin) > time.Minute {
				t.Fatal("the export does not end")
			}
		}
		for name, a := range map[string]answer{
			"query":        s.call(http.MethodGet, about+"pdf?format="+strings.ToUpper(format), nil),
			"body":         s.call(http.MethodPost, about+"pdf", fmt.Sprintf(`{"format":%d}`, want.number)),
			"asynchronous": s.call(http.MethodGet, kept+"content", nil),
		} {
			header := map[string]string{
				"Content-Type":        "application/vnd.openxmlformats-officedocument." + want.kind,
				"Content-Disposition": fmt.Sprintf(`attachment; filename="Price list 2026.%[1]s"; filename*=UTF-8''Price%%20list%%202026.%[1]s`, format),
				"Content-Length":      fmt.Sprint(len(a.body)),
			}
			for member, says := range header {
				if got := a.header.Get(member); a.status != http.StatusOK || got != says {
					t.Errorf("%s, %s: %d, %s is %q; want %q", format, name, a.status, member, got, says)
				}
			}
			if text := want.open(a.body); !strings.Contains(text, "Arc lounge chair") {
				t.Errorf("%s, %s says %.300q", format, name, text)
			}
		}
	}
}

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/render"
)

// TestSourceDateMakesTheSameBytes has two files made seconds apart be the same.
func TestSourceDateMakesTheSameBytes(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "r.json")
	definition := `{"version":1,"name":"R","pages":[{"id":1,"elements":[{"type":"date-time","props":{"dateFormat":"dt;yyyyMMddHHmmss"}}]}]}`
	if _, err := render.FindBrowser(""); err != nil {
		judges.Missing(t, "needs chromium-headless-shell or chromium")
	}
	if err := os.WriteFile(file, []byte(definition), 0o600); err != nil {
		t.Fatal(err)
	}
	made := func(name, epoch string) string {
		t.Setenv("SOURCE_DATE_EPOCH", epoch)
		out := filepath.Join(dir, name)
		if status := run([]string{"render", file, "-o", out}); status != 0 {
			t.Fatalf("%s: status %d", name, status)
		}
		content, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	first := made("a.pdf", "1000000000")
	if !strings.Contains(first, "2001-09-09T01:46:40Z") {
		t.Error("the file does not have the time")
	}
	if made("b.pdf", "1000000000") != first {
		t.Error("the same report at the same time gives other bytes")
	}
	if made("c.pdf", "1000000001") == first {
		t.Error("another time gives the same bytes")
	}
}

func TestSourceDate(t *testing.T) {
	if clock, err := sourceDate(""); clock != nil || err != nil {
		t.Errorf("nothing is a time: %v", err)
	}
	if _, err := sourceDate("yesterday"); err == nil || !strings.Contains(err.Error(), "seconds since 1970") {
		t.Errorf("yesterday: %v", err)
	}
	if clock, err := sourceDate("0"); err != nil || !clock().Equal(time.Unix(0, 0)) {
		t.Errorf("0: %v", err)
	}
}

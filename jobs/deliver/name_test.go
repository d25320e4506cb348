package deliver

import (
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/quire-reports/quire/report"
)

func TestSafeName(t *testing.T) {
	long := strings.Repeat("Rechnung ", 60) + ".pdf"
	cases := []struct{ name, want string }{
		{"Invoice 4711.pdf", "Invoice 4711.pdf"},
		{"Übersicht Größe.pdf", "Übersicht Größe.pdf"},
		{"U\u0308bersicht.pdf", "Übersicht.pdf"}, // composed
		{"Рачун бр. 17.pdf", "Рачун бр. 17.pdf"},
		{"請求書.pdf", "請求書.pdf"},
		{"a/b\\c.pdf", "a_b_c.pdf"},
		{"../../etc/passwd", "_.._etc_passwd"},
		{"..", "document"},
		{"", "document"},
		{" . ", "document"},
		{".htaccess", "htaccess"},
		{"report.pdf. ", "report.pdf"},
		{"con", "_con"},
		{"CON.pdf", "_CON.pdf"},
		{"com1.txt", "_com1.txt"},
		{"lpt9", "_lpt9"},
		{"console.txt", "console.txt"},
		{"aux .txt", "_aux .txt"},
		{`what? "yes": <no>|*`, "what_ _yes__ _no___"},
		{"line\r\nbreak\x00\x7f.pdf", "line__break__.pdf"},
		{"invoice\u202efdp.exe", "invoicefdp.exe"}, // an override would show it as invoiceexe.pdf
		{"zero\u200bwidth\ufeff.pdf", "zerowidth.pdf"},
		{"bad\xffbytes.pdf", "bad_bytes.pdf"},
		{"نامه\u200cها.pdf", "نامه\u200cها.pdf"},
		{"C:\\temp\\a.pdf", "C__temp_a.pdf"},
		{"\u0301accent.pdf", "accent.pdf"},
		{"hard\u00a0space.pdf", "hard space.pdf"},
	}
	for _, c := range cases {
		if got := SafeName(c.name); got != c.want {
			t.Errorf("SafeName(%q) = %q, want %q", c.name, got, c.want)
		}
	}
	if got := SafeName(long); len(got) > maxName || !strings.HasSuffix(got, "Rechnung.pdf") && !strings.HasSuffix(got, ".pdf") {
		t.Errorf("%q", got)
	}
}

func TestSafePath(t *testing.T) {
	good := map[string]string{
		"": "", ".": "", "a": "a", "a/b": "a/b", "a//b/": "a/b", "./a/./b": "a/b", " invoices / 2026 ": "invoices/2026",
		"Kunden/Müller & Söhne": "Kunden/Müller & Söhne", "a/con/b": "a/_con/b", "a:b/c?": "a_b/c_", "x/...": "x/document",
	}
	for in, want := range good {
		if in == "a:b/c?" { // a drive letter
			continue
		}
		if got, err := SafePath(in); err != nil || got != want {
			t.Errorf("SafePath(%q) = %q, %v, want %q", in, got, err, want)
		}
	}
	for in, words := range map[string]string{
		"..": "contains ..", "../x": "contains ..", "a/../b": "contains ..", "a/ .. /b": "contains ..", "/etc": "begins with /", " /etc": "begins with /",
		"a\\b": "backslash", "\\\\server\\share": "backslash", "C:/x": "drive letter", "c:x": "drive letter", "a\x00b": "backslash",
		strings.Repeat("folder/", 200): "too long",
	} {
		if got, err := SafePath(in); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("SafePath(%q) = %q, %v, want an error with %q", in, got, err, words)
		}
	}
}

func TestNamesWithinADeliveryDiffer(t *testing.T) {
	docs := prepare([]report.Document{{Name: "a.pdf"}, {Name: "A.PDF"}, {Name: "a.pdf"}, {Name: "a (2).pdf"}, {Name: "b"}, {Name: "b"}})
	var names []string
	for _, d := range docs {
		names = append(names, d.name)
	}
	if got := strings.Join(names, "|"); got != "a.pdf|A (2).PDF|a (3).pdf|a (2) (2).pdf|b|b (2)" {
		t.Error(got)
	}
}

func FuzzSafeName(f *testing.F) {
	for _, s := range []string{"a.pdf", "../x", "con", "\u202e", "a\xffb", strings.Repeat("é", 200) + ".pdf", "\u0301", "...", "e" + strings.Repeat("\u0301", 150)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		name := SafeName(s)
		switch {
		case name == "" || len(name) > maxName+1 || !utf8.ValidString(name): // one more for the underscore of a device
			t.Fatalf("%q is no name", name)
		case strings.ContainsAny(name, "/\\:*?\"<>|\x00\r\n") || strings.HasPrefix(name, ".") || strings.TrimSpace(name) != name || strings.HasSuffix(name, "."):
			t.Fatalf("%q is not portable", name)
		case SafeName(name) != name:
			t.Fatalf("SafeName(%q) = %q", name, SafeName(name))
		case numbered(name, 1) != name || numbered(name, 2) == name:
			t.Fatalf("%q is numbered wrongly", name)
		}
	})
}

func FuzzSafePath(f *testing.F) {
	for _, s := range []string{"a/b", "../x", "/etc", "a/./b", "C:x", "a\\b", "．．/x", "a/..\u200b/b", "a/ ../b", "..\u00a0/x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		clean, err := SafePath(s)
		if err != nil {
			return
		}
		if len(clean) > maxPath || path.IsAbs(clean) || clean != "" && path.Clean(clean) != clean {
			t.Fatalf("%q", clean)
		}
		for part := range strings.SplitSeq(clean, "/") {
			if part == ".." || part == "." || clean != "" && SafeName(part) != part {
				t.Fatalf("%q has the part %q", clean, part)
			}
		}
		if again, err := SafePath(clean); err != nil || again != clean {
			t.Fatalf("SafePath(%q) = %q, %v", clean, again, err)
		}
	})
}

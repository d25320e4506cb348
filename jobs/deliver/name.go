package deliver

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/quire-reports/quire/report"
)

// maxName is the longest name of a file in bytes. File systems take 255; the
// rest is for numbers and the names of unfinished files.
const maxName = 200

// SafeName makes any text the name of one file that every usual file system,
// archive and mail program takes: no separators, control characters or
// characters that Windows forbids, none of its device names, no dot or blank at
// the ends, at most 200 bytes. What has to go becomes an underscore. The result
// is never empty, and SafeName of it is itself.
func SafeName(name string) string {
	name = norm.NFC.String(strings.ToValidUTF8(name, "_"))
	name = strings.Map(portableRune, name)
	name = trimName(shorten(trimName(name)))
	if stem, _, _ := strings.Cut(name, "."); isDevice(stem) {
		name = "_" + name
	}
	if name == "" {
		return "document"
	}
	return name
}

// portableRune is a character as names can hold it; -1 drops it.
func portableRune(r rune) rune {
	switch {
	case strings.ContainsRune(`<>:"/\|?*`, r), unicode.IsControl(r), r == utf8.RuneError:
		return '_'
	case report.Hides(r):
		return -1
	case unicode.IsSpace(r):
		return ' '
	}
	return r
}

// trimName takes away what must not be at the ends: blanks and dots, which
// Windows drops and which hide files elsewhere, and combining marks, which
// would join what comes before.
func trimName(name string) string {
	name = strings.TrimRight(name, " .")
	return strings.TrimLeftFunc(name, func(r rune) bool { return r == ' ' || r == '.' || unicode.Is(unicode.M, r) })
}

// shorten cuts a name to maxName bytes and keeps its ending.
func shorten(name string) string {
	if len(name) <= maxName {
		return name
	}
	ending := path.Ext(name)
	if len(ending) > 20 {
		ending = ""
	}
	return strings.TrimRight(cut(name, maxName-len(ending)), " .") + ending
}

// cut is the longest beginning of a text of at most n bytes that splits no
// character and takes no letter its marks.
func cut(s string, n int) string {
	for n > 0 && (!utf8.RuneStart(s[n]) || !norm.NFC.PropertiesString(s[n:]).BoundaryBefore()) {
		n--
	}
	return s[:n]
}

func isDevice(stem string) bool {
	stem = strings.ToUpper(strings.TrimSpace(stem))
	if slices.Contains([]string{"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"}, stem) {
		return true
	}
	digit, ok := strings.CutPrefix(stem, "COM")
	if !ok {
		digit, ok = strings.CutPrefix(stem, "LPT")
	}
	return ok && slices.Contains([]string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³"}, digit)
}

// maxPath is the longest path of a folder in bytes.
const maxPath = 800

// SafePath makes a text the path of a folder below another one, with slashes,
// each part a SafeName; empty means the folder itself. What would lead
// elsewhere is refused, not mended: absolute paths, "..", drive letters,
// backslashes.
func SafePath(folder string) (string, error) {
	folder = strings.TrimSpace(folder)
	switch {
	case strings.ContainsAny(folder, "\\\x00"):
		return "", permanent("the folder %q is refused: it contains a backslash; write a/b", plain(folder))
	case strings.HasPrefix(folder, "/"):
		return "", permanent("the folder %q is refused: it begins with /; it is taken below the folder of the destination", plain(folder))
	case len(folder) >= 2 && folder[1] == ':':
		return "", permanent("the folder %q is refused: it begins with a drive letter", plain(folder))
	}
	var parts []string
	for part := range strings.SplitSeq(folder, "/") {
		switch strings.TrimSpace(part) {
		case "", ".":
			continue
		case "..":
			return "", permanent("the folder %q is refused: it contains ..", plain(folder))
		}
		parts = append(parts, SafeName(part))
	}
	clean := strings.Join(parts, "/")
	if len(clean) > maxPath {
		return "", permanent("the path of the folder is too long: %d bytes; at most %d", len(clean), maxPath)
	}
	return clean, nil
}

// numbered puts a number behind a name: "a.pdf" becomes "a (2).pdf". The first
// is the name itself.
func numbered(name string, n int) string {
	if n < 2 {
		return name
	}
	ending := path.Ext(name)
	if len(ending) > 20 {
		ending = ""
	}
	return fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(name, ending), n, ending)
}

// unusedName numbers a name until none in the set equals it, by the rules of
// file systems that do not tell capitals from small letters, and adds it.
func unusedName(name string, used map[string]bool) string {
	for n := 1; ; n++ {
		candidate := numbered(name, n)
		if fold := strings.ToLower(candidate); !used[fold] {
			used[fold] = true
			return candidate
		}
	}
}

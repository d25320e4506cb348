package main

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/report"
)

// codeDPI is how finely pages are drawn for the reader of codes.
const codeDPI = 288

// unreadable are symbologies that zbar does not know; package symbol reads their
// modules and bars itself.
func unreadable(format string) bool {
	switch f := strings.ToUpper(format); f {
	case "DATAMATRIX", "GS1 DATAMATRIX", "AZTEC", "PDF417": // package symbol knows what zxing-cpp read
		return true
	case "PHARMACODE", "INTELLIGENT MAIL", "RM4SCC", "KIX", "AUSTRALIA POST":
		return true
	default:
		return strings.HasPrefix(f, "MSI")
	}
}

func TestEveryCodeOfTheGalleryIsReadBackFromThePDF(t *testing.T) {
	ofDocuments(t)
	zbar, err := exec.LookPath("zbarimg")
	if err != nil {
		judges.Missing(t, "zbarimg is not installed (Debian package zbar-tools); make test installs it")
	}
	read, left := 0, 0
	for _, folder := range []string{"../../examples/gallery", "testdata/options"} {
		r, l := readCodes(t, zbar, bundleIn(t, folder))
		read, left = read+r, left+l
	}
	t.Logf("%d codes read back, %d of symbologies that zbar does not know", read, left)
}

// readCodes reads the codes of all reports, and says how many zbar does not know.
func readCodes(t *testing.T, zbar string, ws *report.Workspace) (read, left int) {
	t.Helper()
	c := newPageCheck(t, ws)
	for _, r := range ws.Reports {
		document, _, err := c.file(r.Code, "html")
		if err != nil || !bytes.Contains(document, []byte("data-code=")) {
			continue
		}
		seen, err := c.see(document)
		if err != nil {
			t.Fatal(err)
		}
		printed, _, err := c.file(r.Code, "pdf")
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), r.Code+".pdf")
		if err := os.WriteFile(file, printed, 0o600); err != nil {
			t.Fatal(err)
		}
		pages := map[int]image.Image{}
		for _, code := range seen.Codes {
			if unreadable(code.Format) {
				left++
				continue
			}
			if pages[code.Page] == nil {
				pages[code.Page] = drawnPage(t, file, code.Page+1)
			}
			got := readCode(t, zbar, pages[code.Page], code)
			if !sameCode(code, got) {
				t.Errorf("%s, page %d: %s %q is read as %q", r.Code, code.Page+1, code.Format, code.Text, got)
			}
			read++
		}
	}
	return read, left
}

func drawnPage(t *testing.T, file string, page int) image.Image {
	t.Helper()
	out, err := exec.Command("pdftocairo", "-q", "-r", strconv.Itoa(codeDPI), "-f", strconv.Itoa(page), "-l", strconv.Itoa(page), "-png", "-singlefile", file, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// readCode has zbar read what is drawn where a code stands.
func readCode(t *testing.T, zbar string, page image.Image, code seenCode) string {
	t.Helper()
	const scale = codeDPI / 96.0
	const room = 30
	r := image.Rect(int(code.X*scale), int(code.Y*scale), int((code.X+code.Width)*scale), int((code.Y+code.Height)*scale)).Intersect(page.Bounds())
	cut := image.NewGray(image.Rect(0, 0, r.Dx()+2*room, r.Dy()+2*room))
	draw.Draw(cut, cut.Bounds(), image.White, image.Point{}, draw.Src)
	draw.Draw(cut, image.Rect(room, room, room+r.Dx(), room+r.Dy()), page, r.Min, draw.Over)
	var b bytes.Buffer
	if err := png.Encode(&b, cut); err != nil {
		t.Fatal(err)
	}
	args := []string{"-q", "--raw", "--nodbus", "PNG:-"}
	switch strings.ToUpper(code.Format) {
	case "UPC-E", "UPC-A", "CODE93", "CODABAR", "ITF", "ITF14":
		args = append([]string{"-Supca.enable", "-Supce.enable", "-Sean13.enable", "-Scode93.enable", "-Scodabar.enable", "-Si25.enable"}, args...)
	}
	added := code.Format == "ISBN" && strings.Contains(code.Text, "+")
	if added {
		args = append([]string{"-Sean13.enable", "-Sean2.enable", "-Sean5.enable"}, args...)
	}
	cmd := exec.Command(zbar, args...)
	cmd.Stdin = &b
	out, _ := cmd.Output() // status 4: it found none
	read := strings.TrimSpace(string(out))
	if addOn, main, _ := strings.Cut(read, "\n"); added {
		return main + addOn // zbar tells the add-on first
	}
	return read
}

// sameCode: check digits may have been added, letters made capitals, and
// function characters are read in many ways.
func sameCode(code seenCode, got string) bool {
	plain := func(s string) string {
		return strings.Map(func(r rune) rune {
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				return -1
			}
			return unicode.ToUpper(r)
		}, s)
	}
	want, read := plain(code.Text), plain(got)
	if code.Format != "QR" && len(read) > len(want)+2 {
		return false
	}
	return read != "" && (strings.HasPrefix(read, want) || strings.HasSuffix(read, want) || strings.HasPrefix("0"+read, want) || fmt.Sprint("0", want) == read)
}

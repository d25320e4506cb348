package main

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var (
	officePictures = flag.String("office-pictures", "", "folder for pictures of Office files beside the pages of the PDF")
	officeFonts    = flag.String("office-fonts", "", "folder with the fonts for them; see scripts/officefonts.sh")
	pictured       = flag.String("pictured", "", "other reports for them, such as gallery~invoice.docx,demo~sales-report.pptx")
)

// picturedReports are the files that are looked at: of all formats and kinds of pages.
var picturedReports = []string{
	"gallery~annual-report.docx", "gallery~contract.docx", "gallery~invoice.docx", "gallery~school-report-ar.docx", "gallery~statistics-bulletin.docx",
	"gallery~discharge-letter.docx", "gallery~cv.docx", "gallery~manual.docx", "demo~sales-report.docx",
	"demo~sales-report.xlsx", "gallery~charts.xlsx", "gallery~balance-sheet.xlsx", "gallery~school-report-ar.xlsx", "gallery~bill-of-materials.xlsx",
	"demo~sales-report.pptx", "gallery~annual-report.pptx", "gallery~charts.pptx", "gallery~school-report-ar.pptx", "gallery~certificate.pptx",
	"gallery~timetable.pptx", "gallery~newsletter.pptx",
}

// mostPictured is how many pages of a file are drawn.
const mostPictured = 6

// TestOfficePictures draws what LibreOffice makes of Office files beside the pages of
// the PDF, for people to look at: make office-pictures.
func TestOfficePictures(t *testing.T) {
	if *officePictures == "" {
		t.Skip("takes minutes; -office-pictures says where to draw")
	}
	office, exported, work := openLibreOffice(t, false), exporter(t), t.TempDir()
	office.fonts(*officeFonts)
	names := picturedReports
	if *pictured != "" {
		names = strings.Split(*pictured, ",")
	}
	for _, name := range names {
		code, format, _ := strings.Cut(name, ".")
		bundle, code, _ := strings.Cut(code, "~")
		folder := map[string]string{"demo": "../../assets/demo", "gallery": "../../examples/gallery"}[bundle]
		of := func(format string) string { return filepath.Join(work, bundle+"~"+code+"."+format) }
		for _, f := range []string{format, "pdf"} {
			if err := os.WriteFile(of(f), exported(bundleIn(t, folder), code, f), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		made := filepath.Join(work, format)
		office.convert("pdf", made, of(format))
		if err := beside(filepath.Join(*officePictures, name), of("pdf"), filepath.Join(made, filepath.Base(of("pdf")))); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

// fonts lets LibreOffice have the fonts of a folder, and no others.
func (o *libreOffice) fonts(folder string) {
	o.t.Helper()
	absolute, err := filepath.Abs(folder)
	if err != nil {
		o.t.Fatal(err)
	}
	file := filepath.Join(o.profile, "fonts.conf")
	content := fmt.Sprintf(`<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>%s</dir><cachedir>%s</cachedir><include ignore_missing="yes">/etc/fonts/fonts.conf</include></fontconfig>`, absolute, filepath.Join(o.profile, "fontcache"))
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		o.t.Fatal(err)
	}
	o.env = append(o.env, "FONTCONFIG_FILE="+file)
}

// beside draws the pages of two PDF files, each pair side by side into a picture of its
// own.
func beside(name, left, right string) error {
	lefts, err := drawnPages(left)
	if err != nil {
		return err
	}
	rights, err := drawnPages(right)
	if err != nil {
		return err
	}
	for i := range max(len(lefts), len(rights)) {
		var pair []image.Image
		for _, list := range [][]image.Image{lefts, rights} {
			if i < len(list) {
				pair = append(pair, list[i])
			} else { // there are no more pages
				pair = append(pair, image.NewRGBA(image.Rect(0, 0, 300, 300)))
			}
		}
		if err := pairOf(fmt.Sprintf("%s-%d.png", name, i+1), pair[0], pair[1]); err != nil {
			return err
		}
	}
	return nil
}

// pairOf draws two pages side by side.
func pairOf(file string, left, right image.Image) error {
	const gap = 8
	a, b := left.Bounds(), right.Bounds()
	all := image.NewRGBA(image.Rect(0, 0, a.Dx()+b.Dx()+3*gap, max(a.Dy(), b.Dy())+2*gap))
	draw.Draw(all, all.Bounds(), image.NewUniform(color.Gray{Y: 96}), image.Point{}, draw.Src)
	draw.Draw(all, a.Sub(a.Min).Add(image.Pt(gap, gap)), left, a.Min, draw.Over)
	draw.Draw(all, b.Sub(b.Min).Add(image.Pt(a.Dx()+2*gap, gap)), right, b.Min, draw.Over)
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := png.Encode(out, all); err != nil {
		return err
	}
	return out.Close()
}

// drawnPages are the first pages of a PDF file.
func drawnPages(file string) (list []image.Image, err error) {
	folder, err := os.MkdirTemp(filepath.Dir(file), "pages")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	if out, err := exec.Command("pdftoppm", "-r", "70", "-l", fmt.Sprint(mostPictured), "-png", file, filepath.Join(folder, "page")).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.png")) // in order: pdftoppm pads numbers
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		page, err := png.Decode(f)
		_ = f.Close()
		if err != nil {
			return nil, err
		}
		list = append(list, page)
	}
	return list, nil
}

package export

import (
	"archive/zip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// pack puts the report and its data sets into a ZIP file: each data source as
// JSON, and as CSV too when it is a list of flat rows, and those of reports
// inside it in a folder for each. A protected PDF stays protected inside; the
// data files are not encrypted.
func (s *Service) pack(file *File, r *run) (*File, error) {
	defer file.Close()
	out := &spool{dir: s.cfg.SpoolDir}
	z := zip.NewWriter(out)
	err := archive(z, file.Name, file.Open, r.now)
	for _, f := range dataFiles(r.data.Data) {
		err = errors.Join(err, packFile(z, f, r.now))
	}
	folders := map[string]int{}
	for _, inner := range r.inner {
		folder := numbered(strings.TrimSuffix(fileName(inner.code, "json"), ".json"), folders)
		for _, f := range dataFiles(inner.data) {
			f.name = folder + "/" + f.name
			err = errors.Join(err, packFile(z, f, r.now))
		}
	}
	if err := errors.Join(err, z.Close()); err != nil {
		out.discard()
		return nil, err
	}
	base := file.Name[:strings.LastIndexByte(file.Name, '.')]
	packed, err := out.finish(base+".zip", "application/zip")
	if err != nil {
		return nil, err
	}
	packed.Pages, packed.Warnings = file.Pages, file.Warnings
	return packed, nil
}

func archive(z *zip.Writer, name string, open func() (io.ReadCloser, error), at time.Time) error {
	content, err := open()
	if err != nil {
		return err
	}
	defer content.Close()
	w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at})
	if err != nil {
		return err
	}
	_, err = io.Copy(w, content)
	return err
}

func packFile(z *zip.Writer, f dataFile, now time.Time) error {
	w, err := z.CreateHeader(&zip.FileHeader{Name: "data/" + f.name, Method: zip.Deflate, Modified: now})
	if err != nil {
		return err
	}
	return f.write(w)
}

// dataFile is a data set as a file.
type dataFile struct {
	name, contentType string
	write             func(io.Writer) error
}

// dataFiles are the data sets as JSON, and as CSV too where they are lists of flat
// rows. Names that differ only in what file names cannot have get a number.
func dataFiles(sets *report.Object) []dataFile {
	var files []dataFile
	taken := map[string]int{}
	for name, value := range sets.All() {
		base := numbered(strings.TrimSuffix(fileName(name, "json"), ".json"), taken)
		files = append(files, dataFile{base + ".json", "application/json", func(w io.Writer) error {
			doc, err := report.MarshalDefinition(value)
			if err == nil {
				_, err = w.Write(doc)
			}
			return err
		}})
		if rows, ok := flatRows(value); ok {
			files = append(files, dataFile{base + ".csv", "text/csv", func(w io.Writer) error { return writeCSV(w, rows) }})
		}
	}
	return files
}

// numbered gives a name that was taken before a number.
func numbered(name string, taken map[string]int) string {
	key := strings.ToLower(name)
	if taken[key]++; taken[key] > 1 {
		return fmt.Sprintf("%s (%d)", name, taken[key])
	}
	return name
}

// flatRows are the rows of a list of objects that hold plain values only.
func flatRows(value any) ([]*report.Object, bool) {
	list, ok := value.([]any)
	if !ok || len(list) == 0 {
		return nil, false
	}
	rows := make([]*report.Object, len(list))
	for i, item := range list {
		row, ok := item.(*report.Object)
		if !ok {
			return nil, false
		}
		for _, v := range row.All() {
			switch v.(type) {
			case *report.Object, []any:
				return nil, false
			}
		}
		rows[i] = row
	}
	return rows, true
}

// writeCSV writes rows with a header of every name that occurs, in the order of
// first appearance.
func writeCSV(to io.Writer, rows []*report.Object) error {
	var names []string
	seen := map[string]bool{}
	for _, row := range rows {
		for _, name := range row.Shape().Names() {
			if !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	w := csv.NewWriter(to)
	w.UseCRLF = true // RFC 4180
	if err := w.Write(names); err != nil {
		return err
	}
	plain := text.ParseFormat("")
	record := make([]string, len(names))
	for _, row := range rows {
		for i, name := range names {
			v, _ := row.Get(name)
			record[i] = csvText(v, plain)
		}
		if err := w.Write(record); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// PlainCell is a text for a CSV file that no spreadsheet runs as a formula.
func PlainCell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

// csvText writes a value for a machine: times in ISO 8601, numbers as they are,
// and texts that a spreadsheet would run as a formula with a quote before.
func csvText(v any, plain text.Format) string {
	switch v := v.(type) {
	case time.Time:
		return v.UTC().Format("2006-01-02T15:04:05.000Z")
	case string:
		return PlainCell(v)
	}
	return string(plain.Append(nil, v, &text.Env{}, text.Raw))
}

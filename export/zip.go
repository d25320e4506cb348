package export

import (
	"archive/zip"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
)

// pack puts the report and its data sets into a ZIP file: each data source as
// JSON, and as CSV too when it is a list of flat rows. A protected PDF stays
// protected inside; the data files are not encrypted.
func (s *Service) pack(file *File, r *run) (*File, error) {
	defer file.Close()
	out := &spool{dir: s.cfg.SpoolDir}
	z := zip.NewWriter(out)
	err := archive(z, file.Name, file.Open, r.now)
	for name, value := range r.data.Data.All() {
		err = errors.Join(err, packSource(z, name, value, r.now))
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

func packSource(z *zip.Writer, name string, value any, now time.Time) error {
	doc, err := report.MarshalDefinition(value)
	if err != nil {
		return err
	}
	base := strings.TrimSuffix(fileName(name, "json"), ".json")
	if err := packFile(z, "data/"+base+".json", doc, now); err != nil {
		return err
	}
	rows, ok := flatRows(value)
	if !ok {
		return nil
	}
	w, err := z.CreateHeader(&zip.FileHeader{Name: "data/" + base + ".csv", Method: zip.Deflate, Modified: now})
	if err != nil {
		return err
	}
	return writeCSV(w, rows)
}

func packFile(z *zip.Writer, name string, content []byte, now time.Time) error {
	w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: now})
	if err == nil {
		_, err = w.Write(content)
	}
	return err
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

// csvText writes a value for a machine: times in ISO 8601, numbers as they are,
// and texts that a spreadsheet would run as a formula with a quote before.
func csvText(v any, plain text.Format) string {
	switch v := v.(type) {
	case time.Time:
		return v.UTC().Format("2006-01-02T15:04:05.000Z")
	case string:
		if v != "" && strings.ContainsRune("=+-@\t\r", rune(v[0])) {
			return "'" + v
		}
		return v
	}
	return string(plain.Append(nil, v, &text.Env{}, text.Raw))
}

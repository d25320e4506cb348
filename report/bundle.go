package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"
)

// A bundle is a workspace as files, made to be read and kept under version
// control:
//
//	workspace.json          name, languages, report types, page types, parameters
//	reports/<code>.json     one file a report
//	templates/<code>.json
//	themes/<code>.json
//	dictionaries/<code>.json
//	data-sources/<name>.json
//	jobs/<code>.json
//	files/<name>            managed files, as they are
//
// The same tree in a ZIP file is what quire workspace export writes.

// Bounds of a bundle: bytes of one file and of all, which are in memory at the
// same time, and files.
const (
	maxFile   = 32 << 20
	maxBundle = 1 << 30
	maxFiles  = 20_000
)

// ReadWorkspace reads a bundle. Problems name the file and the place in it:
// "reports/invoice.json: pages[0].name". Links are refused, wherever they lead:
// a bundle may be somebody else's, and what it names must be in it.
func ReadWorkspace(bundle fs.FS) (*Workspace, Problems) {
	r := bundleReader{bundle: bundle, files: maxFiles, bytes: maxBundle}
	doc, ok := r.read("workspace.json")
	if !ok {
		return nil, r.problems
	}
	ws, problems := Parse[Workspace](doc)
	r.add("workspace.json", problems)
	if ws == nil {
		return nil, r.problems
	}
	r.add("workspace.json", checkCode("code", ws.Code))
	ws.Templates = readAll(&r, "templates", Parse[Template], func(t *Template) *string { return &t.Code })
	ws.Themes = readAll(&r, "themes", Parse[Theme], func(t *Theme) *string { return &t.Code })
	ws.Dictionaries = readAll(&r, "dictionaries", Parse[Dictionary], func(d *Dictionary) *string { return &d.Code })
	ws.DataSources = readAll(&r, "data-sources", Parse[DataSource], func(d *DataSource) *string { return &d.Name })
	ws.Jobs = readAll(&r, "jobs", parseJob, func(j *Job) *string { return &j.Code })
	ws.Reports = r.reports()
	ws.Files = r.managed()
	return ws, r.problems
}

type bundleReader struct {
	bundle   fs.FS
	files    int   // that may still be listed
	bytes    int64 // that may still be read
	problems Problems
}

func (r *bundleReader) add(file string, problems Problems) {
	for _, p := range problems {
		p.Path = strings.TrimSuffix(file+": "+p.Path, ": ")
	}
	r.problems = append(r.problems, problems...)
}

// read is one file's content, without a byte order mark.
func (r *bundleReader) read(name string) ([]byte, bool) {
	doc, err := r.content(name)
	if err != nil {
		r.add(name, Problems{Problemf("", "cannot be read: %v", err)})
		return nil, false
	}
	return bytes.TrimPrefix(doc, []byte("\ufeff")), true
}

// content does not trust the size that a ZIP file tells of its entries.
func (r *bundleReader) content(name string) ([]byte, error) {
	info, err := fs.Lstat(r.bundle, name)
	if err == nil {
		err = plain(info.Mode().Type())
	}
	if err != nil {
		return nil, err
	}
	f, err := r.bundle.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	most := min(maxFile, r.bytes)
	doc, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(doc)) > most {
		if r.bytes < maxFile {
			return nil, fmt.Errorf("the bundle is larger than %d MB", maxBundle>>20)
		}
		return nil, fmt.Errorf("larger than %d MB", maxFile>>20)
	}
	r.bytes -= int64(len(doc))
	return doc, err
}

// plain refuses what is not a file with content of its own.
func plain(mode fs.FileMode) error {
	switch {
	case mode&fs.ModeSymlink != 0:
		return errors.New("it is a link, and links of a bundle are not followed; put the file itself there")
	case !mode.IsRegular():
		return errors.New("it is no ordinary file")
	}
	return nil
}

// list names the files of a folder in order; a folder that is not there is
// empty, and so is one that would make the bundle too large.
func (r *bundleReader) list(folder, suffix string) []string {
	entries, err := r.entries(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.add(folder, Problems{Problemf("", "cannot be listed: %v", err)})
	}
	var names []string
	for _, e := range entries {
		if !e.IsDir() && strings.HasSuffix(e.Name(), suffix) && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names
}

func (r *bundleReader) entries(folder string) ([]fs.DirEntry, error) {
	info, err := fs.Lstat(r.bundle, folder)
	if err == nil && !info.IsDir() {
		err = errors.New("it is no folder; links are not followed")
	}
	if err != nil {
		return nil, err
	}
	f, err := r.bundle.Open(folder)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	dir, ok := f.(fs.ReadDirFile)
	if !ok {
		return nil, errors.New("it is no folder")
	}
	entries, err := dir.ReadDir(r.files + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(entries) > r.files {
		r.files = 0
		return nil, fmt.Errorf("the bundle has more than %d files", maxFiles)
	}
	r.files -= len(entries)
	return entries, nil
}

// readAll reads a folder of definitions; the name of a file is the code that
// its definition has unless it says another.
func readAll[T any](r *bundleReader, folder string, parse func([]byte) (*T, Problems), code func(*T) *string) []T {
	var all []T
	for _, name := range r.list(folder, ".json") {
		file := path.Join(folder, name)
		doc, ok := r.read(file)
		if !ok {
			continue
		}
		item, problems := parse(doc)
		r.add(file, problems)
		if item == nil {
			continue
		}
		c := code(item)
		if *c == "" {
			*c = strings.TrimSuffix(name, ".json")
		}
		r.add(file, checkCode("code", *c))
		all = append(all, *item)
	}
	return all
}

// parseJob reads a job and finds what its tags cannot say.
func parseJob(doc []byte) (*Job, Problems) {
	job, problems := Parse[Job](doc)
	if job != nil {
		problems = append(problems, job.Check()...)
	}
	return job, problems
}

func (r *bundleReader) reports() []NamedReport {
	var all []NamedReport
	for _, name := range r.list("reports", ".json") {
		file := path.Join("reports", name)
		doc, ok := r.read(file)
		if !ok {
			continue
		}
		code := strings.TrimSuffix(name, ".json")
		r.add(file, checkCode("", code))
		def, problems := ParseReport(doc)
		r.add(file, problems)
		if def != nil {
			all = append(all, NamedReport{Code: code, Report: *def})
		}
	}
	return all
}

func (r *bundleReader) managed() []File {
	var all []File
	for _, name := range r.list("files", "") {
		if content, ok := r.read(path.Join("files", name)); ok {
			all = append(all, File{Name: name, ContentType: ContentTypeOf(name, content), Content: content})
		}
	}
	return all
}

// ContentTypeOf is the media type of a managed file, from its name and, when
// that says nothing, from its first bytes.
func ContentTypeOf(name string, content []byte) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".svg":
		return "image/svg+xml"
	case ".css":
		return "text/css; charset=utf-8"
	case ".webp":
		return "image/webp"
	case ".avif":
		return "image/avif"
	}
	if t := mime.TypeByExtension(path.Ext(name)); t != "" {
		return t
	}
	return http.DetectContentType(content)
}

// WriteWorkspace writes a bundle, one call of write per file, in an order that
// does not change. Reading it back gives an equal workspace.
func WriteWorkspace(ws *Workspace, write func(name string, content []byte) error) error {
	w := bundleWriter{write: write}
	w.json("workspace.json", ws)
	for i := range ws.Reports {
		w.json("reports/"+ws.Reports[i].Code+".json", &ws.Reports[i].Report)
	}
	for i := range ws.Templates {
		w.json("templates/"+ws.Templates[i].Code+".json", &ws.Templates[i])
	}
	for i := range ws.Themes {
		w.json("themes/"+ws.Themes[i].Code+".json", &ws.Themes[i])
	}
	for i := range ws.Dictionaries {
		w.json("dictionaries/"+ws.Dictionaries[i].Code+".json", &ws.Dictionaries[i])
	}
	for i := range ws.DataSources {
		w.json("data-sources/"+ws.DataSources[i].Name+".json", &ws.DataSources[i])
	}
	for i := range ws.Jobs {
		w.json("jobs/"+ws.Jobs[i].Code+".json", &ws.Jobs[i])
	}
	for _, f := range slices.SortedFunc(slices.Values(ws.Files), func(a, b File) int { return strings.Compare(a.Name, b.Name) }) {
		w.file("files/"+path.Base(f.Name), f.Content)
	}
	return w.err
}

type bundleWriter struct {
	write func(string, []byte) error
	err   error
}

func (w *bundleWriter) file(name string, content []byte) {
	if w.err == nil {
		w.err = w.write(name, content)
	}
}

func (w *bundleWriter) json(name string, v any) {
	doc, err := MarshalDefinition(v)
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("writing %s: %w", name, err)
	}
	w.file(name, doc)
}

// MarshalDefinition writes a definition as people read it: two spaces of
// indentation, no escaped angle brackets, a final newline.
func MarshalDefinition(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

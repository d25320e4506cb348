package export

import (
	"context"
	"encoding/hex"
	"strconv"

	"github.com/quire-reports/quire/htmlgen"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/font"
)

// ownFonts are the fonts among the managed files of a workspace, for one
// document. Only those that it uses are taken from the storage.
type ownFonts struct {
	ctx      context.Context
	service  *Service
	run      *run
	images   *pictures
	names    map[string]string // of the managed files, by the files of their faces
	warnings report.Problems
}

// faces reads what fonts there are.
func (o *ownFonts) faces() []htmlgen.FontFace {
	stamps, err := o.service.cfg.Definitions.FontFiles(o.ctx, o.run.req.Workspace)
	if err != nil {
		o.warnings = append(o.warnings, report.Problemf("files", "the fonts of the workspace could not be read"))
		return nil
	}
	o.names = map[string]string{}
	var list []htmlgen.FontFace
	for _, s := range stamps {
		file := "own/" + hex.EncodeToString([]byte(s.SHA256))
		f, err := o.service.fonts.read(file, func() ([]byte, error) {
			managed, err := o.file(s.Name)
			if err != nil {
				return nil, err
			}
			return managed.Content, nil
		})
		if err != nil {
			o.warnings = append(o.warnings, report.Problemf("files", "the font %q cannot be used: %s", s.Name, err))
			continue
		}
		o.names[file] = s.Name
		list = append(list, faceOf(f, file, s.Name))
	}
	return list
}

func faceOf(f *font.Font, file, name string) htmlgen.FontFace {
	face := htmlgen.FontFace{Family: f.Family, Weight: strconv.Itoa(f.Weight), Style: "normal", File: file}
	face.Format, _ = font.Format(name)
	if f.Variable {
		face.Weight = "100 900"
	}
	if f.Italic {
		face.Style = "italic"
	}
	return face
}

func (o *ownFonts) file(name string) (*report.File, error) {
	return o.service.managed(o.ctx, o.run, name)
}

// has reports whether a face is one of the workspace's.
func (o *ownFonts) has(file string) bool { return o.names[file] != "" }

// address is where a document finds a font: one of the workspace's as pictures
// are found, and others as given.
func (o *ownFonts) address(others func(kind, name string) string) func(kind, name string) string {
	return func(kind, file string) string {
		name, own := o.names[file]
		if !own {
			return others(kind, file)
		}
		f, err := o.file(name)
		if err != nil {
			o.warnings = append(o.warnings, report.Problemf("files", "the font %q could not be read", name))
			return ""
		}
		_, contentType := font.Format(name)
		return o.images.address(&report.File{Name: f.Name, ContentType: contentType, Content: f.Content})
	}
}

package store

import (
	"io"
	"strings"

	"github.com/quire-reports/quire/report"
)

// testTransferringTemplates: a template goes with what it uses (screens A7); what
// there is stays, and who may not add a thing there brings nothing at all.
func testTransferringTemplates(f *fixture) {
	from, to := f.workspace("shop"), ok[*Workspace](f.t)(f.CreateWorkspace(f.ctx(), NewWorkspace{Name: "Bare", Code: "bare"}))
	id := ok[int](f.t)(f.CreateResource(f.ctx(), from.ID, TemplateKind, []byte(`{"name":"Letter","code":"letter","theme":"blue","layouts":[{}]}`)))
	_ = ok[*FileRow](f.t)(f.PutFile(f.ctx(), from.ID, "logo.svg", "image/svg+xml", strings.NewReader("<svg>ours</svg>")))
	_ = ok[*FileRow](f.t)(f.PutFile(f.ctx(), from.ID, "seal.svg", "image/svg+xml", strings.NewReader("<svg>seal</svg>")))
	_ = ok[*FileRow](f.t)(f.PutFile(f.ctx(), to.ID, "logo.svg", "image/svg+xml", strings.NewReader("<svg>theirs</svg>")))
	there := ok[*Access](f.t)(f.Enter(f.ctx(), f.root, "bare"))
	tr := Transfer{
		From: from.ID, To: there, ID: id, Template: report.Template{Name: "Letter", Code: "letter", Theme: "blue", Layouts: []report.Layout{{}}},
		With: report.Workspace{Themes: []report.Theme{{Name: "Blue", Code: "blue"}}, Files: []report.File{{Name: "logo.svg"}, {Name: "seal.svg"}}},
	}
	codes := func(w *Workspace) string {
		library := ok[*Library](f.t)(f.Library(f.ctx(), w.ID))
		var keys []string
		for _, e := range library.Templates {
			keys = append(keys, e.Definition.Code)
		}
		for _, e := range library.Themes {
			keys = append(keys, e.Definition.Name)
		}
		return strings.Join(keys, " ")
	}
	content := func(name string) string {
		_, c, err := f.OpenFile(f.ctx(), to.ID, name)
		if err != nil {
			return err.Error()
		}
		defer c.Close()
		return string(ok[[]byte](f.t)(io.ReadAll(c)))
	}

	// No right on themes: nothing comes, and no content is left over.
	poor := *there
	poor.Role = &Role{Name: "Layouter", Levels: map[Category]Level{Templates: Full, Files: Full}}
	refused := tr
	refused.To = &poor
	_, err := f.TransferTemplate(f.ctx(), refused)
	f.isKind(err, report.Forbidden)
	if got := codes(to); got != "" || content("seal.svg") == "<svg>seal</svg>" {
		f.t.Errorf("%q came along", got)
	}

	first := ok[int](f.t)(f.TransferTemplate(f.ctx(), tr))
	second := ok[int](f.t)(f.TransferTemplate(f.ctx(), tr))
	if got, want := codes(to), "letter letter-2 Blue"; got != want || first == second {
		f.t.Errorf("%s, want %s", got, want)
	}
	if content("logo.svg") != "<svg>theirs</svg>" || content("seal.svg") != "<svg>seal</svg>" {
		f.t.Errorf("%s %s", content("logo.svg"), content("seal.svg"))
	}
	// What was saved since the template was read would be lost: it is not moved.
	tr.Move = true
	tr.Revision = ok[int](f.t)(f.SaveResource(f.ctx(), from.ID, TemplateKind, id, ok[*Library](f.t)(f.Library(f.ctx(), from.ID)).Templates[0].Revision, []byte(`{"name":"Letter","code":"letter","theme":"blue","layouts":[{}]}`))) - 1
	_, err = f.TransferTemplate(f.ctx(), tr)
	f.isKind(err, report.Conflict)
	if got := codes(from) + codes(to); got != "letter Defaultletter letter-2 Blue" {
		f.t.Errorf("%s after a move that was refused", got)
	}
	tr.Revision++
	_ = ok[int](f.t)(f.TransferTemplate(f.ctx(), tr))
	if strings.Contains(codes(from), "letter") || codes(to) != "letter letter-2 letter-3 Blue" {
		f.t.Errorf("%s, %s", codes(from), codes(to))
	}
	_, err = f.TransferTemplate(f.ctx(), tr) // it is gone, and so comes no second time
	f.isKind(err, report.NotFound)
	tr.From = to.ID
	_, err = f.TransferTemplate(f.ctx(), tr)
	f.isKind(err, report.Invalid)
	if swept := ok[Swept](f.t)(f.SweepOrphans(f.ctx())); swept.Orphans != 0 {
		f.t.Errorf("contents were left: %+v", swept)
	}
}

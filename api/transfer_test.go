package api

import (
	"strings"
	"testing"

	"github.com/quire-reports/quire/store"
)

// TestA7TemplatesGoToOtherWorkspaces: a template goes with what it uses, as far as
// the roles on both sides let it; the page says before what goes and what stays.
func TestA7TemplatesGoToOtherWorkspaces(t *testing.T) {
	t.Parallel()
	h := open(t)
	h.library(t)
	other := must[*store.Workspace](t)(h.store.WorkspaceByCode(t.Context(), "other-house"))
	id := must[int](t)(h.store.CreateResource(t.Context(), h.demo.ID, store.TemplateKind, []byte(
		`{"name":"Head paper","code":"head","theme":"meadow","layouts":[{"header":[{"type":"img","props":{"imageUrl":"secret.png"}}],"footer":[{"type":"text","props":{"text":"{$data.orders.0.id}"}}]}]}`)))
	own := "/ws/demo/templates/" + itoa(id) + "/transfer"
	h.opened(t, "administrator", own, "There is no other workspace where you may change templates.")
	says(t, h.sent(t, "administrator", own, 422, "workspace", itoa(other.ID), "how", "copy"), "There is no other workspace")
	h.sent(t, "viewer", own, 403, "workspace", itoa(other.ID), "how", "move")

	role := must[*store.Role](t)(h.store.CreateRole(t.Context(), other.ID, store.Role{Name: "Layouter", Levels: levels{store.Templates: store.Full, store.Themes: store.Full, store.Files: store.Full}}))
	noError(t, h.store.SetMember(t.Context(), other.ID, h.users["administrator"].ID, role.ID))
	page := h.opened(t, "administrator", own, "Other house (other-house)", "<dt>Theme</dt><dd>Meadow</dd>", "<dt>File</dt><dd>secret.png</dd>", "<dt>Data source</dt><dd>orders</dd>", "<dt>Connection</dt><dd>shop ")
	if strings.Contains(page, "Harbour") || strings.Contains(page, "customer") {
		t.Error("what the template does not use goes along")
	}
	says(t, h.sent(t, "administrator", own, 422, "workspace", "x"), "Choose a workspace where you may change templates.")
	w := h.sent(t, "administrator", own, 403, "workspace", itoa(other.ID), "how", "copy")
	says(t, w, `The data source &#34;orders&#34; in Other house needs a role with Full on data sources; your role Layouter has No access`)
	w = h.sent(t, "root", own, 303, "workspace", itoa(other.ID), "how", "copy")
	library := must[*store.Library](t)(h.store.Library(t.Context(), other.ID))
	leads(t, w, "/ws/other-house/library#templates/"+itoa(library.Templates[0].ID))
	if len(library.Templates) != 1 || library.Templates[0].Definition.Code != "head" || len(library.Themes) != 1 || len(library.DataSources) != 1 {
		t.Errorf("%+v", library)
	}
	_, content, err := h.store.OpenFile(t.Context(), other.ID, "secret.png")
	noError(t, err)
	_ = content.Close()

	// All is there now: the role need not add anything but the template.
	h.sent(t, "administrator", own, 303, "workspace", itoa(other.ID), "how", "move")
	h.sent(t, "administrator", own, 404, "workspace", itoa(other.ID), "how", "move")
	library = must[*store.Library](t)(h.store.Library(t.Context(), other.ID))
	if len(library.Templates) != 2 || library.Templates[1].Definition.Code != "head-2" {
		t.Errorf("%+v", library.Templates)
	}
}

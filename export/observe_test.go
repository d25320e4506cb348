package export

import (
	"context"
	"testing"
	"time"

	"github.com/quire-reports/quire/data"
	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/report"
)

// Who watches is told of every export once, with where its time went.
func TestExportsAreObserved(t *testing.T) {
	s, _ := newService(t, files())
	var told []Made
	s.cfg.Observe = func(_ context.Context, made Made) { told = append(told, made) }
	s.cfg.Scripts = TimeScripts(s.cfg.Scripts)
	s.cfg.Loader = data.NewLoader(data.Config{Scripts: s.cfg.Scripts})
	t.Cleanup(s.cfg.Loader.Close)
	req := request()
	req.Workspace, req.UserID = 3, 7
	file, err := s.Export(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	req.Params = report.ObjectOf()
	if _, err := s.Export(t.Context(), req); err == nil {
		t.Fatal("an export without a parameter that is required was made")
	}
	if len(told) != 2 {
		t.Fatalf("told of %d exports", len(told))
	}
	made, refused := told[0], told[1]
	if made.Workspace != 3 || made.UserID != 7 || made.Report != "orders" || made.Format != "html" || made.Bytes != file.Size || made.Err != nil {
		t.Errorf("made: %+v", made)
	}
	for _, phase := range []Phase{Data, Script, HTML} {
		if took := made.Phases[phase]; took <= 0 || took > made.Took {
			t.Errorf("%s took %s of %s", phase, took, made.Took)
		}
	}
	if made.Phases[Print] != 0 {
		t.Errorf("HTML was printed for %s", made.Phases[Print])
	}
	if refused.Err == nil || refused.Bytes != 0 || refused.Phases[HTML] != 0 {
		t.Errorf("refused: %+v", refused)
	}
}

// TestDrawingsOfWorkbooksAreTheBrowsersTime: what the browser takes to draw is not
// counted to the finishing of the file a second time.
func TestDrawingsOfWorkbooksAreTheBrowsersTime(t *testing.T) {
	s, p := newService(t, map[string]string{"reports/p.json": `{"name": "P", "pages": [{"id": 1, "name": "A", "elements": [{"type": "html", "props": {"html": "<svg width=\"40\" height=\"20\"><rect width=\"40\" height=\"20\"/></svg>"}}]}]}`})
	p.err, p.took = nil, render.Timings{Queue: 40 * time.Millisecond, Fill: 80 * time.Millisecond, Print: 160 * time.Millisecond}
	var made Made
	s.cfg.Observe = func(_ context.Context, m Made) { made = m }
	file, err := s.Export(t.Context(), Request{Report: "p", ExportOptions: report.ExportOptions{Format: "xlsx"}})
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if made.Phases[Wait] != p.took.Queue || made.Phases[Paginate] != p.took.Fill || made.Phases[Print] != p.took.Print {
		t.Errorf("the browser's phases are %v", made.Phases)
	}
	sum := time.Duration(0)
	for _, took := range made.Phases {
		sum += took
	}
	if sum > made.Took {
		t.Errorf("the phases %v are longer than all, %s", made.Phases, made.Took)
	}
}

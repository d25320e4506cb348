package metrics

import (
	"strconv"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/quire-reports/quire/export"
)

// workspaces counts what is made for each workspace, up to a number of them.
// Those that come later share a name: monitors keep every series, and people can
// make any number of workspaces.
type workspaces struct {
	documents, pages, bytes *prometheus.CounterVec

	mu    sync.Mutex
	free  int
	named map[int]bool
}

func newWorkspaces(most int, counter func(name, help string, labels ...string) *prometheus.CounterVec) *workspaces {
	return &workspaces{
		documents: counter("quire_workspace_documents_total", "Finished exports of a workspace, by its ID; other for those over Metrics.Workspaces, and for all without Metrics.Address.", "workspace"),
		pages:     counter("quire_workspace_pages_total", "Pages of finished exports of a workspace.", "workspace"),
		bytes:     counter("quire_workspace_bytes_total", "Bytes of finished exports of a workspace.", "workspace"),
		free:      most, named: map[int]bool{},
	}
}

func (w *workspaces) count(made export.Made) {
	name := w.name(made.Workspace)
	w.documents.WithLabelValues(name).Inc()
	w.pages.WithLabelValues(name).Add(float64(made.Pages))
	w.bytes.WithLabelValues(name).Add(float64(made.Bytes))
}

func (w *workspaces) name(id int) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.named[id] {
		if w.free <= 0 {
			return "other"
		}
		w.named[id] = true
		w.free--
	}
	return strconv.Itoa(id)
}

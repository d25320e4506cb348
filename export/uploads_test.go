package export

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

// oneUpload holds the data of one user of one workspace.
type oneUpload struct{ workspace, user, id int }

func (u oneUpload) TempData(_ context.Context, workspace, user, id int) (io.ReadCloser, error) {
	if (oneUpload{workspace, user, id}) != u {
		return nil, report.NotFoundf("temporary data %d does not exist or has expired", id)
	}
	return io.NopCloser(strings.NewReader(`{"orders": [{"amount": 1000}]}`)), nil
}

// TestUploadsAreOfWhoPutThemThere: in every kind of export, uploaded data of
// others does not exist.
func TestUploadsAreOfWhoPutThemThere(t *testing.T) {
	t.Parallel()
	s, _ := newService(t, files())
	s.cfg.Uploads = oneUpload{workspace: 1, user: 7, id: 99}
	for _, c := range []struct {
		workspace, user int
		found           bool
	}{{1, 7, true}, {1, 8, false}, {2, 7, false}, {1, 0, false}} {
		req := request()
		req.Workspace, req.UserID, req.TempDataID = c.workspace, c.user, 99
		file, err := s.Export(t.Context(), req)
		shown, err2 := s.Preview(t.Context(), PreviewRequest{Request: req})
		if !c.found {
			for _, err := range []error{err, err2} {
				var p *report.Problem
				if !errors.As(err, &p) || p.Kind != report.NotFound || p.Path != "tempDataId" {
					t.Errorf("%+v: %v", c, err)
				}
			}
			continue
		}
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		content, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(content)
		if err != nil || !strings.Contains(string(text), "1,000.00") || !strings.Contains(string(shown.HTML), "1,000.00") {
			t.Errorf("%v: the uploaded data is not shown: %s", err, text)
		}
		_ = content.Close()
		_ = file.Close()
	}
}

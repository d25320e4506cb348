package access

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/gorilla/mux"

	"github.com/quire-reports/quire/api/internal/input"
	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// within holds a request against the scope of a preview, and gives the scope as
// the request settles it. What is outside does not exist.
func (g *Gate) within(r *http.Request, entered *store.Access, scope store.Scope) (store.Scope, error) {
	vars := mux.Vars(r)
	if scope.Workspace == 0 && !scope.Settled {
		scope.Workspace = entered.Workspace.ID
	}
	if scope.Workspace != entered.Workspace.ID {
		return scope, report.NotFoundf("workspace %s does not exist", vars["workspaceId"])
	}
	if err := g.withinReports(r, entered, &scope); err != nil {
		return scope, err
	}
	asked := tempDataOf(r)
	if scope.TempData == 0 && !scope.Settled {
		scope.TempData = asked
	}
	if asked != 0 && asked != scope.TempData {
		return scope, &report.Problem{Kind: report.NotFound, Path: "tempDataId", Message: "temporary data " + strconv.Itoa(asked) + " does not exist or has expired"}
	}
	scope.Settled = true
	return scope, nil
}

// withinReports settles which report is meant. An address that names neither a
// report nor an export is in no scope.
func (g *Gate) withinReports(r *http.Request, entered *store.Access, scope *store.Scope) error {
	vars := mux.Vars(r)
	if ref, named := vars["tempFileId"]; named {
		if id, err := strconv.Atoi(ref); err != nil || !slices.Contains(scope.Exports, id) {
			return report.NotFoundf("export %s does not exist or has expired", ref)
		}
		return nil
	}
	ref := vars["report"] + vars["reportIdOrTypeCode"] // an address has one of them
	if !report.IsID(ref) && !report.IsCode(ref) {
		return report.NotFoundf("report %q does not exist", ref)
	}
	definition, err := g.Store.ReportByIDOrType(r.Context(), entered.Workspace.ID, ref)
	if err != nil {
		return err
	}
	if err := entered.RequireReport(&definition.Row, store.Read); err != nil {
		return err
	}
	if len(scope.Reports) == 0 && !scope.AllReports && !scope.Settled {
		scope.Reports = []int{definition.ID}
	}
	if !scope.AllReports && !slices.Contains(scope.Reports, definition.ID) {
		return report.NotFoundf("report %s does not exist", ref)
	}
	return nil
}

// tempDataOf is the temporary data that an address names; 0 for none. What
// cannot be read is refused where the other options are read.
func tempDataOf(r *http.Request) int {
	options, err := input.Query(r.URL.RawQuery)
	if err != nil {
		return 0
	}
	value, _ := options.Get("tempDataId")
	id, err := input.Int("tempDataId", value)
	if err != nil {
		return 0
	}
	return id
}

// Ask completes the request for a report with its caller, and with what the
// scope of a preview says: its temporary data, its parameters, and whether data
// may be taken out. Where it fixes them no other data is taken: sources and
// reports inside the report would be asked for what belongs to that. A key
// signs for those alone who see the connections.
func (c *Caller) Ask(ctx context.Context, req *export.Request, reportID int) (err error) {
	req.Workspace, req.UserID, req.Report = c.Workspace.ID, c.User.ID, strconv.Itoa(reportID)
	if req.Signature != "" {
		if c.Scope != nil {
			return forbidden("files are signed for who is signed in or has an access token, and not by the link of a nonce")
		}
		if err := c.RequireSigning(); err != nil {
			return err
		}
	}
	if req.User, err = c.Person(ctx); err != nil || c.Scope == nil {
		return err
	}
	req.TempDataID = c.Scope.TempData
	if fixed := c.Scope.Params; fixed != nil {
		params := report.ObjectOf()
		for _, from := range []*report.Object{req.Params, fixed} {
			if from == nil {
				continue
			}
			for name, value := range from.All() {
				params.Set(name, value)
			}
		}
		req.Params = params
	}
	if c.Scope.Fixed && req.Data != nil && req.Data.Len() > 0 {
		return forbidden("this link shows the report with data or parameters that are fixed, and takes no other data; upload the data as temporary data and name it in the scope of the nonce")
	}
	if req.TakesData() && !c.Scope.Download {
		return forbidden("this link shows the report and does not give out its data; a nonce whose scope has \"download\": true does")
	}
	return nil
}

// Fixes tells whether the scope of a preview fixes a parameter.
func (c *Caller) Fixes(parameter string) bool {
	if c.Scope == nil || c.Scope.Params == nil {
		return false
	}
	_, fixed := c.Scope.Params.Get(parameter)
	return fixed
}

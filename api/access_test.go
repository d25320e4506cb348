package api

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/store"
)

// session is the cookie of a user who has signed in.
func (h *house) session(who string) string {
	sessions := access.NewSessions(h.store, access.Cookies{})
	w := httptest.NewRecorder()
	if err := sessions.SignInFrom(w, httptest.NewRequest("POST", "/sign-in", nil), h.users[who], store.Origin{}); err != nil {
		h.t.Fatal(err)
	}
	return strings.Split(w.Header().Get("Set-Cookie"), ";")[0]
}

// grant is what the access token of a user may be turned into.
func (h *house) grant(who string, scope store.Scope) store.Grant {
	h.t.Helper()
	user, token, err := h.store.UserByToken(h.t.Context(), h.tokens[who])
	if err != nil {
		h.t.Fatal(err)
	}
	return store.Grant{UserID: user.ID, TokenID: token, Epoch: user.Epoch, Scope: scope}
}

// previewCookie is one that opens all reports of the demo workspace.
func (h *house) previewCookie(who string) string {
	value, _, err := h.store.CreatePreviewSession(h.t.Context(), h.grant(who, store.Scope{Settled: true, Workspace: h.demo.ID, AllReports: true, Exports: []int{999}}))
	if err != nil {
		h.t.Fatal(err)
	}
	return access.PreviewCookie + "_1=" + value
}

// rights are the statuses that callers get; a route without a row fails.
//
//	columns: root administrator author viewer operator guest stranger lonely nobody
var rights = map[string][9]int{
	"GET /api/v1/workspaces":                                                                                               {200, 200, 200, 200, 200, 200, 200, 200, 401},
	"GET /api/v1/ws/{workspaceId}/reports":                                                                                 {200, 200, 200, 200, 200, 200, 404, 404, 401},
	"GET /api/v1/ws/{workspaceId}/reports/{report}":                                                                        {200, 200, 200, 200, 200, 404, 404, 404, 401},
	"GET /api/v1/ws/{workspaceId}/reports/{report}/parameters":                                                             {200, 200, 200, 200, 200, 404, 404, 404, 401},
	"GET /api/v1/ws/{workspaceId}/reports/{report}/data-sources":                                                           {200, 200, 200, 200, 200, 404, 404, 404, 401},
	"GET /api/v1/ws/{workspaceId}/reports/{report}/pages":                                                                  {200, 200, 200, 200, 200, 404, 404, 404, 401},
	"GET /api/v1/ws/{workspaceId}/reports/{report}/pdf":                                                                    {200, 200, 200, 200, 200, 404, 404, 404, 401},
	"POST /api/v1/ws/{workspaceId}/reports/{report}/pdf":                                                                   {200, 200, 200, 200, 200, 404, 404, 404, 401},
	"POST /api/v1/ws/{workspaceId}/reports/{report}/export":                                                                {202, 202, 202, 202, 202, 404, 404, 404, 401},
	"GET /api/v1/ws/{workspaceId}/exports/{tempFileId}/status":                                                             {404, 404, 404, 404, 404, 404, 404, 404, 401}, // there is none; see TestExportsOfOthers
	"GET /api/v1/ws/{workspaceId}/exports/{tempFileId}/content":                                                            {404, 404, 404, 404, 404, 404, 404, 404, 401}, // there is none
	"GET /api/v1/ws/{workspaceId}/jobs":                                                                                    {200, 200, 403, 403, 200, 403, 404, 404, 401},
	"POST /api/v1/ws/{workspaceId}/jobs":                                                                                   {400, 400, 403, 403, 400, 403, 404, 404, 401},
	"GET /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}":                                                                      {404, 404, 403, 403, 404, 403, 404, 404, 401}, // there is none; see TestJobsOverTheAPI
	"PUT /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}":                                                                      {400, 400, 403, 403, 400, 403, 404, 404, 401},
	"DELETE /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}":                                                                   {404, 404, 403, 403, 404, 403, 404, 404, 401},
	"GET /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/schedule":                                                             {404, 404, 403, 403, 404, 403, 404, 404, 401},
	"PUT /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/schedule":                                                             {400, 400, 403, 403, 400, 403, 404, 404, 401},
	"DELETE /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/schedule":                                                          {404, 404, 403, 403, 404, 403, 404, 404, 401},
	"GET /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs":                                                                 {404, 404, 403, 403, 404, 403, 404, 404, 401},
	"GET /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/entries":                                              {404, 404, 403, 403, 404, 403, 404, 404, 401},
	"GET /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/deliveries":                                           {404, 404, 403, 403, 404, 403, 404, 404, 401},
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/deliveries/{position}/retry":                         {404, 404, 403, 403, 404, 403, 404, 404, 401},
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/cancel":                                              {404, 404, 403, 403, 404, 403, 404, 404, 401},
	"GET /api/v1/ws/{workspaceId}/exports":                                                                                 {200, 200, 200, 200, 200, 200, 404, 404, 401},
	"GET /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/entries/{entryPosition}":                              {404, 404, 403, 403, 404, 403, 404, 404, 401},
	"GET /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/entries/{entryPosition}/documents/{documentPosition}": {404, 404, 403, 403, 404, 403, 404, 404, 401},
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/entries/approve":                                     {404, 404, 403, 403, 404, 403, 404, 404, 401},
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/entries/reject":                                      {404, 404, 403, 403, 404, 403, 404, 404, 401},
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/entries/regenerate":                                  {404, 404, 403, 403, 404, 403, 404, 404, 401},
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/entries/retry":                                       {404, 404, 403, 403, 404, 403, 404, 404, 401},
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/entries/resend":                                      {404, 404, 403, 403, 404, 403, 404, 404, 401},
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/entries/mark-delivered":                              {404, 404, 403, 403, 404, 403, 404, 404, 401},
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/deliveries/{position}/resend":                        {404, 404, 403, 403, 404, 403, 404, 404, 401},
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/deliveries/{position}/mark-delivered":                {404, 404, 403, 403, 404, 403, 404, 404, 401},
	"DELETE /api/v1/ws/{workspaceId}/exports/{tempFileId}":                                                                 {404, 404, 404, 404, 404, 404, 404, 404, 401},
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs":                                                                {404, 404, 403, 403, 404, 403, 404, 404, 401}, // there is none; see TestJobs
	"GET /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/status":                                               {404, 404, 403, 403, 404, 403, 404, 404, 401},
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/generate-review-document":                            {404, 404, 403, 403, 404, 403, 404, 404, 401},
	"POST /api/v1/ws/{workspaceId}/jobs/{jobIdOrCode}/runs/{jobRunId}/deliver":                                             {404, 404, 403, 403, 404, 403, 404, 404, 401},
	"POST /api/v1/ws/{workspaceId}/temporary-data":                                                                         {200, 200, 200, 200, 200, 403, 404, 404, 401},
	"GET /api/v1/ws/{workspaceId}/report-types":                                                                            {200, 200, 200, 200, 200, 200, 404, 404, 401},
	"GET /api/v1/ws/{workspaceId}/templates":                                                                               {200, 200, 200, 200, 200, 403, 404, 404, 401},
	"GET /api/v1/ws/{workspaceId}/themes":                                                                                  {200, 200, 200, 200, 200, 403, 404, 404, 401},
	"POST /api/v1/nonce-tokens":                                                                                            {200, 200, 200, 200, 200, 403, 200, 403, 401},
	"GET /ws/{workspaceId}/reports/{report}/preview":                                                                       {200, 200, 200, 200, 200, 404, 404, 404, 401},
	"GET /ws/{workspaceId}/reports/{report}/preview-image":                                                                 {404, 404, 404, 404, 404, 404, 404, 404, 401}, // there is none
	"GET /ws/{workspaceId}/reports/{report}/pdf":                                                                           {200, 200, 200, 200, 200, 404, 404, 404, 303},

	// The pages that people see.
	"GET /":                                {200, 200, 200, 200, 200, 200, 200, 200, 303},
	"GET /ws/{workspaceId}":                {200, 200, 200, 200, 200, 200, 404, 404, 303},
	"GET /api/ui/search":                   {200, 200, 200, 200, 200, 200, 200, 200, 401},
	"GET /devices":                         {200, 200, 200, 200, 200, 200, 200, 200, 303},
	"POST /devices/end":                    {303, 303, 303, 303, 303, 303, 303, 303, 303},
	"POST /devices/{session}/end":          {303, 303, 303, 303, 303, 303, 303, 303, 303}, // one that has ended
	"GET /tokens":                          {200, 200, 200, 200, 200, 200, 200, 200, 303},
	"POST /tokens":                         {200, 200, 200, 200, 200, 200, 200, 200, 303},
	"POST /tokens/{tokenId}/revoke":        {404, 404, 404, 404, 404, 404, 404, 404, 303}, // not theirs
	"GET /tokens/all":                      {200, 403, 403, 403, 403, 403, 403, 403, 303},
	"POST /tokens/all/{tokenId}/revoke":    {404, 403, 403, 403, 403, 403, 403, 403, 303}, // there is none
	"POST /sign-out":                       {303, 303, 303, 303, 303, 303, 303, 303, 303},
	"GET /profile":                         {200, 200, 200, 200, 200, 200, 200, 200, 303},
	"POST /profile":                        {303, 303, 303, 303, 303, 303, 303, 303, 303},
	"POST /profile/picture":                {422, 422, 422, 422, 422, 422, 422, 422, 303}, // no picture
	"POST /profile/picture/remove":         {303, 303, 303, 303, 303, 303, 303, 303, 303},
	"GET /pictures/{hash}":                 {404, 404, 404, 404, 404, 404, 404, 404, 401}, // there is none; see testPictures
	"POST /language":                       {303, 303, 303, 303, 303, 303, 303, 303, 303},
	"GET /sign-in":                         {200, 200, 200, 200, 200, 200, 200, 200, 200},
	"POST /sign-in":                        {422, 422, 422, 422, 422, 422, 422, 422, 422}, // no password
	"GET /ui/{file}":                       {200, 200, 200, 200, 200, 200, 200, 200, 200},
	"GET /healthz":                         {200, 200, 200, 200, 200, 200, 200, 200, 200},
	"GET /readyz":                          {200, 200, 200, 200, 200, 200, 200, 200, 200},
	"GET /metrics":                         {200, 200, 200, 200, 200, 200, 200, 200, 200},
	"GET /assets/{file}":                   {200, 200, 200, 200, 200, 200, 200, 200, 200},
	"GET /embed/quire-report.js":           {200, 200, 200, 200, 200, 200, 200, 200, 200},
	"GET /api/explorer":                    {308, 308, 308, 308, 308, 308, 308, 308, 308},
	"GET /api/explorer/{file}":             {200, 200, 200, 200, 200, 200, 200, 200, 200},
	"GET /api/v1/openapi.json":             {200, 200, 200, 200, 200, 200, 200, 200, 200},
	"GET /ui/canvas":                       {200, 200, 200, 200, 200, 200, 200, 200, 200},
	"GET /ws/{workspaceId}/exports":        {200, 200, 200, 200, 200, 200, 404, 404, 303},
	"GET /ws/{workspaceId}/exports/events": {200, 200, 200, 200, 200, 200, 404, 404, 401},

	"GET /ws/{workspaceId}/exports/{export}/file":        {404, 404, 404, 404, 404, 404, 404, 404, 303}, // there is none; see TestExportPages
	"POST /ws/{workspaceId}/exports/{export}/cancel":     {404, 404, 404, 404, 404, 404, 404, 404, 303},
	"GET /api/v1/audit":                                  {200, 403, 403, 403, 403, 403, 403, 403, 401},
	"GET /api/v1/ws/{workspaceId}/audit":                 {200, 200, 403, 403, 403, 403, 404, 404, 401},
	"GET /operation":                                     {200, 403, 403, 403, 403, 403, 403, 403, 303},
	"GET /usage":                                         {200, 403, 403, 403, 403, 403, 403, 403, 303},
	"GET /usage.csv":                                     {200, 403, 403, 403, 403, 403, 403, 403, 303},
	"GET /ws/{workspaceId}/usage":                        {200, 200, 403, 403, 403, 403, 404, 404, 303},
	"GET /ws/{workspaceId}/usage.csv":                    {200, 200, 403, 403, 403, 403, 404, 404, 303},
	"GET /audit":                                         {200, 403, 403, 403, 403, 403, 403, 403, 303},
	"GET /ws/{workspaceId}/audit":                        {200, 200, 403, 403, 403, 403, 404, 404, 303},
	"GET /auth/{provider}":                               {404, 404, 404, 404, 404, 404, 404, 404, 404}, // there is none
	"GET /auth/{provider}/callback":                      {404, 404, 404, 404, 404, 404, 404, 404, 404},
	"POST /auth/{provider}/backchannel-logout":           {404, 404, 404, 404, 404, 404, 404, 404, 404},
	"POST /auth/{provider}/callback":                     {404, 404, 404, 404, 404, 404, 404, 404, 404},
	"GET /auth/{provider}/metadata":                      {404, 404, 404, 404, 404, 404, 404, 404, 404},
	"GET /auth/{provider}/logout":                        {404, 404, 404, 404, 404, 404, 404, 404, 404},
	"POST /auth/{provider}/logout":                       {404, 404, 404, 404, 404, 404, 404, 404, 404},
	"GET /sso":                                           {200, 403, 403, 403, 403, 403, 403, 403, 303},
	"GET /sso/{provider}/try":                            {404, 403, 403, 403, 403, 403, 403, 403, 303},
	"GET /sso/{provider}/tried":                          {404, 403, 403, 403, 403, 403, 403, 403, 303},
	"POST /sso/{provider}/look":                          {404, 403, 403, 403, 403, 403, 403, 403, 303},
	"POST /sso/{provider}/sync":                          {404, 403, 403, 403, 403, 403, 403, 403, 303},
	"GET /mail":                                          {200, 403, 403, 403, 403, 403, 403, 403, 303},
	"POST /mail/test":                                    {422, 403, 403, 403, 403, 403, 403, 403, 303}, // no mail server
	"GET /ws/{workspaceId}/connections/sign-in":          {404, 404, 404, 403, 403, 403, 404, 404, 303}, // no connection
	"GET /ws/{workspaceId}/connections/signed-in":        {400, 400, 400, 403, 403, 403, 404, 404, 303}, // no state
	"POST /ws/{workspaceId}/connections/test":            {404, 404, 404, 403, 403, 403, 404, 404, 303}, // no type
	"GET /ws/{workspaceId}/jobs":                         {200, 200, 403, 403, 200, 403, 404, 404, 303},
	"GET /ws/{workspaceId}/jobs/{job}":                   {404, 404, 403, 403, 404, 403, 404, 404, 303}, // there is none; see testJobPages
	"POST /ws/{workspaceId}/jobs/{job}/run":              {404, 404, 403, 403, 404, 403, 404, 404, 303},
	"GET /ws/{workspaceId}/jobs/{job}/runs/{run}":        {404, 404, 403, 403, 404, 403, 404, 404, 303},
	"GET /ws/{workspaceId}/jobs/{job}/runs/{run}/events": {404, 404, 403, 403, 404, 403, 404, 404, 401},
	"POST /ws/{workspaceId}/jobs/{job}/runs/{run}/deliveries/{delivery}/retry":         {404, 404, 403, 403, 404, 403, 404, 404, 303},
	"POST /ws/{workspaceId}/jobs/{job}/runs/{run}/cancel":                              {404, 404, 403, 403, 404, 403, 404, 404, 303},
	"POST /ws/{workspaceId}/jobs/{job}/runs/{run}/review":                              {404, 404, 403, 403, 404, 403, 404, 404, 303},
	"GET /ws/{workspaceId}/jobs/{job}/runs/{run}/entries/{entry}/documents/{document}": {404, 404, 403, 403, 404, 403, 404, 404, 303},
	"POST /ws/{workspaceId}/jobs/{job}/runs/{run}/entries/{entry}/approve":             {404, 404, 403, 403, 404, 403, 404, 404, 303},
	"POST /ws/{workspaceId}/jobs/{job}/runs/{run}/entries/{entry}/reject":              {404, 404, 403, 403, 404, 403, 404, 404, 303},
	"POST /ws/{workspaceId}/jobs/{job}/runs/{run}/entries/{entry}/regenerate":          {404, 404, 403, 403, 404, 403, 404, 404, 303},
	"GET /ws/{workspaceId}/library":                                                    {200, 200, 200, 200, 200, 200, 404, 404, 303},
	"GET /ws/{workspaceId}/templates/{resource}/design":                                {200, 200, 200, 403, 403, 403, 404, 404, 303},
	"POST /api/ui/ws/{workspaceId}/templates/render":                                   {400, 400, 400, 400, 400, 403, 404, 404, 401}, // no definition
	"POST /api/ui/ws/{workspaceId}/themes/render":                                      {400, 400, 400, 400, 400, 403, 404, 404, 401}, // no definition
	"GET /api/ui/ws/{workspaceId}/reports":                                             {200, 200, 200, 200, 200, 200, 404, 404, 401},
	"GET /api/ui/ws/{workspaceId}/reportTypes":                                         {200, 200, 200, 403, 403, 403, 404, 404, 401},
	"POST /api/ui/ws/{workspaceId}/reportTypes":                                        {400, 400, 403, 403, 403, 403, 404, 404, 401}, // no name
	"PUT /api/ui/ws/{workspaceId}/reportTypes/{resource}":                              {400, 400, 403, 403, 403, 403, 404, 404, 401}, // no name
	"DELETE /api/ui/ws/{workspaceId}/reportTypes/{resource}":                           {404, 404, 403, 403, 403, 403, 404, 404, 401}, // there is none
	"POST /api/ui/ws/{workspaceId}/reportTypes/{resource}/restore":                     {404, 404, 403, 403, 403, 403, 404, 404, 401},
	"GET /api/ui/ws/{workspaceId}/jobs/choices":                                        {200, 200, 403, 403, 200, 403, 404, 404, 401},
	"GET /api/ui/ws/{workspaceId}/jobs/parameters":                                     {404, 404, 403, 403, 404, 403, 404, 404, 401}, // no report
	"POST /api/ui/ws/{workspaceId}/jobs/check":                                         {400, 400, 403, 403, 400, 403, 404, 404, 401}, // no job
	"POST /api/ui/ws/{workspaceId}/jobs/run":                                           {400, 400, 403, 403, 400, 403, 404, 404, 401}, // no job
	"POST /api/ui/ws/{workspaceId}/jobs/look":                                          {400, 400, 403, 403, 400, 403, 404, 404, 401}, // no job
	"POST /api/ui/ws/{workspaceId}/jobs/trial":                                         {400, 400, 403, 403, 400, 403, 404, 404, 401}, // no job
	"GET /api/ui/components":                                                           {200, 200, 200, 200, 200, 200, 200, 200, 401},
	"GET /ws/{workspaceId}/reports/{report}/design":                                    {200, 200, 200, 403, 403, 404, 404, 404, 303},
	"POST /api/ui/ws/{workspaceId}/reports/{report}/render":                            {400, 400, 400, 403, 403, 404, 404, 404, 401}, // no definition
	"POST /api/ui/ws/{workspaceId}/reports/{report}/run":                               {400, 400, 400, 403, 403, 404, 404, 404, 401}, // no definition
	"POST /api/ui/ws/{workspaceId}/dataSources/run":                                    {400, 400, 400, 403, 403, 403, 404, 404, 401}, // no source
	"GET /api/ui/ws/{workspaceId}/files":                                               {200, 200, 200, 200, 200, 403, 404, 404, 401},
	"POST /api/ui/ws/{workspaceId}/files":                                              {400, 400, 400, 403, 403, 403, 404, 404, 401}, // no file
	"GET /api/ui/ws/{workspaceId}/connections":                                         {200, 200, 200, 403, 403, 403, 404, 404, 401},
	"POST /ws/{workspaceId}/reports":                                                   {400, 400, 400, 403, 403, 403, 404, 404, 303}, // no name
	"GET /ws/{workspaceId}/reports/{report}/picture":                                   {200, 200, 200, 403, 403, 404, 404, 404, 303},
	"POST /ws/{workspaceId}/reports/{report}/picture":                                  {422, 422, 422, 403, 403, 404, 404, 404, 303}, // of no page
	"POST /ws/{workspaceId}/reports/{report}/picture/upload":                           {422, 422, 422, 403, 403, 404, 404, 404, 303}, // no picture
	"GET /ws/{workspaceId}/reports/new":                                                {200, 200, 200, 403, 403, 403, 404, 404, 303},
	"GET /ws/{workspaceId}/reports/new/{start}/picture":                                {404, 404, 404, 403, 403, 403, 404, 404, 401}, // there is none; see TestStartingPoints
	"GET /ws/{workspaceId}/reports/from-data":                                          {200, 200, 200, 403, 403, 403, 404, 404, 303},
	"POST /ws/{workspaceId}/reports/from-data":                                         {422, 422, 422, 403, 403, 403, 404, 404, 303}, // nothing sent
	"POST /api/ui/ws/{workspaceId}/reports":                                            {400, 400, 400, 403, 403, 403, 404, 404, 401}, // no name
	"GET /api/ui/ws/{workspaceId}/reports/{report}":                                    {200, 200, 200, 200, 200, 404, 404, 404, 401},
	"PUT /api/ui/ws/{workspaceId}/reports/{report}":                                    {400, 400, 400, 403, 403, 404, 404, 404, 401}, // no If-Match
	"DELETE /api/ui/ws/{workspaceId}/reports/{report}":                                 {404, 404, 404, 404, 404, 404, 404, 404, 401}, // there is none; see TestAuthoring
	"POST /api/ui/ws/{workspaceId}/reports/{report}/restore":                           {404, 404, 404, 403, 403, 403, 404, 404, 401}, // there is none
	"GET /api/ui/ws/{workspaceId}/reports/{report}/threads":                            {200, 200, 200, 200, 200, 404, 404, 404, 401},
	"POST /api/ui/ws/{workspaceId}/reports/{report}/threads":                           {400, 400, 400, 400, 400, 404, 404, 404, 401}, // no text
	"POST /api/ui/ws/{workspaceId}/reports/{report}/threads/{thread}/comments":         {400, 400, 400, 400, 400, 404, 404, 404, 401},
	"POST /api/ui/ws/{workspaceId}/reports/{report}/threads/{thread}/resolve":          {404, 404, 404, 404, 404, 404, 404, 404, 401}, // there is none; see TestComments
	"POST /api/ui/ws/{workspaceId}/reports/{report}/threads/{thread}/reopen":           {404, 404, 404, 404, 404, 404, 404, 404, 401},
	"PUT /api/ui/ws/{workspaceId}/reports/{report}/comments/{comment}":                 {400, 400, 400, 400, 400, 404, 404, 404, 401},
	"DELETE /api/ui/ws/{workspaceId}/reports/{report}/comments/{comment}":              {404, 404, 404, 404, 404, 404, 404, 404, 401},
	"POST /api/ui/ws/{workspaceId}/reports/{report}/comments/{comment}/restore":        {404, 404, 404, 404, 404, 404, 404, 404, 401},
	"GET /api/ui/ws/{workspaceId}/reports/{report}/people":                             {200, 200, 200, 403, 403, 404, 404, 404, 401},
	"GET /api/ui/ws/{workspaceId}/reports/{report}/events":                             {200, 200, 200, 200, 200, 404, 404, 404, 401},
	"PUT /api/ui/ws/{workspaceId}/reports/{report}/presence":                           {400, 400, 400, 403, 403, 404, 404, 404, 401}, // no page
	"GET /api/ui/ws/{workspaceId}/reports/{report}/versions":                           {200, 200, 200, 403, 403, 404, 404, 404, 401},
	"GET /api/ui/ws/{workspaceId}/reports/{report}/versions/{revision}":                {404, 404, 404, 403, 403, 404, 404, 404, 401}, // there is none
	"GET /api/ui/ws/{workspaceId}/reports/{report}/versions/{revision}/picture":        {404, 404, 404, 403, 403, 404, 404, 404, 401}, // there is none
	"PUT /api/ui/ws/{workspaceId}/reports/{report}/versions/{revision}":                {404, 404, 404, 403, 403, 404, 404, 404, 401}, // there is none
}

// libraryRights are those of each kind of definition: reading, making (an empty
// body is refused when one may), ordering, saving without If-Match, and deleting
// what is not there.
var libraryRights = map[store.Category][5][9]int{
	store.Configuration: {{200, 200, 200, 403, 403, 403, 404, 404, 401}, {400, 400, 403, 403, 403, 403, 404, 404, 401}, {400, 400, 403, 403, 403, 403, 404, 404, 401}, {400, 400, 403, 403, 403, 403, 404, 404, 401}, {404, 404, 403, 403, 403, 403, 404, 404, 401}},
	store.Dictionaries:  {{200, 200, 200, 403, 403, 403, 404, 404, 401}, {400, 400, 400, 403, 403, 403, 404, 404, 401}, {400, 400, 400, 403, 403, 403, 404, 404, 401}, {400, 400, 400, 403, 403, 403, 404, 404, 401}, {404, 404, 404, 403, 403, 403, 404, 404, 401}},
	store.DataSources:   {{200, 200, 200, 403, 403, 403, 404, 404, 401}, {400, 400, 400, 403, 403, 403, 404, 404, 401}, {400, 400, 400, 403, 403, 403, 404, 404, 401}, {400, 400, 400, 403, 403, 403, 404, 404, 401}, {404, 404, 404, 403, 403, 403, 404, 404, 401}},
	store.Templates:     {{200, 200, 200, 200, 200, 403, 404, 404, 401}, {400, 400, 400, 403, 403, 403, 404, 404, 401}, {400, 400, 400, 403, 403, 403, 404, 404, 401}, {400, 400, 400, 403, 403, 403, 404, 404, 401}, {404, 404, 404, 403, 403, 403, 404, 404, 401}},
	store.Jobs:          {{200, 200, 403, 403, 200, 403, 404, 404, 401}, {400, 400, 403, 403, 400, 403, 404, 404, 401}, {400, 400, 403, 403, 400, 403, 404, 404, 401}, {400, 400, 403, 403, 400, 403, 404, 404, 401}, {404, 404, 403, 403, 404, 403, 404, 404, 401}},
	store.Themes:        {{200, 200, 200, 200, 200, 403, 404, 404, 401}, {400, 400, 400, 403, 403, 403, 404, 404, 401}, {400, 400, 400, 403, 403, 403, 404, 404, 401}, {400, 400, 400, 403, 403, 403, 404, 404, 401}, {404, 404, 404, 403, 403, 403, 404, 404, 401}},
}

func init() {
	maps.Copy(rights, administrationRights)
	for _, kind := range store.Kinds() {
		all := "/api/ui/ws/{workspaceId}/" + string(kind)
		for i, name := range []string{"GET " + all, "POST " + all, "PUT " + all + "/order", "PUT " + all + "/{resource}", "DELETE " + all + "/{resource}"} {
			rights[name] = libraryRights[kind.Category()][i]
		}
		rights["POST "+all+"/{resource}/restore"] = libraryRights[kind.Category()][4] // as deleting
		rights["PUT "+all+"/{resource}/presence"] = libraryRights[kind.Category()][4]
		reading := libraryRights[kind.Category()][0]
		for i, status := range reading {
			if status == 200 {
				reading[i] = 404 // there is none
			}
		}
		rights["GET "+all+"/{resource}/events"] = reading
		rights["GET "+all+"/open"] = libraryRights[kind.Category()][0]
	}
	const types = "/api/ui/ws/{workspaceId}/reportTypes"
	for _, what := range []string{"GET /open", "GET /{resource}/events", "PUT /{resource}/presence"} {
		method, rest, _ := strings.Cut(what, " ")
		rights[method+" "+types+rest] = rights[method+" /api/ui/ws/{workspaceId}/languages"+rest]
	}
	rights["GET /api/ui/ws/{workspaceId}/reports/open"] = rights["GET /api/ui/ws/{workspaceId}/reports"]
}

// listActions change a report without a body that could be refused.
var listActions = regexp.MustCompile(`/(restore|delete|duplicate|subreport|standalone|move)$`)

func callers() []string {
	return []string{"root", "administrator", "author", "viewer", "operator", "guest", "stranger", "lonely", ""}
}

// nameOf is a route's key in rights.
func nameOf(r Route) string {
	path := strings.NewReplacer("{reportIdOrTypeCode}", "{report}", ":.*}", "}", ":[0-9]+}", "}").Replace(r.Path)
	return r.Method + " " + path
}

// requestOf is a request to a route of the demo workspace.
func requestOf(r Route) (*http.Request, string) {
	file := "preview.js"
	switch {
	case strings.HasPrefix(r.Path, "/ui/"):
		file = "style.css"
	case strings.HasPrefix(r.Path, "/api/explorer"):
		file = ""
	}
	id := "1"
	if r.Method == http.MethodDelete || r.Method == http.MethodPost && listActions.MatchString(r.Path) {
		id = "999"
	}
	path := strings.NewReplacer("{report:[0-9]+}", id, "{revision:[0-9]+}", "1", "{thread:[0-9]+}", "999", "{comment:[0-9]+}", "999", "{resource:[0-9]+}", "999", "{workspaceId}", "demo", "{reportIdOrTypeCode}", "invoice", "{report}", "invoice",
		"{tempFileId}", "999", "{export:[0-9]+}", "999", "{job:[0-9]+}", "999", "{run:[0-9]+}", "999", "{entry:[0-9]+}", "999", "{document:[0-9]+}", "1", "{delivery:[0-9]+}", "1", "{jobIdOrCode}", "none", "{jobRunId}", "999", "{position}", "1", "{entryPosition}", "1", "{documentPosition}", "1", "{tokenId:[0-9]+}", "999", "{passkey:[0-9]+}", "999", "{userId:[0-9]+}", "999", "{groupId:[0-9]+}", "999", "{id}", "999", "{roleId:[0-9]+}", "999", "{account:[0-9]+}", "999", "{invitation:[0-9]+}", "999", "{file:.*}", file, "{name:.*}", "none.png", "{file}", file).Replace(r.Path)
	body := ""
	switch {
	case strings.HasSuffix(r.Path, "/order"):
		body = `{"order":[999]}`
	case r.Path == "/tokens":
		body = "name=test&days=30"
	case strings.HasSuffix(r.Path, "temporary-data"):
		body = `{"content":{}}`
	}
	request := httptest.NewRequest(r.Method, path, strings.NewReader(body))
	if strings.HasPrefix(r.Path, "/api/") || strings.HasPrefix(r.Path, "/scim/") {
		request.Header.Set("Content-Type", "application/json")
	} else {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return request, path
}

// streamsEnd has streams of events end once they have begun, as when the service stops.
func streamsEnd(c *Config) {
	stopping := make(chan struct{})
	close(stopping)
	c.Stopping = stopping
}

func testEveryRouteAgainstEveryRole(t *testing.T, open opener) {
	judges.Slow(t)
	h := open(t, streamsEnd)
	seen := map[string]bool{}
	for _, route := range h.routes {
		expected, known := rights[nameOf(route)]
		if seen[nameOf(route)] = true; !known {
			t.Errorf("%s has no row in the table of rights", nameOf(route))
			continue
		}
		for i, who := range callers() {
			request, path := requestOf(route)
			if who != "" && route.Need.Ways&access.Token != 0 {
				request.Header.Set("Authorization", "Bearer "+h.tokens[who])
			} else if who != "" {
				request.Header.Set("Cookie", h.session(who))
			}
			w := httptest.NewRecorder()
			if h.handler.ServeHTTP(w, request); w.Code != expected[i] {
				t.Errorf("%s %s as %q: %d; want %d\n%.300s", route.Method, path, who, w.Code, expected[i], w.Body)
			}
			h.neverHTML(t, route, w)
		}
	}
	for name := range rights {
		if !seen[name] {
			t.Errorf("the table of rights has %s, which is no route", name)
		}
	}
}

// neverHTML checks that programs get JSON, whatever goes wrong.
func (h *house) neverHTML(t *testing.T, route Route, w *httptest.ResponseRecorder) {
	t.Helper()
	if (strings.HasPrefix(route.Path, "/api/v1") || strings.HasPrefix(route.Path, "/scim/")) && (strings.Contains(w.Header().Get("Content-Type"), "html") || w.Code/100 == 3) {
		t.Errorf("%s answers %d with %s", route.Path, w.Code, w.Header().Get("Content-Type"))
	}
}

func testEveryRouteAgainstWrongCredentials(t *testing.T, open opener) {
	judges.Slow(t)
	h := open(t, streamsEnd)
	spoiled := must[string](t)(h.store.CreateToken(t.Context(), h.users["viewer"].ID, store.NewToken{Name: "spoiled"}))
	tokens := must[[]store.Token](t)(h.store.Tokens(t.Context(), h.users["viewer"].ID))
	if err := h.store.RevokeToken(t.Context(), h.users["viewer"].ID, tokens[0].ID); err != nil {
		t.Fatal(err)
	}
	for _, route := range h.routes {
		if route.Need.Open {
			continue
		}
		for name, set := range map[string]func(http.Header){
			"an unknown token":           func(h http.Header) { h.Set("Authorization", "Bearer "+unknownToken) },
			"a revoked token":            func(h http.Header) { h.Set("Authorization", "Bearer "+spoiled) },
			"no token":                   func(h http.Header) { h.Set("Authorization", "Bearer ") },
			"another scheme":             func(h http.Header) { h.Set("Authorization", "Digest x") },
			"an unknown session":         func(h http.Header) { h.Set("Cookie", "quire_session=abc") },
			"an unknown preview session": func(h http.Header) { h.Set("Cookie", "quire_preview=abc") },
			"a bad token and a session":  func(hd http.Header) { hd.Set("Authorization", "Bearer x"); hd.Set("Cookie", h.session("root")) },
		} {
			if name == "a bad token and a session" && route.Need.Ways&access.Token == 0 {
				continue // pages do not look at tokens
			}
			request, path := requestOf(route)
			set(request.Header)
			w := httptest.NewRecorder()
			if h.handler.ServeHTTP(w, request); w.Code != 401 && w.Code != 303 {
				t.Errorf("%s %s with %s: %d\n%.300s", route.Method, path, name, w.Code, w.Body)
			}
			h.neverHTML(t, route, w)
		}
	}
}

// TestCookiesReachOnlyWhatTheyMay tries both cookies on every route.
func testCookiesReachOnlyWhatTheyMay(t *testing.T, open opener) {
	h := open(t, streamsEnd)
	for name, cookie := range map[string]string{"preview": h.previewCookie("root"), "session": h.session("root")} {
		way := map[string]access.Way{"preview": access.Preview, "session": access.Session}[name]
		for _, route := range h.routes {
			if route.Need.Open || route.Path == "/sign-out" || route.Path == "/devices/end" {
				continue
			}
			request, path := requestOf(route)
			request.Header.Set("Cookie", cookie)
			w := httptest.NewRecorder()
			h.handler.ServeHTTP(w, request)
			refused := w.Code == 401 || w.Code == 303 && strings.Contains(w.Header().Get("Location"), "/sign-in")
			if allowed := route.Need.Ways&way != 0; refused == allowed {
				t.Errorf("%s %s with the %s cookie: %d", route.Method, path, name, w.Code)
			}
			if way == access.Preview && !refused && route.Method != http.MethodGet {
				t.Errorf("%s %s: a preview session is read-only", route.Method, path)
			}
		}
	}
}

func testRequestsOfOneUserAreLimited(t *testing.T, open opener) {
	h := open(t, func(c *Config) { c.RequestsPerSecond = 5 })
	for range 10 {
		h.check(t, scenario{path: "/api/v1/workspaces", who: "viewer", status: 200})
	}
	h.check(t, scenario{path: "/api/v1/workspaces", who: "viewer", status: 429, has: []string{`"status":429`, "too many requests"}, answer: map[string]string{"Retry-After": "1"}})
	h.check(t, scenario{path: "/api/v1/workspaces", who: "author", status: 200})
	h.clock.Advance(2e9)
	h.check(t, scenario{path: "/api/v1/workspaces", who: "viewer", status: 200})
}

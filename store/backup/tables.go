package backup

import (
	"maps"
	"slices"
	"strings"
)

// Table is what a backup does with a table.
type Table struct {
	Name string
	// LeftOut says why a backup is without it; empty for those that it has.
	LeftOut string
	// NotOfOne says why a backup of one workspace is without it; empty for those
	// that it has.
	NotOfOne string
	// Of are the rows of one workspace, as a condition in which each ? is its number.
	Of string
	// Refers are the columns with the numbers of rows, and of which tables.
	Refers map[string]string
	// Needs is the column without which a row of a workspace is none: the person
	// whom it names is not known where the workspace comes.
	Needs string
	// Content is the column that names a content; empty when there is none.
	Content string
}

// refers are columns with the tables that they refer to, in turns.
func refers(pairs ...string) map[string]string {
	all := map[string]string{}
	for pair := range slices.Chunk(pairs, 2) {
		all[pair[0]] = pair[1]
	}
	return all
}

// Why tables are left out of a backup of one workspace.
const (
	signsIn     = "how people and programs sign in is of the installation: who is given the backup of a workspace is not given that"
	itself      = "of the installation itself"
	passes      = "programs know it by a number that it would not have any more, and it is there for a day"
	workedOut   = "worked out anew from the jobs"
	underWay    = "what was under way does not go on elsewhere"
	ofWorkspace = "workspace_id = ?"
)

// The rows of a workspace that do not name it themselves.
const (
	ofReports   = "report_id IN (SELECT id FROM reports WHERE workspace_id = ?)"
	ofThreads   = "thread_id IN (SELECT t.id FROM report_threads t JOIN reports r ON r.id = t.report_id WHERE r.workspace_id = ?)"
	ofComments  = "comment_id IN (SELECT c.id FROM report_comments c JOIN report_threads t ON t.id = c.thread_id JOIN reports r ON r.id = t.report_id WHERE r.workspace_id = ?)"
	ofRuns      = "run_id IN (SELECT id FROM job_runs WHERE workspace_id = ?)"
	ofEntries   = "entry_id IN (SELECT e.id FROM job_entries e JOIN job_runs r ON r.id = e.run_id WHERE r.workspace_id = ?)"
	theseGroups = "(SELECT group_id FROM group_roles WHERE workspace_id = ? UNION SELECT a.group_id FROM report_access a JOIN reports r ON r.id = a.report_id WHERE r.workspace_id = ? AND a.group_id IS NOT NULL)"
)

// Tables are all that there are, those that others refer to first.
func Tables() []Table {
	const signedIn = "who was signed in signs in anew: a sign-in that was ended since must not come back"
	all := []Table{
		{Name: "installation", NotOfOne: itself},
		{Name: "workspaces", Of: "id = ?"},
		{Name: "users", Of: "service_of = ?", Refers: refers("service_of", "workspaces")},
		{Name: "roles", Of: ofWorkspace, Refers: refers("workspace_id", "workspaces")},
		{Name: "members", Of: ofWorkspace, Refers: refers("workspace_id", "workspaces", "user_id", "users", "role_id", "roles")},
		{Name: "tokens", NotOfOne: signsIn},
		{Name: "user_groups", Of: "id IN " + theseGroups},
		{Name: "group_members", Of: "group_id IN " + theseGroups, Refers: refers("group_id", "user_groups", "user_id", "users")},
		{Name: "group_roles", Of: ofWorkspace, Refers: refers("workspace_id", "workspaces", "group_id", "user_groups", "role_id", "roles")},
		{Name: "identities", NotOfOne: signsIn},
		{Name: "told_groups", NotOfOne: signsIn},
		{Name: "second_factors", NotOfOne: signsIn},
		{Name: "recovery_codes", NotOfOne: signsIn},
		{Name: "passkeys", NotOfOne: signsIn},
		{Name: "user_pictures", NotOfOne: "a person's own, and of no workspace"},
		{Name: "devices", NotOfOne: signsIn},
		{Name: "account_links", NotOfOne: "they were sent, and lead to the installation that sent them"},
		{Name: "used_once", NotOfOne: signsIn},
		{Name: "provisioning_tokens", NotOfOne: signsIn},
		{Name: "provisioned_users", NotOfOne: signsIn},
		{Name: "provider_keys", NotOfOne: signsIn},
		{Name: "directory_syncs", NotOfOne: itself},
		{Name: "report_types", Of: ofWorkspace, Refers: refers("workspace_id", "workspaces", "default_report_id", "reports")},
		{Name: "reports", Of: ofWorkspace, Content: "preview_key", Refers: refers("workspace_id", "workspaces", "type_id", "report_types", "owner_id", "users", "default_of", "report_types")},
		{Name: "report_type_presence", LeftOut: "who is there says so again"},
		{Name: "report_versions", Of: ofReports, Refers: refers("report_id", "reports", "user_id", "users")},
		{Name: "report_access", Of: ofReports, Refers: refers("report_id", "reports", "role_id", "roles", "user_id", "users", "group_id", "user_groups")},
		{Name: "report_threads", Of: ofReports, Refers: refers("report_id", "reports", "resolved_by", "users")},
		{Name: "report_comments", Of: ofThreads, Refers: refers("thread_id", "report_threads", "user_id", "users")},
		{Name: "report_mentions", Of: ofComments, Refers: refers("comment_id", "report_comments", "user_id", "users"), Needs: "user_id"},
		{Name: "report_presence", LeftOut: "who is there says so again"},
		{Name: "resources", Of: ofWorkspace, Refers: refers("workspace_id", "workspaces", "saved_by", "users")},
		{Name: "resource_presence", LeftOut: "who is there says so again"},
		{Name: "files", Of: ofWorkspace, Content: "content_key", Refers: refers("workspace_id", "workspaces")},
		{Name: "connections", Of: ofWorkspace, Refers: refers("workspace_id", "workspaces")},
		{Name: "temp_data", Content: "content_key", NotOfOne: passes},
		{Name: "export_files", Content: "content_key", NotOfOne: passes},
		{Name: "idempotency_keys", NotOfOne: passes},
		{Name: "job_schedules", NotOfOne: workedOut},
		{Name: "job_runs", Of: ofWorkspace, Content: "data_key", Refers: refers("workspace_id", "workspaces", "job_id", "resources", "user_id", "users")},
		{Name: "job_run_definitions", Of: ofRuns, Refers: refers("run_id", "job_runs")},
		{Name: "job_entries", Of: ofRuns, Refers: refers("run_id", "job_runs")},
		{Name: "job_counts", LeftOut: "the entries are counted as they come back"},
		{Name: "job_documents", Of: ofEntries, Content: "content_key", Refers: refers("entry_id", "job_entries")},
		{Name: "job_deliveries", Of: ofEntries, Refers: refers("entry_id", "job_entries")},
		{Name: "job_run_deliveries", Of: ofRuns, Refers: refers("run_id", "job_runs")},
		{Name: "queue", Content: "payload_key", NotOfOne: underWay},
		{Name: "processes", LeftOut: "who takes tasks says so again"},
		{Name: "workspace_usage", Of: ofWorkspace, Refers: refers("workspace_id", "workspaces")},
		{Name: "audit_events", NotOfOne: "it says what was done in an installation, and stays there; the restore is recorded"},
		{Name: "sessions", LeftOut: signedIn},
		{Name: "preview_sessions", LeftOut: signedIn},
		{Name: "nonces", LeftOut: "they are good for a minute"},
		{Name: "posted_sign_ins", LeftOut: "sign-ins under way"},
		{Name: "attempts", LeftOut: "counts of failed sign-ins of a day"},
	}
	users := slices.IndexFunc(all, func(t Table) bool { return t.Name == "users" })
	all[users].Of = theseUsers(all, all[users].Of)
	return all
}

// theseUsers are the accounts of a workspace and all whom a row of it names, with
// whom it may be only that they wrote something.
func theseUsers(all []Table, own string) string {
	named := []string{"SELECT id FROM users WHERE " + own}
	for _, t := range all {
		for _, column := range slices.Sorted(maps.Keys(t.Refers)) {
			if t.Refers[column] == "users" {
				named = append(named, "SELECT "+column+" FROM "+t.Name+" WHERE "+t.Of)
			}
		}
	}
	return "id IN (" + strings.Join(named, " UNION ") + ")"
}

// kept tells whether a backup has the table, of all or of one workspace.
func (t Table) kept(ofOne bool) bool {
	return t.LeftOut == "" && (!ofOne || t.NotOfOne == "")
}

// of are the arguments of the condition Of.
func (t Table) of(workspace int64) []any {
	return slices.Repeat([]any{workspace}, strings.Count(t.Of, "?"))
}

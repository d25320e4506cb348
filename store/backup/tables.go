package backup

// Table is what a backup does with a table.
type Table struct {
	Name string
	// LeftOut says why a backup is without it; empty for those that it has.
	LeftOut string
	// Content is the column that names a content; empty when there is none.
	Content string
}

// Tables are all that there are, those that others refer to first.
func Tables() []Table {
	const signedIn = "who was signed in signs in anew: a sign-in that was ended since must not come back"
	return []Table{
		{Name: "installation"},
		{Name: "workspaces"},
		{Name: "users"},
		{Name: "roles"},
		{Name: "members"},
		{Name: "tokens"},
		{Name: "user_groups"},
		{Name: "group_members"},
		{Name: "group_roles"},
		{Name: "identities"},
		{Name: "told_groups"},
		{Name: "second_factors"},
		{Name: "recovery_codes"},
		{Name: "passkeys"},
		{Name: "user_pictures"},
		{Name: "devices"},
		{Name: "account_links"},
		{Name: "used_once"},
		{Name: "provisioning_tokens"},
		{Name: "provisioned_users"},
		{Name: "provider_keys"},
		{Name: "directory_syncs"},
		{Name: "report_types"},
		{Name: "reports", Content: "preview_key"},
		{Name: "report_versions"},
		{Name: "report_access"},
		{Name: "report_threads"},
		{Name: "report_comments"},
		{Name: "report_mentions"},
		{Name: "report_presence", LeftOut: "who is there says so again"},
		{Name: "resources"},
		{Name: "files", Content: "content_key"},
		{Name: "connections"},
		{Name: "temp_data", Content: "content_key"},
		{Name: "export_files", Content: "content_key"},
		{Name: "idempotency_keys"},
		{Name: "job_schedules"},
		{Name: "job_runs", Content: "data_key"},
		{Name: "job_run_definitions"},
		{Name: "job_entries"},
		{Name: "job_counts", LeftOut: "the entries are counted as they come back"},
		{Name: "job_documents", Content: "content_key"},
		{Name: "job_deliveries"},
		{Name: "job_run_deliveries"},
		{Name: "queue", Content: "payload_key"},
		{Name: "workspace_usage"},
		{Name: "audit_events"},
		{Name: "sessions", LeftOut: signedIn},
		{Name: "preview_sessions", LeftOut: signedIn},
		{Name: "nonces", LeftOut: "they are good for a minute"},
		{Name: "posted_sign_ins", LeftOut: "sign-ins under way"},
		{Name: "attempts", LeftOut: "counts of failed sign-ins of a day"},
	}
}

package main

import (
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// settings are everything an operator can set. They come from the list below
// and from nowhere else. Fields with secrets are exported: in others, fmt prints
// them as they are.
type settings struct {
	Address, DataDir, PathBase, PublicURL string
	MetricsAddress                        string
	Profiling                             bool
	MetricsWorkspaces                     int
	TracingURL                            string
	TracingPercent                        int
	TrustedProxies                        []netip.Prefix

	Database, Redis, Storage string
	StorageSync              bool
	DatabaseConnections      int
	Key, Vector              report.Secret
	OldKey, OldVector        report.Secret
	BackupURL                string
	BackupSchedule           string
	BackupKeep               int
	OldKeys                  []store.Keys // that one, or those of the data folder

	RootEmail, RootName string
	RootPassword        report.Secret

	SessionDays, SessionHours int
	InvitationDays            int
	SecondFactor              string
	LocalSignIn               bool
	AutoRedirect              string
	TokenMaxIdleDays          int

	StopDelay, StopGrace int

	ExplorerEnabled bool
	FrameAncestors  []string

	BrowserPath                   string
	BrowserWorkers                int
	BrowserMemoryMB, BrowserStall int
	BrowserSandbox                string
	BrowserWaiting                int
	WorkspaceWaiting              int
	ScriptProcesses               int
	ScriptTimeout                 int
	ScriptMemoryMB                int
	UserScripts                   int
	FontsDir                      string

	ExportTimeout, AsyncTimeout, RetentionHours int
	MostQueued                                  int
	RunDays                                     int
	AuditDays                                   int
	AuditStdout                                 bool
	Office                                      bool
	Given                                       []string                  // names of the settings that were given
	Texts                                       map[string]report.Secret  // of each setting by its name; many hold secrets
	noBrowser                                   bool                      // nothing is printed here
	again                                       func() (*settings, error) // reads them once more; nil: they stay
	level                                       *slog.LevelVar            // of the log
	auditLines                                  io.Writer                 // where the service writes the audit log; nil: nowhere
	TempDataUserMB, TempDataWorkspaceMB         int
	ExportWorkers                               int
	ExportsInService                            bool
	WorkerKinds                                 []string
	BodyMB, Rows, DocumentMB                    int
	RequestsPerSecond                           int
	MemoryMB, WorkspaceMemoryMB                 int
	AllowHosts                                  []string
	DeliveryFolders                             []string
	Mail                                        mailSettings
	Providers                                   [mostProviders]providerSettings

	LogLevel, LogFormat string
}

// setting declares one setting: how the operator writes its name, its default, a
// value that somebody might give it, what it is for, and what it takes. Everything that reads or explains settings
// goes through this list.
type setting struct {
	name, def, example, help string
	takes
}

// takes is how the text of a setting is checked and stored, and what it may be in
// a settings file, as JSON Schema.
type takes struct {
	set    func(s *settings, text string) error
	schema map[string]any
}

// isSecret tells whether the value is one, or may have one inside.
func (st setting) isSecret() bool {
	return slices.Contains([]string{
		"ConnectionStrings.Database", "ConnectionStrings.Redis", "Encryption.Key", "Encryption.Vector", "Encryption.OldKey", "Encryption.OldVector",
		"RootUser.Password", "SmtpServer.Password",
	}, st.name) || strings.HasSuffix(st.name, ".ClientSecret") || strings.HasSuffix(st.name, ".BindPassword")
}

// settingList lists the settings as documents do; acceptedSettings are all.
func settingList() []setting {
	return slices.Concat([]setting{
		{"Address", ":8080", "127.0.0.1:8080", "host:port the service listens on", checked(func(s *settings) *string { return &s.Address }, isAddress)},
		{"DataDir", "./quire-data", "/var/lib/quire/data", "folder of the embedded database, files and generated keys", plain(func(s *settings) *string { return &s.DataDir })},
		{"PathBase", "", "/reports", "path under which the service is hosted, such as /reports", checked(func(s *settings) *string { return &s.PathBase }, isPathBase)},
		{"PublicUrl", "", "https://reports.example.com", "address under which people reach the service, such as https://reports.example.com", checked(func(s *settings) *string { return &s.PublicURL }, isHTTPURL)},
		{"TrustedProxies", "", "loopback, 10.1.0.0/16", "addresses or networks of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed, comma-separated; also loopback and private", takes{proxies, listSchema()}},
		{"ConnectionStrings.Database", "", "postgres://quire:secret@db.example.com/quire", "sqlite:{path} or postgres://…; empty means SQLite in DataDir", checked(func(s *settings) *string { return &s.Database }, isPlace("sqlite:", "postgres://", "postgresql://"))},
		{"Database.Connections", "20", "10", "most connections to PostgreSQL of each process", number(func(s *settings) *int { return &s.DatabaseConnections }, 2, 1000)},
		{"ConnectionStrings.Redis", "", "redis://:secret@redis.example.com:6379/0", "redis://… for nonces and counts of failed sign-ins; empty means the database", checked(func(s *settings) *string { return &s.Redis }, isPlace("redis://", "rediss://"))},
		{"Storage.Url", "", "s3://quire?endpoint=https%3A%2F%2Fs3.example.com&region=eu-central-1", "file://{dir} or s3://{bucket}?endpoint=…; empty means files in DataDir", checked(func(s *settings) *string { return &s.Storage }, isPlace("file://", "s3://"))},
		{"Storage.Sync", "true", "false", "whether an SQLite database and files in a folder are put on disk before they are acknowledged; false is faster, and a power cut takes the last seconds", boolean(func(s *settings) *bool { return &s.StorageSync })},
		{"Encryption.Key", "", "3f9c0f6f2b7d4e1aa8c5d2906be71f48", "32 characters that protect stored secrets; empty means generated in DataDir", secret(func(s *settings) *report.Secret { return &s.Key }, 32)},
		{"Encryption.Vector", "", "9b1de07c42f8a635", "16 characters, with Encryption.Key", secret(func(s *settings) *report.Secret { return &s.Vector }, 16)},
		{"Encryption.OldKey", "", "c27a5b0e914d4f83b6e0a97d158c3f62", "a key that protected secrets before, or will; it only opens them, see quire keys rotate", secret(func(s *settings) *report.Secret { return &s.OldKey }, 32)},
		{"Encryption.OldVector", "", "70e3c9a815f2d4b6", "16 characters, with Encryption.OldKey", secret(func(s *settings) *report.Secret { return &s.OldVector }, 16)},
		{"Backup.Url", "", "s3://backups?endpoint=https%3A%2F%2Fs3.example.com", "where quire backup writes to, and quire restore reads from: file://{dir} or s3://{bucket}?endpoint=…", checked(func(s *settings) *string { return &s.BackupURL }, isPlace("file://", "s3://"))},
		{"Backup.Schedule", "", "30 2 * * *", "when quire serve makes a backup there, as five fields of cron in the server's time zone, such as 30 2 * * *; of several services one does; empty means never", checked(func(s *settings) *string { return &s.BackupSchedule }, isCron)},
		{"Backup.Keep", "0", "14", "backups that stay there; older ones are removed; 0 means all", number(func(s *settings) *int { return &s.BackupKeep }, 0, 100_000)},
		{"RootUser.Email", "root@localhost", "admin@example.com", "sign-in name of the first user", plain(func(s *settings) *string { return &s.RootEmail })},
		{"RootUser.Password", "", "a-long-Passphrase-7", "password of the first user; empty means generated and printed once", secret(func(s *settings) *report.Secret { return &s.RootPassword }, 0)},
		{"RootUser.DisplayName", "Root", "Administrator", "name of the first user", plain(func(s *settings) *string { return &s.RootName })},
		{"Sessions.Days", "7", "1", "how long a sign-in lasts", number(func(s *settings) *int { return &s.SessionDays }, 1, 365)},
		{"Sessions.IdleHours", "12", "2", "how long a sign-in lasts that is not used", number(func(s *settings) *int { return &s.SessionHours }, 1, 8760)},
		{"Accounts.InvitationDays", "7", "3", "how long an invitation into a workspace is good; 0 means that nobody invites, and only root users make accounts", number(func(s *settings) *int { return &s.InvitationDays }, 0, 90)},
		{"Accounts.SecondFactor", "optional", "required", "who needs a second factor to sign in with a password: optional (nobody), root (root users) or required (everybody)", chosen(func(s *settings) *string { return &s.SecondFactor }, "optional", "root", "required")},
		{"Explorer.Enabled", "true", "false", "whether /api/explorer is served", boolean(func(s *settings) *bool { return &s.ExplorerEnabled })},
		{"Preview.FrameAncestors", "*", "https://app.example.com, https://shop.example.com", "origins that may embed previews, comma-separated; * for any", list(func(s *settings) *[]string { return &s.FrameAncestors }, isOrigin)},
		{"Browser.Path", "", "/usr/bin/chromium", "Chromium's executable; empty means found on PATH", checked(func(s *settings) *string { return &s.BrowserPath }, isProgram)},
		{"Browser.Workers", "0", "4", "documents printed at the same time; 0 means one a processor", number(func(s *settings) *int { return &s.BrowserWorkers }, 0, 64)},
		{"Browser.Sandbox", "auto", "on", "whether Chromium runs in its sandbox: auto (where the system allows it), on (else the service does not start) or off", chosen(func(s *settings) *string { return &s.BrowserSandbox }, "auto", "on", "off")},
		{"Browser.MemoryMB", "0", "2048", "memory that the browser may take for one document, in megabytes; a document that takes more fails, and the heaviest when all take three quarters of the container or machine; 0 means 4096, or half of the container's", number(func(s *settings) *int { return &s.BrowserMemoryMB }, 0, 1_000_000)},
		{"Browser.StallSeconds", "25", "60", "for how long a document may do a single thing in the browser, such as its layout, and two seconds more for each megabyte of it; then it fails", number(func(s *settings) *int { return &s.BrowserStall }, 1, 86400)},
		{"Browser.Waiting", "0", "400", "most documents that wait for the browser while somebody waits for them; further ones get 503, of the workspace with most of them; 0 means 50 for each printed at the same time", number(func(s *settings) *int { return &s.BrowserWaiting }, 0, 100_000)},
		{"Scripts.Processes", "0", "4", "scripts that run at the same time, and one more for a workspace that had less; 0 means one a processor", number(func(s *settings) *int { return &s.ScriptProcesses }, 0, 64)},
		{"Scripts.TimeoutSeconds", "5", "10", "seconds of a processor that one call of a script may take, and three times as many on the clock", number(func(s *settings) *int { return &s.ScriptTimeout }, 1, 600)},
		{"Scripts.MemoryMB", "256", "512", "memory that one script may use, in megabytes", number(func(s *settings) *int { return &s.ScriptMemoryMB }, 16, 65536)},
		{"Fonts.Dir", "", "/usr/local/share/fonts", "folder of further fonts for pages, such as Noto's; empty means those that the system has", checked(func(s *settings) *string { return &s.FontsDir }, folder)},
		{"Exports.TimeoutSeconds", "120", "60", "time limit of a synchronous export", number(func(s *settings) *int { return &s.ExportTimeout }, 1, 86400)},
		{"Exports.AsyncTimeoutSeconds", "1800", "3600", "time limit of an asynchronous export and of an entry of a job", number(func(s *settings) *int { return &s.AsyncTimeout }, 1, 86400)},
		{"Exports.Workers", "0", "4", "asynchronous exports and entries done at the same time by a process; 0 means one a processor", number(func(s *settings) *int { return &s.ExportWorkers }, 0, 256)},
		{"Exports.InService", "true", "false", "whether quire serve does queued exports and jobs itself; false leaves them to quire worker, on PostgreSQL", boolean(func(s *settings) *bool { return &s.ExportsInService })},
		{"Worker.Kinds", "", "print", "what a process does of what is queued: print (exports and the documents of jobs), deliver (deliveries and webhooks), or both, comma-separated; empty means both; one of them wants PostgreSQL, and another process for the rest", list(func(s *settings) *[]string { return &s.WorkerKinds }, oneOf(workKinds()...))},
		{"Exports.MostQueued", "20000", "100000", "most asynchronous exports of a workspace that wait at the same time; further ones get 503", number(func(s *settings) *int { return &s.MostQueued }, 1, 10_000_000)},
		{"Exports.RetentionHours", "24", "6", "how long temporary files are kept", number(func(s *settings) *int { return &s.RetentionHours }, 1, 8760)},
		{"TemporaryData.UserMB", "4096", "1024", "most temporary data of a user at the same time, in megabytes; further uploads get 429", number(func(s *settings) *int { return &s.TempDataUserMB }, 1, 100_000_000)},
		{"TemporaryData.WorkspaceMB", "16384", "8192", "most temporary data of a workspace at the same time, in megabytes", number(func(s *settings) *int { return &s.TempDataWorkspaceMB }, 1, 100_000_000)},
		{"Jobs.RetentionDays", "90", "30", "how long the runs of jobs are kept, with their documents", number(func(s *settings) *int { return &s.RunDays }, 1, 3650)},
		{"Audit.RetentionDays", "365", "3650", "how long the audit log is kept", number(func(s *settings) *int { return &s.AuditDays }, 1, 36500)},
		{"Audit.Stdout", "false", "true", "whether quire serve and quire worker write what the audit log records to standard output, too, a line of JSON each", boolean(func(s *settings) *bool { return &s.AuditStdout })},
		{"Office.Enabled", "true", "false", "whether reports can be exported as files of Office (docx, xlsx, pptx)", boolean(func(s *settings) *bool { return &s.Office })},
		{"Limits.BodyMB", "64", "16", "largest request body in megabytes", number(func(s *settings) *int { return &s.BodyMB }, 1, 4096)},
		{"Limits.RequestsPerSecond", "500", "100", "most requests of one user a second, over some time; further ones get 429 with Retry-After", number(func(s *settings) *int { return &s.RequestsPerSecond }, 1, 100_000)},
		{"Limits.UserScripts", "200", "50", "most scripts of one user that run or wait at the same time in a process; further ones get 429", number(func(s *settings) *int { return &s.UserScripts }, 1, 100_000)},
		{"Limits.WorkspaceWaiting", "0", "40", "most documents of one workspace that wait for the browser while somebody waits for them; further ones get 503; 0 means as many as there may be in all", number(func(s *settings) *int { return &s.WorkspaceWaiting }, 0, 100_000)},
		{"Limits.Rows", "1000000", "200000", "most rows a data source may give", number(func(s *settings) *int { return &s.Rows }, 1, 100_000_000)},
		{"Limits.DocumentMB", "256", "64", "largest document, as HTML and without the pictures of a PDF, in megabytes; printing takes many times as much memory", number(func(s *settings) *int { return &s.DocumentMB }, 1, 4096)},
		{"Limits.MemoryMB", "0", "2048", "memory for the bodies, data and documents that a process works on at the same time, in megabytes; what is over it gets 503; 0 means a quarter of the container's or machine's", number(func(s *settings) *int { return &s.MemoryMB }, 0, 1_000_000)},
		{"Limits.WorkspaceMemoryMB", "0", "512", "how much of it one workspace may take, and one export; what is over it gets 429 or 413; 0 means 60 %", number(func(s *settings) *int { return &s.WorkspaceMemoryMB }, 0, 1_000_000)},
		{"Deliveries.Folders", "", "/srv/letters, /mnt/archive", "folders that deliveries to local volumes may write below, comma-separated", list(func(s *settings) *[]string { return &s.DeliveryFolders }, isWholeFolder)},
		{"Egress.AllowHosts", "", "erp.internal, 10.20.0.0/16", "private hosts or networks that data sources and images may reach, comma-separated", list(func(s *settings) *[]string { return &s.AllowHosts }, isHost)},
		{"Metrics.Address", "", "127.0.0.1:9464", "host:port of its own for /metrics, /healthz and /readyz with each part, of quire serve and quire worker; empty means a service serves /metrics with everything else, and a worker nothing", checked(func(s *settings) *string { return &s.MetricsAddress }, isAddress)},
		{"Metrics.Profiling", "false", "true", "whether Metrics.Address serves profiles of the process below /debug/pprof/", boolean(func(s *settings) *bool { return &s.Profiling })},
		{"Metrics.Workspaces", "100", "0", "of how many workspaces Metrics.Address tells documents, pages and bytes each for itself; further ones are counted together", number(func(s *settings) *int { return &s.MetricsWorkspaces }, 0, 10_000)},
		{"Tracing.Url", "", "http://collector:4318", "where traces are sent to by OTLP over HTTP, such as http://collector:4318; empty means that nothing is traced", checked(func(s *settings) *string { return &s.TracingURL }, isHTTPURL)},
		{"Tracing.Percent", "100", "10", "share of the traces that are sent, in percent", number(func(s *settings) *int { return &s.TracingPercent }, 0, 100)},
		{"Shutdown.DelaySeconds", "0", "5", "how long requests are still taken after SIGTERM, while /readyz says 503; for balancers, longer than they take to notice", number(func(s *settings) *int { return &s.StopDelay }, 0, 600)},
		{"Shutdown.GraceSeconds", "20", "30", "how long requests and tasks under way may then go on", number(func(s *settings) *int { return &s.StopGrace }, 1, 86400)},
		{"Log.Level", "info", "debug", "debug, info, warn or error", chosen(func(s *settings) *string { return &s.LogLevel }, "debug", "info", "warn", "error")},
		{"Log.Format", "text", "json", "text or json", chosen(func(s *settings) *string { return &s.LogFormat }, "text", "json")},
	}, mailSettingList(), signInSettingList(), ssoSettingList(0))
}

// acceptedSettings also has the providers after the first.
func acceptedSettings() []setting { return append(settingList(), moreProviders()...) }

func plain(field func(*settings) *string) takes {
	set := func(s *settings, v string) error {
		*field(s) = v
		return nil
	}
	return takes{set, textSchema()}
}

func checked(field func(*settings) *string, check func(string) error) takes {
	set := func(s *settings, v string) error {
		if v != "" {
			if err := check(v); err != nil {
				return err
			}
		}
		*field(s) = v
		return nil
	}
	return takes{set, textSchema()}
}

// chosen takes one of some words.
func chosen(field func(*settings) *string, words ...string) takes {
	set := func(s *settings, v string) error {
		*field(s) = v
		return oneOf(words...)(v)
	}
	return takes{set, wordSchema(words)}
}

// secret takes a text of exactly length characters, or of any length when that
// is zero. Its error never shows the value.
func secret(field func(*settings) *report.Secret, length int) takes {
	set := func(s *settings, v string) error {
		if length > 0 && v != "" && len(v) != length {
			return fmt.Errorf("has %d characters; accepted: exactly %d", len(v), length)
		}
		*field(s) = report.Secret(v)
		return nil
	}
	return takes{set, textSchema()}
}

func boolean(field func(*settings) *bool) takes {
	set := func(s *settings, v string) error {
		b, err := strconv.ParseBool(strings.ToLower(v))
		if err != nil {
			return fmt.Errorf("%q is neither true nor false", v)
		}
		*field(s) = b
		return nil
	}
	return takes{set, booleanSchema()}
}

func number(field func(*settings) *int, low, high int) takes {
	set := func(s *settings, v string) error {
		n, err := strconv.Atoi(v)
		if err != nil || n < low || n > high {
			return fmt.Errorf("%q is not accepted; accepted: a whole number from %d to %d", v, low, high)
		}
		*field(s) = n
		return nil
	}
	return takes{set, numberSchema(low, high)}
}

func list(field func(*settings) *[]string, check func(string) error) takes {
	set := func(s *settings, v string) error {
		*field(s) = nil
		for _, item := range strings.Split(v, ",") {
			if item = strings.TrimSpace(item); item == "" {
				continue
			}
			if err := check(item); err != nil {
				return err
			}
			*field(s) = append(*field(s), item)
		}
		return nil
	}
	return takes{set, listSchema()}
}

// proxies reads addresses, networks and the two names for networks that nobody
// reaches from outside.
func proxies(s *settings, v string) error {
	named := map[string][]string{
		"loopback": {"127.0.0.0/8", "::1/128"},
		"private":  {"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"},
	}
	s.TrustedProxies = nil
	for item := range strings.SplitSeq(v, ",") {
		item = strings.TrimSpace(item)
		networks, ok := named[strings.ToLower(item)]
		if !ok && item != "" {
			networks = []string{item}
		}
		for _, text := range networks {
			network, err := asNetwork(text)
			if err != nil {
				return fmt.Errorf("%q is neither an address nor a network; accepted: such as 10.1.2.3, 10.1.0.0/16, fd00::/8, loopback or private, comma-separated", item)
			}
			s.TrustedProxies = append(s.TrustedProxies, network)
		}
	}
	return nil
}

func asNetwork(text string) (netip.Prefix, error) {
	if address, err := netip.ParseAddr(text); err == nil {
		address = address.Unmap().WithZone("")
		return netip.PrefixFrom(address, address.BitLen()), nil
	}
	network, err := netip.ParsePrefix(text)
	return network.Masked(), err
}

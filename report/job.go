package report

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Job makes documents for every row of a data source, now and then or when
// asked, and delivers them. It names connections and holds no secrets.
type Job struct {
	Name        string `json:"name" required:"true"`
	Code        string `json:"code" help:"Short name by which the API refers to it. Default in a bundle: the name of the file." ask:"A short name by which programs know it."`
	Description string `json:"description,omitempty"`
	Active      bool   `json:"active" help:"Whether the job can be run." ask:"It runs by its schedule, and when it is told to."`

	Parameters  []ParameterUse `json:"parameters,omitempty" help:"Values that a run asks for; $params.<name> in templates."`
	DataSources []SourceUse    `json:"dataSources,omitempty" help:"Loaded once for a run; $data.<name> in templates."`
	Repeat      string         `json:"repeat,omitempty" help:"Name of the data source whose rows become the entries; $record in templates. Empty: the run has one entry."`
	Language    string         `json:"language,omitempty" help:"Code of the language of templates and reports."`
	Timezone    string         `json:"timezone,omitempty" label:"Time zone" help:"IANA time zone of templates, reports and the schedule. Default: the server's." ask:"Where dates, times and the schedule are, such as Europe/Berlin. Left empty, where the server is."`
	RunAs       string         `json:"runAs,omitempty" label:"Run as" help:"Address of the account whose id, name, address and groups $user has in the job and its reports. Only that account, and everybody with Full on configuration, may set it and change the job then. Empty: nobody looks, and $user is empty."`

	Reports        []JobReport   `json:"reports,omitempty" help:"Documents of each entry."`
	Schedule       *JobSchedule  `json:"schedule,omitempty"`
	ReviewRequired bool          `json:"reviewRequired,omitempty" help:"Whether entries wait for approval before they are delivered." ask:"Entries wait for approval before they are delivered."`
	Deliveries     []JobDelivery `json:"deliveries,omitempty"`
	Webhook        string        `json:"webhook,omitempty" help:"Name of a connection of type webhook that is told when a run has ended or waits for review."`
}

// JobReport is one document of each entry of a job.
type JobReport struct {
	Report    string `json:"report" required:"true" help:"ID of the report, or code of a report type for its default report."`
	FileName  string `json:"fileName,omitempty" editor:"template" help:"Template of the file's name, without extension. Default: the report's title."`
	Condition string `json:"condition,omitempty" editor:"expression" help:"Expression; without a true value an entry goes without this document."`

	Params map[string]any `json:"params,omitempty" help:"Parameters of the report; texts are templates."`
	Data   map[string]any `json:"data,omitempty" help:"Data sources of the report that are replaced; texts are templates, such as {$record}."`

	Language string `json:"language,omitempty" editor:"template" help:"Template of the language's code. Default: the job's."`
	ExportOptions
	Password string `json:"password,omitempty" editor:"template" help:"Template of the password that opens the PDF, such as {$record.taxNumber}."`
}

// What a delivery is made for, and how its documents are packed.
const (
	PerEntry  = "entry"
	PerRun    = "run"
	PackFiles = "files"
	PackZIP   = "zip"
	PackPDF   = "pdf"
)

// JobDelivery is where the documents of each entry, or of the whole run, go.
type JobDelivery struct {
	Name       string         `json:"name,omitempty"`
	Per        string         `json:"per,omitempty" enum:"entry,run" default:"entry" help:"One delivery for each entry, or one for the run when all its entries are made. In the settings of one for the run, $run has number, entries, completed and errors, and there is no $record."`
	Pack       string         `json:"pack,omitempty" enum:"files,zip,pdf" default:"files" help:"Documents as they are, in one ZIP file, or joined to one PDF file with an outline entry for each entry."`
	PackName   string         `json:"packName,omitempty" editor:"template" help:"Template of the name of the ZIP or PDF file, without extension. Default: the job's name and the number of the run, and of the entry."`
	Type       string         `json:"type" required:"true" help:"Kind of destination."`
	Connection string         `json:"connection,omitempty" help:"Name of the connection that leads there."`
	Condition  string         `json:"condition,omitempty" editor:"expression" help:"Expression, evaluated for each entry; without a true value the entry is not delivered there."`
	Settings   map[string]any `json:"settings,omitempty" help:"Settings of the kind of destination."`
}

// Kinds of schedules.
const (
	ScheduleOnce    = "once"
	ScheduleHourly  = "hourly"
	ScheduleDaily   = "daily"
	ScheduleWeekly  = "weekly"
	ScheduleMonthly = "monthly"
	ScheduleYearly  = "yearly"
	ScheduleCron    = "cron"
)

// JobSchedule says when a job runs.
type JobSchedule struct {
	Kind     string   `json:"kind" required:"true" enum:"once,hourly,daily,weekly,monthly,yearly,cron"`
	Start    string   `json:"start,omitempty" help:"First date and time, such as 2026-02-01T07:00, in the job's time zone; later times repeat it. Not for cron."`
	Every    int      `json:"every,omitempty" min:"1" max:"1000" help:"Every so many hours, days, weeks, months or years. Default: 1."`
	Weekdays []string `json:"weekdays,omitempty" help:"Of a weekly schedule: monday to sunday. Default: the start's."`
	Day      int      `json:"day,omitempty" min:"-31" max:"31" help:"Day of the month; -1 is the last. A day that a month lacks becomes its last. Default: the start's."`
	Which    string   `json:"which,omitempty" enum:"first,second,third,fourth,last" help:"With weekday, the day of a monthly or yearly schedule, such as last friday."`
	Weekday  string   `json:"weekday,omitempty" enum:"monday,tuesday,wednesday,thursday,friday,saturday,sunday,day,workday" help:"With which."`
	Cron     string   `json:"cron,omitempty" help:"Five fields: minute, hour, day of month, month, day of week."`
	Until    string   `json:"until,omitempty" help:"Last date, or date and time, on which the job may run."`
	Missed   string   `json:"missed,omitempty" enum:"run,skip" default:"run" help:"What becomes of times that passed while the service was down: run once, or skip."`
}

// Weekdays are the names of weekdays in definitions, Sunday first as in package
// time.
func Weekdays() []string {
	return []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}
}

// DataReport is a report of the job's parameters and data sources alone, for
// what checks and runs those of reports.
func (j *Job) DataReport() *Report {
	return &Report{Version: Version, Name: j.Name, Parameters: j.Parameters, DataSources: j.DataSources}
}

// Check finds what the tags of a definition cannot say.
func (j *Job) Check() Problems {
	var problems Problems
	fault := func(path, format string, args ...any) { problems = append(problems, Problemf(path, format, args...)) }
	names := map[string]bool{}
	for i, s := range j.DataSources {
		name := s.Name
		if name == "" {
			name = s.Reuse
		}
		if names[name] {
			fault(index("dataSources", i)+".name", "there are two data sources %q", name)
		}
		names[name] = true
	}
	if j.Repeat != "" && !names[j.Repeat] {
		fault("repeat", "there is no data source %q in this job", j.Repeat)
	}
	if len(j.Reports) == 0 && j.Active {
		fault("reports", "an active job needs at least one report")
	}
	if j.Timezone != "" {
		if _, err := time.LoadLocation(j.Timezone); err != nil || strings.EqualFold(j.Timezone, "local") {
			fault("timezone", "unknown time zone %q; use an IANA name such as Europe/Belgrade", j.Timezone)
		}
	}
	locked := slices.ContainsFunc(j.Reports, func(r JobReport) bool { return r.Password != "" })
	signed := slices.ContainsFunc(j.Reports, func(r JobReport) bool { return r.Signature != "" })
	for i, d := range j.Deliveries {
		if d.Pack == PackPDF && signed {
			fault(index("deliveries", i)+".pack", "the documents of this job are signed, and a joined PDF file would not be; pack them as zip")
		}
		if d.Pack == PackPDF && locked {
			fault(index("deliveries", i)+".pack", "the documents of this job have passwords, and a joined PDF file would have none; pack them as zip")
		}
	}
	if s := j.Schedule; s != nil {
		problems = append(problems, s.check().Under("schedule")...)
	}
	return problems
}

func (s *JobSchedule) check() Problems {
	var problems Problems
	fault := func(path, format string, args ...any) { problems = append(problems, Problemf(path, format, args...)) }
	if s.Kind == ScheduleCron {
		if _, err := ParseCron(s.Cron); err != nil {
			fault("cron", "%q cannot be read: %v", s.Cron, err)
		}
	}
	if s.Kind != ScheduleCron {
		if _, err := ParseLocal(s.Start, time.UTC); err != nil {
			fault("start", "%q is no date and time; accepted: 2026-02-01T07:00", s.Start)
		}
	}
	if s.Until != "" {
		if _, err := ParseUntil(s.Until, time.UTC); err != nil {
			fault("until", "%q is no date; accepted: 2026-12-31 or 2026-12-31T18:00", s.Until)
		}
	}
	if (s.Which == "") != (s.Weekday == "") {
		fault("which", "which and weekday belong together")
	}
	for i, day := range s.Weekdays {
		if !slices.Contains(Weekdays(), day) {
			fault(index("weekdays", i), "%q is no weekday; accepted: %s", day, strings.Join(Weekdays(), ", "))
		}
	}
	return problems
}

// ParseLocal reads a date and time as a clock on a wall in the zone shows it.
func ParseLocal(s string, zone *time.Location) (time.Time, error) {
	t, err := time.ParseInLocation("2006-01-02T15:04", s, zone)
	if err != nil {
		t, err = time.ParseInLocation("2006-01-02T15:04:05", s, zone)
	}
	return t, err
}

// ParseUntil reads the end of a schedule; a date alone means all of that day.
func ParseUntil(s string, zone *time.Location) (time.Time, error) {
	if day, err := time.ParseInLocation(time.DateOnly, s, zone); err == nil {
		return day.AddDate(0, 0, 1).Add(-time.Second), nil
	}
	return ParseLocal(s, zone)
}

func index(name string, i int) string { return name + "[" + strconv.Itoa(i) + "]" }

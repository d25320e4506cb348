package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/jobs/deliver"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/report/text"
	"github.com/quire-reports/quire/store"
)

// Draft is a job as it is being edited, and the entry of it that is looked at.
type Draft struct {
	Workspace, UserID int
	Job               *report.Job
	Params            *report.Object // values of its parameters
	Entry             int            // from 1; 0 means the first
	Refresh           bool           // whether to load the data anew
}

// Look is what a run of a draft would begin with.
type Look struct {
	Entries int // how many there would be
	Record  any // of the entry asked for; nil when there is none
	Data    *report.Object
	Filled  []Filled // what templates and conditions give for the entry
}

// Filled is what a template or a condition gives, and what is wrong with it.
type Filled struct{ Path, Value, Problem string }

// Look loads the data of a draft and fills its templates for one entry, without
// writing or making anything. Passwords are not filled.
func (s *Service) Look(ctx context.Context, d Draft) (*Look, error) {
	ctx, cancel := context.WithTimeout(ctx, trialTime)
	defer cancel()
	loaded, err := s.draftData(ctx, d)
	if err != nil {
		return nil, err
	}
	look := &Look{Entries: len(loaded.records), Data: loaded.batch.Data}
	if len(loaded.records) == 0 {
		return look, nil
	}
	sc, err := s.draftScene(ctx, d, loaded)
	if err != nil {
		return nil, err
	}
	record, err := loaded.records.At(d.at())
	if err != nil {
		return nil, err
	}
	if look.Record, err = report.ParseValue(record); err != nil {
		return nil, err
	}
	run, err := s.draftRunScene(ctx, d, loaded)
	if err != nil {
		return nil, err
	}
	look.Filled = fillJob(d.Job, sc, run)
	return look, ctx.Err()
}

// at is the index of the entry.
func (d *Draft) at() int { return max(d.Entry, 1) - 1 }

// setting is what the entries of a run of the draft would share. The run has no
// number, as there is none.
func (s *Service) draftSetting(d Draft, loaded *draftData) *setting {
	return &setting{
		run: &store.Run{WorkspaceID: d.Workspace, UserID: d.UserID, Created: s.cfg.Clock()},
		job: d.Job, params: loaded.batch.Params, data: loaded.batch.Data,
	}
}

func (s *Service) draftScene(ctx context.Context, d Draft, loaded *draftData) (*scene, error) {
	if d.at() >= len(loaded.records) {
		return nil, report.Problemf("entry", "there is no entry %d: a run would have %d", d.at()+1, len(loaded.records))
	}
	record, err := loaded.records.At(d.at())
	if err != nil {
		return nil, err
	}
	return s.scene(ctx, s.draftSetting(d, loaded), &store.JobEntry{Position: d.at() + 1, Record: string(record)})
}

// draftRunScene fills the templates of a run as a whole, of which the entries
// are made.
func (s *Service) draftRunScene(ctx context.Context, d Draft, loaded *draftData) (*scene, error) {
	told := report.ObjectOf("number", 0, "entries", len(loaded.records), "completed", len(loaded.records), "errors", 0)
	return s.sceneOf(ctx, s.draftSetting(d, loaded), func(root string) (any, bool) { return told, root == "$run" })
}

// fillJob fills the conditions and templates of a job: for an entry, and for
// the run where a delivery is of the run.
func fillJob(job *report.Job, entry, run *scene) []Filled {
	var filled []Filled
	condition := func(at, source string) {
		if source == "" {
			return
		}
		holds, err := entry.holds(at, source)
		filled = append(filled, filledOf(at, strconv.FormatBool(holds), err, entry.taken()))
	}
	sc, setting := entry, report.Field{}
	template := func(at, source string) {
		if !strings.Contains(source, "{") || len(text.Parse(source).Problems) > 0 {
			return // nothing to fill, or a check says what is wrong with it
		}
		value, err := sc.setting(at, setting, source)
		filled = append(filled, filledOf(at, value, err, sc.taken()))
	}
	for i := range job.Reports {
		r, at := &job.Reports[i], fmt.Sprintf("reports[%d].", i)
		condition(at+"condition", r.Condition)
		template(at+"fileName", r.FileName)
		template(at+"language", r.Language)
		for _, name := range slices.Sorted(maps.Keys(r.Params)) {
			if source, ok := r.Params[name].(string); ok {
				template(report.JoinPath(at+"params", name), source)
			}
		}
	}
	for i := range job.Deliveries {
		d, at := &job.Deliveries[i], fmt.Sprintf("deliveries[%d].", i)
		condition(at+"condition", d.Condition)
		if sc = entry; perRun(*d) {
			sc = run
		}
		template(at+"packName", d.PackName)
		kind, _ := deliver.Find(d.Type)
		if kind.Name == "" {
			continue
		}
		for _, f := range kind.Fields() {
			if source, ok := d.Settings[f.Name].(string); ok && isTemplate(f) {
				setting = f
				template(at+"settings."+f.Name, source)
				setting = report.Field{}
			}
		}
	}
	return filled
}

// mostFilled bounds how much of a filled template is shown, in characters.
const mostFilled = 300

func filledOf(path, value string, err error, warnings string) Filled {
	if err != nil {
		return Filled{Path: path, Problem: Reason(err).Message}
	}
	if runes := []rune(value); len(runes) > mostFilled {
		value = string(runes[:mostFilled]) + "…"
	}
	return Filled{Path: path, Value: value, Problem: strings.ReplaceAll(warnings, path+": ", "")}
}

// draftData is the data of a draft with the records of its entries.
type draftData struct {
	key     [sha256.Size]byte
	at      time.Time
	batch   *export.Batch
	records records
}

// drafts keeps the data of the drafts looked at last, for a moment: the editor
// of a condition shows its value at every key press, which must not ask the
// database each time.
type drafts struct {
	mu    sync.Mutex
	known []*draftData // used last in front
}

// Bounds of the drafts in memory.
const (
	mostDrafts = 2
	draftTime  = time.Minute
)

func (c *drafts) get(key [sha256.Size]byte, now time.Time) *draftData {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = slices.DeleteFunc(c.known, func(d *draftData) bool { return now.Sub(d.at) > draftTime })
	if i := slices.IndexFunc(c.known, func(d *draftData) bool { return d.key == key }); i >= 0 {
		return c.known[i]
	}
	return nil
}

func (c *drafts) put(d *draftData) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = slices.DeleteFunc(c.known, func(k *draftData) bool { return k.key == d.key })
	c.known = append([]*draftData{d}, c.known[:min(len(c.known), mostDrafts-1)]...)
}

// draftData loads the data of a draft, or takes what was loaded a moment ago
// for the same user with the same sources.
func (s *Service) draftData(ctx context.Context, d Draft) (*draftData, error) {
	person, err := s.person(ctx, d.Workspace, d.Job)
	if err != nil {
		return nil, err
	}
	read, err := json.Marshal([]any{d.Workspace, d.UserID, d.Job.Parameters, d.Job.DataSources, d.Job.Repeat, d.Job.Language, d.Job.Timezone, d.Params, person})
	if err != nil {
		return nil, err
	}
	key, now := sha256.Sum256(read), s.cfg.Clock()
	if known := s.drafts.get(key, now); known != nil && !d.Refresh {
		return known, nil
	}
	batch, err := s.cfg.Batch.LoadBatch(ctx, export.BatchRequest{
		Workspace: d.Workspace, Parameters: d.Job.Parameters, Sources: d.Job.DataSources,
		Language: d.Job.Language, Timezone: d.Job.Timezone, Params: d.Params, User: person,
	})
	if err != nil {
		return nil, err
	}
	loaded := &draftData{key: key, at: now, batch: batch}
	if loaded.records, err = recordsOf(d.Job, batch.Data); err != nil {
		return nil, err
	}
	s.drafts.put(loaded)
	return loaded, nil
}

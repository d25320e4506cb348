package jobs

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"time"

	"github.com/quire-reports/quire/jobs/deliver"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// trialTime bounds a trial: somebody waits for it.
const trialTime = 2 * time.Minute

// testPrefix marks what was delivered for trial.
const testPrefix = "Test "

// Trial is what became of a test delivery.
type Trial struct {
	Entries   int      // how many a run would have
	Documents []string // names of what was made
	Skipped   bool     // the condition does not hold for the entry; nothing was sent
	Receipt   Receipt
}

// TryDelivery makes the documents of one entry of a draft and takes them to one
// of its destinations, for real but marked as a test. Mails go to an address
// instead of their recipients, unless that is empty, and never to Cc and Bcc.
// Nothing of it is kept: there is no run, and the documents are gone.
func (s *Service) TryDelivery(ctx context.Context, d Draft, delivery int, mailTo string) (trial *Trial, err error) {
	if delivery < 0 || delivery >= len(d.Job.Deliveries) {
		return nil, report.Problemf("delivery", "the job has no delivery %d", delivery)
	}
	ctx, cancel := context.WithTimeout(ctx, min(trialTime, s.cfg.Timeout))
	defer cancel()
	began := time.Now()
	defer func() {
		to := &d.Job.Deliveries[delivery]
		s.cfg.Log.Info("a delivery was tried", "workspace", d.Workspace, "user", d.UserID, "job", d.Job.Code, "delivery", delivery+1, "type", to.Type,
			"connection", to.Connection, "entry", d.at()+1, "to recipients", mailTo == "", "took", time.Since(began), "sent", err == nil && !trial.Skipped, "error", err)
	}()
	trial, err = s.tryDelivery(ctx, d, delivery, mailTo)
	if err != nil && ctx.Err() != nil {
		err = &report.Problem{Kind: report.TimedOut, Message: "it took longer than the time limit of " + plainDuration(min(trialTime, s.cfg.Timeout)) + "; whether something was sent is unknown"}
	}
	return trial, err
}

func (s *Service) tryDelivery(ctx context.Context, d Draft, i int, mailTo string) (*Trial, error) {
	d.Refresh = true // what is sent is what there is now
	loaded, err := s.draftData(ctx, d)
	if err != nil {
		return nil, err
	}
	sc, err := s.draftScene(ctx, d, loaded)
	if err != nil {
		return nil, err
	}
	to, at := &d.Job.Deliveries[i], fmt.Sprintf("deliveries[%d]", i)
	trial := &Trial{Entries: len(loaded.records)}
	wanted, err := sc.holds(at+".condition", to.Condition)
	if err != nil || !wanted {
		trial.Skipped = true
		return trial, err
	}
	shared := s.draftSetting(d, loaded)
	documents, discard, err := s.trialDocuments(ctx, shared, sc)
	defer discard()
	if err != nil {
		return nil, err
	}
	if len(documents) == 0 {
		return nil, &report.Problem{Kind: report.Failed, Path: "reports", Message: "the entry has no documents: the conditions of its reports do not hold"}
	}
	for _, doc := range documents {
		trial.Documents = append(trial.Documents, doc.Name)
	}
	entry := strconv.Itoa(d.at() + 1)
	if perRun(*to) { // a run of this entry alone
		entry = ""
		if sc, err = s.draftRunScene(ctx, d, loaded); err != nil {
			return nil, err
		}
	}
	trial.Receipt, err = s.send(ctx, shared, sc, entry, trialOf(to, mailTo), store.JobDeliveryRow{Key: "test " + rand.Text()}, documents)
	if err != nil {
		s.cfg.Log.Info("a delivery that was tried failed", "workspace", d.Workspace, "type", to.Type, "error", err)
		return nil, trialFault(err, at)
	}
	return trial, nil
}

// trialDocuments makes the documents of an entry; discard removes them.
func (s *Service) trialDocuments(ctx context.Context, shared *setting, sc *scene) (documents []report.Document, discard func(), err error) {
	var made []func() error
	discard = func() {
		for _, done := range made {
			_ = done()
		}
	}
	names := uniqueNames{}
	for i := range shared.job.Reports {
		file, err := s.document(ctx, shared, sc, i)
		if err != nil {
			return nil, discard, err
		}
		if file == nil {
			continue
		}
		made = append(made, file.Close)
		documents = append(documents, file.Document(names.of(testPrefix+file.Name)))
	}
	return documents, discard, nil
}

// trialOf is a delivery that says it is a test, with what a test must not do
// taken out.
func trialOf(d *report.JobDelivery, mailTo string) *report.JobDelivery {
	test := *d
	test.Settings = maps.Clone(d.Settings)
	if d.PackName != "" {
		test.PackName = testPrefix + d.PackName
	}
	if kind, known := deliver.Find(d.Type); known && test.Settings != nil {
		kind.Try(test.Settings, mailTo, testPrefix)
	}
	return &test
}

// trialFault is why a test delivery failed, with its place in the job. There is
// no second attempt, so that what may pass is said like the rest.
func trialFault(err error, at string) error {
	p := *Reason(err)
	var uncertain *Uncertain
	if errors.As(err, &uncertain) {
		p.Message = uncertain.Message
	}
	p.Kind, p.Path = report.Failed, report.JoinPath(at, p.Path)
	return &p
}

package store

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quire-reports/quire/report"
)

// textUpload is temporary data out of a text.
type textUpload struct {
	io.Reader
	expires *time.Time
}

func (u textUpload) Expires() *time.Time { return u.expires }

func upload(content string, expires *time.Time) Upload {
	return textUpload{strings.NewReader(content), expires}
}

func (f *fixture) tempData(workspace, user, id int) string {
	f.t.Helper()
	content := ok[io.ReadCloser](f.t)(f.TempData(f.ctx(), workspace, user, id))
	defer func() { _ = content.Close() }()
	return string(ok[[]byte](f.t)(io.ReadAll(content)))
}

// testTempDataQuota: what a user and a workspace keep at the same time is
// bounded, also when much comes in at once, and what has expired makes room.
func testTempDataQuota(f *fixture) {
	f.Store.tempData = TempDataQuota{UserMB: 1, WorkspaceMB: 2}
	acme, other := f.workspace("acme"), f.workspace("other")
	ana := ok[*User](f.t)(f.CreateUser(f.ctx(), NewUser{Email: "ana@example.com"}))
	third := strings.Repeat(" ", 400<<10) + "{}"
	put := func(workspace, user int, content string, lasts time.Duration) error {
		expires := f.clock.Now().Add(lasts)
		_, _, err := f.PutTempData(f.ctx(), workspace, user, upload(content, &expires))
		return err
	}
	f.isKind(put(acme.ID, ana.ID, third+third+third, time.Hour), report.TooLarge)
	f.must(put(acme.ID, ana.ID, third, time.Hour))
	f.must(put(other.ID, ana.ID, third, 2*time.Hour))
	err := put(acme.ID, ana.ID, third, time.Hour)
	f.isKind(err, report.Exhausted)
	var p *report.Problem
	if errors.As(err, &p); p.Wait != time.Hour || !strings.Contains(p.Message, "you have 0 MB of temporary data, and room for 1 MB") {
		f.t.Errorf("wait %v: %s", p.Wait, p.Message)
	}
	if keys := f.keys(); len(keys) != 2 {
		f.t.Errorf("contents after refused uploads: %v", keys)
	}
	f.clock.Advance(time.Hour)
	f.must(put(acme.ID, ana.ID, third, time.Hour)) // nobody has swept
	testTempDataAtOnce(f, third)
}

// testTempDataAtOnce: what several users put into a workspace at the same time
// is no more than it may have.
func testTempDataAtOnce(f *fixture, content string) {
	w := f.workspace("crowd")
	errs := make([]error, 8)
	var all sync.WaitGroup
	for i := range errs {
		user := ok[*User](f.t)(f.CreateUser(f.ctx(), NewUser{Email: fmt.Sprintf("u%d@example.com", i)}))
		all.Go(func() { _, _, errs[i] = f.PutTempData(f.ctx(), w.ID, user.ID, upload(content, nil)) })
	}
	all.Wait()
	kept := 0
	for _, err := range errs {
		if err == nil {
			kept++
			continue
		}
		f.isKind(err, report.Exhausted)
	}
	if kept != 5 {
		f.t.Errorf("%d pieces of 0.4 MB are kept in 2 MB", kept)
	}
}

// A thousand empty uploads are a thousand files.
func TestSmallTempDataCounts(t *testing.T) {
	q := &quota{shares: []quotaShare{{whose: "you have", most: 1 << 20, Used: 1<<20 - leastTempData + 1}}}
	if q.take(2) == nil {
		t.Error("a block for which there is no room was taken")
	}
}

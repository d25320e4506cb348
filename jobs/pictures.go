package jobs

import (
	"context"
	"errors"
	"log/slog"
	"strconv"
	"time"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// Pictures makes the small pictures of reports that lists show, in the
// background, once a report has not been saved for a moment. They are drawn for
// no user in particular: others see them, too, so they hold nothing that a
// source gives only to the user who asks.
type Pictures struct {
	Store interface {
		ClaimPicture(ctx context.Context, settled time.Duration) (*store.PictureTask, error)
		ReleasePicture(ctx context.Context, task store.PictureTask) error
		KeepPicture(ctx context.Context, task store.PictureTask, contentType string, content []byte, small store.VersionPicture) error
	}
	Export interface {
		Picture(ctx context.Context, req export.PictureRequest) (*export.Picture, error)
	}
	Log *slog.Logger
	// Settled is how long a report was not saved; Every how often is looked.
	Settled, Every time.Duration

	tries map[store.PictureTask]int // that failed
}

const (
	// pictureTime bounds the making of one picture.
	pictureTime = time.Minute
	// pictureTries is how often a picture is tried: what failed may pass.
	pictureTries = 3
)

// Run makes pictures until ctx ends.
func (p *Pictures) Run(ctx context.Context) {
	tick := time.NewTicker(p.Every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for p.one(ctx) {
		}
	}
}

// one makes a picture, if there is one to make.
func (p *Pictures) one(ctx context.Context) bool {
	task, err := p.Store.ClaimPicture(ctx, p.Settled)
	if err != nil || task == nil {
		if err != nil && ctx.Err() == nil {
			p.Log.Warn("reports without a picture are not found", "error", err)
		}
		return false
	}
	limited, cancel := context.WithTimeout(ctx, pictureTime)
	defer cancel()
	made, err := p.Export.Picture(limited, export.PictureRequest{Request: export.Request{Workspace: task.WorkspaceID, Report: strconv.Itoa(task.ReportID)}, Page: task.Page})
	if err == nil {
		small := made.Within(store.MostVersionPicture)
		err = p.Store.KeepPicture(ctx, *task, made.ContentType, made.Content, store.VersionPicture{ContentType: small.ContentType, Content: small.Content})
	}
	var gone *report.Problem
	if err == nil || errors.As(err, &gone) && gone.Kind == report.NotFound { // it was deleted, or another page was chosen
		delete(p.tries, *task)
		return true
	}
	return p.failed(ctx, *task, err)
}

// failed lets a picture be tried again, by another process when this one ends, and
// at the next look: what kept it away may pass. After some tries it waits for the
// next save.
func (p *Pictures) failed(ctx context.Context, task store.PictureTask, err error) bool {
	if p.tries == nil {
		p.tries = map[store.PictureTask]int{}
	}
	if p.tries[task]++; p.tries[task] >= pictureTries && ctx.Err() == nil {
		delete(p.tries, task)
		p.Log.Info("a report has no picture of its last revision", "report", task.ReportID, "revision", task.Revision, "error", err)
		return true
	}
	if err := p.Store.ReleasePicture(context.WithoutCancel(ctx), task); err != nil {
		p.Log.Warn("a picture is not tried again", "report", task.ReportID, "error", err)
	}
	return false
}

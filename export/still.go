package export

import (
	"context"
	"strconv"

	"github.com/quire-reports/quire/htmlgen/picture"
	"github.com/quire-reports/quire/render"
)

// PictureRequest asks for a small picture of a page of a report.
type PictureRequest struct {
	Request
	Page int // from 1; after the last page it is the last
}

// Picture is a small picture of a page, such as lists show.
type Picture struct {
	ContentType string
	Content     []byte
	Page        int
}

// pictureWidth is twice as many pixels as lists are wide: screens have more than
// they say.
const pictureWidth = 520

// leastWidth is that of the smallest picture that can be looked at.
const leastWidth = pictureWidth / 8

// Within is the picture, or a smaller one of it that has at most so many bytes; as it is
// where no picture that can be looked at has so few.
func (p *Picture) Within(most int) *Picture {
	small := p
	for side := pictureWidth; len(small.Content) > most && side >= leastWidth; side = side * 3 / 4 {
		content, contentType, err := picture.Fit(p.Content, side, 2*side)
		if err != nil {
			return p
		}
		small = &Picture{ContentType: contentType, Content: content, Page: p.Page}
	}
	return small
}

// Picture draws a page of a report as far as it can be drawn: required parameters
// without a value have samples, and what cannot be drawn is left out. Others wait
// for it no longer than for a page of a preview.
func (s *Service) Picture(ctx context.Context, req PictureRequest) (*Picture, error) {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	defer cancel()
	ctx, leave := s.enter(ctx, req.Workspace, req.UserID)
	defer leave()
	req.Samples, req.Anyway = true, true
	r, err := s.prepare(ctx, req.Request)
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	images := s.pictures(r, false)
	doc, err := s.compile(ctx, r, printAsset, images, "")
	if err != nil {
		return nil, timedOut(ctx, err)
	}
	made, _, err := s.cfg.Printer.Picture(ctx, render.Job{
		HTML: doc.HTML, Resources: s.resources(images), Key: strconv.Itoa(r.req.Workspace), Timeout: s.cfg.Timeout, Priority: s.cfg.Priority,
	}, render.Still{Page: req.Page, Width: pictureWidth})
	if err != nil {
		return nil, timedOut(ctx, printProblem(err, len(doc.HTML)))
	}
	return &Picture{"image/webp", made.WebP, made.Page}, nil
}

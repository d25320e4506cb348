package jobs

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"log/slog"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/quire-reports/quire/export"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// studio is a store of tasks, and what makes their pictures.
type studio struct {
	tasks []store.PictureTask
	kept  map[int]string
	asked []export.PictureRequest
	end   context.CancelFunc
}

func (s *studio) ClaimPicture(context.Context, time.Duration) (*store.PictureTask, error) {
	if len(s.tasks) == 0 {
		s.end()
		return nil, nil
	}
	task := s.tasks[0]
	s.tasks = s.tasks[1:]
	return &task, nil
}

func (s *studio) ReleasePicture(ctx context.Context, task store.PictureTask) error {
	s.tasks = append([]store.PictureTask{task}, s.tasks...)
	return ctx.Err()
}

func (s *studio) KeepPicture(_ context.Context, task store.PictureTask, contentType string, content []byte, _ store.VersionPicture) error {
	if task.ReportID == 4 {
		return report.NotFoundf("report 4 does not exist")
	}
	s.kept[task.ReportID] = contentType + " " + string(content)
	return nil
}

func (s *studio) Picture(_ context.Context, r export.PictureRequest) (*export.Picture, error) {
	s.asked = append(s.asked, r)
	if r.Report == "2" {
		return nil, errors.New("its pages cannot be made")
	}
	return &export.Picture{ContentType: "image/webp", Content: []byte("of " + r.Report)}, nil
}

// TestPicturesAreMadeOneAfterTheOther: a report that cannot be drawn, or is gone,
// keeps no other from its picture, and pictures are drawn for nobody.
func TestPicturesAreMadeOneAfterTheOther(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	s := &studio{kept: map[int]string{}, end: cancel}
	for id := 1; id <= 5; id++ {
		s.tasks = append(s.tasks, store.PictureTask{WorkspaceID: 7, ReportID: id, Page: id, Revision: 1})
	}
	(&Pictures{Store: s, Export: s, Log: slog.New(slog.DiscardHandler), Every: time.Millisecond}).Run(ctx)
	if len(s.kept) != 3 || s.kept[1] != "image/webp of 1" || s.kept[3] == "" || s.kept[5] == "" {
		t.Errorf("kept %v", s.kept)
	}
	if len(s.asked) != 4+pictureTries {
		t.Errorf("asked %d times", len(s.asked))
	}
	if last := s.asked[len(s.asked)-1]; last.Workspace != 7 || last.Page != 5 || last.UserID != 0 || last.User.Email != "" {
		t.Errorf("asked %+v", last)
	}
}

// TestPicturesOfAServiceThatEnds: what is being drawn then is left to the next one.
func TestPicturesOfAServiceThatEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := &studio{kept: map[int]string{}, end: cancel, tasks: []store.PictureTask{{WorkspaceID: 7, ReportID: 1, Page: 1, Revision: 1}}}
	drawing := &ending{studio: s, end: cancel}
	(&Pictures{Store: s, Export: drawing, Log: slog.New(slog.DiscardHandler), Every: time.Millisecond}).Run(ctx)
	if len(s.tasks) != 1 || len(s.kept) != 0 {
		t.Errorf("left %v, kept %v", s.tasks, s.kept)
	}
}

// ending is a studio whose service ends while it draws.
type ending struct {
	*studio
	end context.CancelFunc
}

func (e *ending) Picture(ctx context.Context, _ export.PictureRequest) (*export.Picture, error) {
	e.end()
	return nil, ctx.Err()
}

// TestPicturesOfVersionsFit: a picture that is too large for a version is made smaller
// until it fits, and one that fits stays as it is.
func TestPicturesOfVersionsFit(t *testing.T) {
	noise := image.NewRGBA(image.Rect(0, 0, 520, 735))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise.Pix {
		noise.Pix[i] = uint8(random.Uint32()) | uint8(i%4/3*255) // opaque
	}
	var out bytes.Buffer
	if err := png.Encode(&out, noise); err != nil {
		t.Fatal(err)
	}
	made := &export.Picture{ContentType: "image/png", Content: out.Bytes()}
	kept := made.Within(store.MostVersionPicture)
	shown, _, err := image.Decode(bytes.NewReader(kept.Content))
	if err != nil || len(kept.Content) > store.MostVersionPicture || shown.Bounds().Dx() < 200 || kept.ContentType != "image/jpeg" {
		t.Errorf("%d bytes of %s, %v, from %d: %v", len(kept.Content), kept.ContentType, shown.Bounds(), len(made.Content), err)
	}
	t.Logf("%d bytes of noise become %d, %v", len(made.Content), len(kept.Content), shown.Bounds())
	if same := (&export.Picture{ContentType: "image/webp", Content: []byte("little")}).Within(store.MostVersionPicture); string(same.Content) != "little" || same.ContentType != "image/webp" {
		t.Errorf("%+v", same)
	}
}

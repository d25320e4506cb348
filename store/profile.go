package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/quire-reports/quire/report"
)

// Profile is what people decide about their own account.
type Profile struct {
	DisplayName *string // nil leaves it, as it has to be where a source provisions the account
	Language    string  // of the interface; empty is what the browser prefers
	TimeZone    string  // of times on the screens, as Europe/Belgrade; empty is UTC
}

// ChangeProfile changes what people decide about their own account. The name of
// one that is provisioned is its source's.
func (s *Store) ChangeProfile(ctx context.Context, userID int, p Profile) error {
	if err := checkTimeZone(p.TimeZone); err != nil {
		return err
	}
	return s.db.inTx(ctx, func(t tx) error {
		u, err := t.person(ctx, userID)
		if err != nil {
			return err
		}
		detail := map[string]any{}
		name := u.DisplayName
		if p.DisplayName != nil {
			name = strings.TrimSpace(*p.DisplayName)
		}
		if name != u.DisplayName {
			if err := checkName("name", name, "you need a name"); err != nil {
				return err
			}
			if strings.ContainsFunc(name, report.Hides) { // others go by it
				return report.Problemf("name", "the name has characters that cannot be seen; leave them out")
			}
			if err := t.notProvisioned(ctx, u); err != nil {
				return err
			}
			detail["nameBefore"] = u.DisplayName
		}
		if p.Language != u.Language {
			detail["language"] = p.Language
		}
		if p.TimeZone != u.TimeZone {
			detail["timeZone"] = p.TimeZone
		}
		if len(detail) == 0 {
			return nil
		}
		if _, err := t.exec(ctx, "UPDATE users SET display_name = ?, language = ?, time_zone = ? WHERE id = ?", name, p.Language, p.TimeZone, userID); err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditUserChanged, Target: targetOf(targetUser, userID), Detail: detail})
	})
}

// mostZone is how long the name of a time zone may be; the longest there is has
// half of it.
const mostZone = 64

func checkTimeZone(name string) error {
	if name == "" {
		return nil
	}
	if len(name) <= mostZone && !strings.EqualFold(name, "local") { // which is the machine's
		if _, err := time.LoadLocation(name); err == nil {
			return nil
		}
	}
	return report.Problemf("timeZone", "that is no time zone; accepted: names such as Europe/Belgrade or America/New_York, or nothing for UTC")
}

// UserPicture is the picture of somebody.
type UserPicture struct {
	ContentType string `db:"content_type"`
	Content     []byte `db:"content"`
}

// SetUserPicture gives a person a picture, in place of the one of before.
func (s *Store) SetUserPicture(ctx context.Context, userID int, p UserPicture) error {
	sum := sha256.Sum256(p.Content)
	return s.changePicture(ctx, userID, hex.EncodeToString(sum[:]), &p)
}

// DropUserPicture takes the picture of a person away, if there is one.
func (s *Store) DropUserPicture(ctx context.Context, userID int) error {
	return s.changePicture(ctx, userID, "", nil)
}

func (s *Store) changePicture(ctx context.Context, userID int, hash string, p *UserPicture) error {
	return s.db.inTx(ctx, func(t tx) error {
		u, err := t.person(ctx, userID)
		if err != nil || u.Picture == hash {
			return err
		}
		what := "set"
		if p == nil {
			what = "removed"
			_, err = t.exec(ctx, "DELETE FROM user_pictures WHERE user_id = ?", userID)
		} else {
			_, err = t.exec(ctx, `INSERT INTO user_pictures (user_id, hash, content_type, content) VALUES (?, ?, ?, ?)
				ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, content_type = excluded.content_type, content = excluded.content`, userID, hash, p.ContentType, p.Content)
		}
		if err != nil {
			return err
		}
		if _, err := t.exec(ctx, "UPDATE users SET picture = ? WHERE id = ?", hash, userID); err != nil {
			return err
		}
		return s.record(ctx, t, Event{Action: AuditUserChanged, Target: targetOf(targetUser, userID), Detail: map[string]any{"picture": what}})
	})
}

// UserPicture finds a picture by its hash.
func (s *Store) UserPicture(ctx context.Context, hash string) (*UserPicture, error) {
	var p UserPicture
	err := s.db.get(ctx, &p, "SELECT content_type, content FROM user_pictures WHERE hash = ? LIMIT 1", hash)
	if err != nil {
		return nil, orNotFound(err, "there is no such picture")
	}
	return &p, nil
}

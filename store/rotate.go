package store

import (
	"context"
	"fmt"

	"github.com/quire-reports/quire/report"
)

// sealedColumn is a column of sealed texts, some of which may be empty.
type sealedColumn struct{ table, column, place string }

// sealedColumns are all there are; place is where each text was sealed for, as
// SQL. The canary of the installation is apart.
func sealedColumns() []sealedColumn {
	connection := "'connections/' || workspace_id || '/' || name || '/"
	return []sealedColumn{
		{"connections", "address", connection + "address'"},
		{"connections", "headers", connection + "headers'"},
		{"second_factors", "secret", "'second-factors/' || id"},
		{"provider_keys", "secret", "'provider-keys/' || provider"},
		{"queue", "secret", "'queue/' || kind || '/' || subject"},
	}
}

// Reseal seals everything that an older key has sealed with the current one, and
// tells how much that was. It may be ended at any time and begun again, beside
// processes that know both keys. When it is done nothing needs the older ones.
func (s *Store) Reseal(ctx context.Context) (resealed int, err error) {
	for {
		round := 0
		for _, c := range sealedColumns() {
			n, err := s.resealColumn(ctx, c)
			round += n
			if err != nil {
				return resealed + round, fmt.Errorf("sealing %s.%s anew: %w", c.table, c.column, err)
			}
		}
		resealed += round
		if round == 0 { // nobody sealed with the older key meanwhile
			if err := s.resealCanary(ctx); err != nil {
				return resealed, err
			}
			s.Note(ctx, Event{Action: AuditKeysRotated, Detail: map[string]any{"resealed": resealed}})
			return resealed, nil
		}
	}
}

func (s *Store) resealColumn(ctx context.Context, c sealedColumn) (resealed int, err error) {
	const batch = 500
	last := int64(0)
	for {
		var rows []struct {
			ID     int64  `db:"id"`
			Place  string `db:"place"`
			Sealed string `db:"sealed"`
		}
		query := fmt.Sprintf("SELECT id, %[1]s AS place, %[2]s AS sealed FROM %[3]s WHERE id > ? AND %[2]s <> '' ORDER BY id LIMIT %[4]d", c.place, c.column, c.table, batch)
		if err := s.db.list(ctx, &rows, query, last); err != nil || len(rows) == 0 {
			return resealed, err
		}
		for _, r := range rows {
			secret, byOld, err := s.seal.unseal(r.Place, r.Sealed)
			if err != nil {
				return resealed, fmt.Errorf("row %d: %w", r.ID, err)
			}
			if !byOld {
				continue
			}
			// What somebody has changed meanwhile is looked at in the next round.
			update := fmt.Sprintf("UPDATE %s SET %s = ? WHERE id = ? AND %[2]s = ?", c.table, c.column)
			if _, err := s.db.exec(ctx, update, s.seal.seal(r.Place, secret), r.ID, r.Sealed); err != nil {
				return resealed, err
			}
			resealed++
		}
		last = rows[len(rows)-1].ID
	}
}

// resealCanary comes last: from then on the older keys are refused.
func (s *Store) resealCanary(ctx context.Context) error {
	_, err := s.db.exec(ctx, "UPDATE installation SET value = ? WHERE name = 'canary'", s.seal.seal(canaryPlace, report.Secret("canary")))
	return err
}

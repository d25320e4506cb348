package store

import (
	"context"
	"errors"

	"github.com/quire-reports/quire/report"
)

// factorPath is where a refusal for want of a second factor points.
const factorPath = "secondFactor"

// requireFactor refuses users who could sign in with a password alone where a
// role asks for more, however they came in this time: an access token would be
// as good as the password that made it. Users without a password sign in at a
// provider, which asks for a second factor or does not.
func (s *Store) requireFactor(ctx context.Context, userID int, role *Role) error {
	var lacks bool
	err := s.db.get(ctx, &lacks, `SELECT u.password_hash IS NOT NULL AND NOT EXISTS (SELECT 1 FROM second_factors f WHERE f.id = u.id)
		AND NOT EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id) FROM users u WHERE u.id = ?`, userID)
	if err == nil && lacks {
		err = &report.Problem{Kind: report.Forbidden, Path: factorPath, Message: "your role " + role.Name + " here needs a second factor, and your account has none: set one up on the page Second factor"}
	}
	return err
}

// IsFactorNeeded tells that somebody is refused for want of a second factor.
func IsFactorNeeded(err error) bool {
	var p *report.Problem
	return errors.As(err, &p) && p.Kind == report.Forbidden && p.Path == factorPath
}

// NeedsFactor tells whether a role of a user, anywhere, needs a second factor.
func (s *Store) NeedsFactor(ctx context.Context, userID int) (bool, error) {
	var needs bool
	err := s.db.get(ctx, &needs, "SELECT EXISTS (SELECT 1 FROM "+heldBy("?")+" h JOIN roles r ON r.id = h.role_id WHERE r.needs_factor)", userID, userID)
	return needs, err
}

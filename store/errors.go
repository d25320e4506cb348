package store

import (
	"database/sql"
	"errors"
	"fmt"

	"github.com/quire-reports/quire/report"
)

// errDuplicate is a value that has to be unique and is not; whoever wrote the
// row knows which and says so.
var errDuplicate = errors.New("value is taken")

// errReferenced is a row that others still point to, or that points to none.
var errReferenced = errors.New("row is referenced")

// translate turns the drivers' errors into the few this package works with.
func (d *database) translate(err error) error {
	switch {
	case err == nil:
		return nil
	case d.isUnique(err):
		return fmt.Errorf("%w: %w", errDuplicate, err)
	case d.isForeign(err):
		return fmt.Errorf("%w: %w", errReferenced, err)
	case d.isBusy(err):
		if pgCode(pgReadOnly)(err) {
			d.renew()
		}
		return isAway("the database", err)
	}
	return err
}

// orNotFound makes a missing row a Problem that says what is missing.
func orNotFound(err error, format string, args ...any) error {
	if errors.Is(err, sql.ErrNoRows) {
		return report.NotFoundf(format, args...)
	}
	return err
}

// orTaken makes a duplicate a Problem that says what is taken.
func orTaken(err error, path, format string, args ...any) error {
	if errors.Is(err, errDuplicate) {
		return &report.Problem{Kind: report.Conflict, Path: path, Message: fmt.Sprintf(format, args...)}
	}
	return err
}

// savedMeanwhile is the Problem of a change based on a revision that is not the
// one there is now; by is the name of the user who made that one, empty when
// unknown.
func savedMeanwhile(by, what string, now, revision int) error {
	who := by
	if who == "" {
		who = "somebody else"
	}
	message := fmt.Sprintf("%s has saved this %s meanwhile: it is at revision %d, and your changes are based on %d", who, what, now, revision)
	return &report.Problem{Kind: report.Conflict, Message: message, By: by}
}

// settingProblem is a fault of a setting; its message never holds the value,
// which may carry a password.
func settingProblem(setting, format string, args ...any) error {
	return report.Problemf(setting, format, args...)
}

// IsNotFound tells whether something is missing or not visible.
func IsNotFound(err error) bool {
	var p *report.Problem
	return errors.As(err, &p) && p.Kind == report.NotFound
}

// orNoReference makes a reference to a row that is gone a Problem.
func orNoReference(err error, format string, args ...any) error {
	if errors.Is(err, errReferenced) {
		return report.NotFoundf(format, args...)
	}
	return err
}

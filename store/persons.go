package store

import (
	"context"
	"fmt"
	"slices"

	"github.com/quire-reports/quire/report"
)

// PersonOf is $user of an account, with the groups that it is in here and those
// that providers named. That of a service account has a name and no address.
func (s *Store) PersonOf(ctx context.Context, userID int) (report.Person, error) {
	var row struct {
		Email   string `db:"email"`
		Name    string `db:"display_name"`
		Service bool   `db:"service"`
	}
	if err := s.db.get(ctx, &row, "SELECT u.email, u.display_name, u.service_of IS NOT NULL AS service FROM users u WHERE u.id = ? AND u.is_active", userID); err != nil {
		return report.Person{}, orNotFound(err, "user %d does not exist", userID)
	}
	if row.Service {
		row.Email = ""
	}
	person := report.Person{ID: userID, Name: row.Name, Email: row.Email}
	held, err := s.GroupsOf(ctx, userID)
	if err != nil {
		return report.Person{}, err
	}
	told, err := s.ToldGroupsOf(ctx, userID)
	for _, g := range held {
		person.Groups = append(person.Groups, g.Name)
	}
	person.Groups = append(person.Groups, told...)
	slices.SortFunc(person.Groups, alphabetical)
	person.Groups = slices.Compact(person.Groups)
	return person, err
}

// RunsAs is $user of a job that runs as an account: it has to be one that sees
// the reports of the workspace.
func (s *Store) RunsAs(ctx context.Context, workspaceID int, email string) (report.Person, error) {
	fault := func(why string) error {
		return &report.Problem{Kind: report.Failed, Path: "runAs", Message: fmt.Sprintf("the job runs as %s, who %s", email, why)}
	}
	user, err := s.UserByEmail(ctx, email)
	if IsNotFound(err) {
		return report.Person{}, fault("has no account here, or a blocked one")
	}
	if err != nil {
		return report.Person{}, err
	}
	role, err := s.Membership(ctx, user.ID, workspaceID)
	if IsNotFound(err) {
		return report.Person{}, fault("is no member of the workspace")
	}
	if err != nil {
		return report.Person{}, err
	}
	if !role.Allows(Reports, Read) {
		return report.Person{}, fault("may not see its reports: the role " + role.Name + " has " + role.Levels[Reports].Label() + " on reports")
	}
	return s.PersonOf(ctx, user.ID)
}

package report

// Person is the person who looks at a report: $user. The zero Person is nobody,
// as in jobs that do not say as whom they run.
type Person struct {
	ID     int      `json:"id,omitempty"`  // of the account here
	Sub    string   `json:"sub,omitempty"` // at the application that passes on who looks; such people have no ID
	Name   string   `json:"name,omitempty"`
	Email  string   `json:"email,omitempty"`
	Groups []string `json:"groups,omitempty"`
}

// IsNobody tells that it is not known who looks.
func (p Person) IsNobody() bool {
	return p.ID == 0 && p.Sub == "" && p.Name == "" && p.Email == "" && len(p.Groups) == 0
}

// Value is $user. All members are always there, so that a path leads somewhere
// also when nobody looks: there is null, and no group.
func (p Person) Value() *Object {
	groups := make([]any, len(p.Groups))
	for i, g := range p.Groups {
		groups[i] = g
	}
	known := func(text string) any {
		if text == "" {
			return nil
		}
		return text
	}
	var id any
	if p.ID != 0 {
		id = int64(p.ID)
	}
	return ObjectOf("id", id, "sub", known(p.Sub), "name", known(p.Name), "email", known(p.Email), "groups", groups)
}

// PersonMembers are the members of $user in the order of the documentation.
func PersonMembers() []string { return []string{"id", "sub", "name", "email", "groups"} }

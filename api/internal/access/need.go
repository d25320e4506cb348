package access

import (
	"fmt"

	"github.com/quire-reports/quire/store"
)

// Way is a kind of credentials, or several.
type Way uint8

// The ways a caller can come in.
const (
	Token   Way = 1 << iota // Authorization: Bearer, a personal access token
	Session                 // the cookie of the sign-in page
	Preview                 // a nonce, or the cookie it was turned into; read-only
)

// Place says where the right of a Need is looked for.
type Place uint8

// The places.
const (
	Nowhere   Place = iota // being known is enough
	Workspace              // in the workspace that the address names
	Anywhere               // in any one workspace
	Root                   // only root users have it; the address may name a workspace
)

// Need is what a route asks of its caller.
type Need struct {
	Open     bool // nobody needs to be known
	Ways     Way
	Place    Place
	Category store.Category
	Level    store.Level
	// Own lets those in who may only see reports they made; the handler then
	// holds the Access of the caller against the report.
	Own bool
}

// Open is the need of a route for everybody.
func Open() Need { return Need{Open: true} }

// Known is the need of a route for everybody who is signed in.
func Known(ways Way) Need { return Need{Ways: ways} }

// In is the need of a level in the workspace of the address.
func In(ways Way, c store.Category, l store.Level) Need {
	return Need{Ways: ways, Place: Workspace, Category: c, Level: l}
}

// InAny is the need of a level in at least one workspace.
func InAny(ways Way, c store.Category, l store.Level) Need {
	return Need{Ways: ways, Place: Anywhere, Category: c, Level: l}
}

// RootOnly is the need of what root users alone do.
func RootOnly(ways Way) Need { return Need{Ways: ways, Place: Root} }

// OrOwn is the need eased for those who made the report.
func (n Need) OrOwn() Need {
	n.Own = true
	return n
}

// String is the need in a sentence of the API's description.
func (n Need) String() string {
	switch {
	case n.Open:
		return "Open to everybody."
	case n.Place == Nowhere:
		return "Open to every user."
	case n.Place == Root:
		return "Open to root users."
	case n.Place == Anywhere:
		return fmt.Sprintf("Needs a role with %s on %s in at least one workspace.", n.Level, n.Category)
	case n.Own:
		return fmt.Sprintf("Needs a role with %s on %s in the workspace, or a report of one's own.", n.Level, n.Category)
	}
	return fmt.Sprintf("Needs a role with %s on %s in the workspace.", n.Level, n.Category)
}

package access

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/quire-reports/quire/store"
)

// Way is a kind of credentials, or several.
type Way uint8

// The ways a caller can come in.
const (
	Token   Way = 1 << iota // Authorization: Bearer, a personal access token
	Session                 // the cookie of the sign-in page
	Preview                 // a nonce, or the cookie it was turned into; read-only
	// Provisioning is a token for provisioning, which opens nothing else; a need
	// of it takes no other way beside it.
	Provisioning
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
	Foreign  bool // and pages of others send forms here, as those of providers do
	Ways     Way
	Place    Place
	Category store.Category
	Level    store.Level
	// Own lets those in who may only see reports they made; the handler then
	// holds the Access of the caller against the report.
	Own bool
	// Scopes are those of which an access token with scopes has to have one.
	// By default what only looks takes ScopeRead, and what else there is a token
	// without scopes.
	Scopes store.TokenScopes
}

// Open is the need of a route for everybody.
func Open() Need { return Need{Open: true} }

// OpenToForms is the need of a route for everybody, to which pages of other sites
// send forms; it must not go by cookies.
func OpenToForms() Need { return Need{Open: true, Foreign: true} }

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

// For is the need of which tokens with one of some scopes are enough.
func (n Need) For(scopes store.TokenScopes) Need {
	n.Scopes = scopes
	return n
}

// ScopesOf are those of which a token with scopes needs one for a method; none
// is a token without scopes.
func (n Need) ScopesOf(method string) store.TokenScopes {
	if n.Scopes == 0 && (method == http.MethodGet || method == http.MethodHead) {
		return store.ScopeRead
	}
	return n.Scopes
}

// admits refuses what credentials do not reach, whoever their user is.
func (n Need) admits(reach store.Reach, method string) error {
	needed := n.ScopesOf(method)
	switch {
	case reach.Scopes != 0 && needed == 0:
		return forbidden(fmt.Sprintf("this needs an access token without scopes; yours has only %s", named(reach.Scopes)))
	case reach.Scopes != 0 && !reach.Scopes.Has(needed):
		return forbidden(fmt.Sprintf("this needs an access token with the scope %s; yours has only %s", strings.Join(needed.Names(), " or "), named(reach.Scopes)))
	case reach.WorkspaceID != 0 && n.Place == Root:
		return forbidden("this needs an access token that is not bound to a workspace")
	}
	return nil
}

func named(scopes store.TokenScopes) string { return strings.Join(scopes.Names(), " and ") }

// Tokens says in a sentence of the API's description which tokens are enough.
func (n Need) Tokens(method string) string {
	if needed := n.ScopesOf(method); needed != 0 {
		return "Scope of tokens: " + strings.Join(needed.Names(), " or ") + "."
	}
	return "For tokens without scopes."
}

// String is the need in a sentence of the API's description.
func (n Need) String() string {
	switch {
	case n.Open:
		return "Open to everybody."
	case n.Ways == Provisioning:
		return "Open to tokens for provisioning."
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

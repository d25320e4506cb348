package report

import "context"

// ConnectionType is a type of the connections of a workspace: to a database or
// a service that data is read from, or to where deliveries go. The packages that
// use connections list theirs.
type ConnectionType struct {
	Name     string // as connections say it
	Label    string
	Category ConnectionCategory
	// Example of an address, where a connection is one and not Fields.
	Example string
	// Headers tells that a connection has headers, sent with every request.
	Headers bool
	// RootOnly tells that only root users make such connections, as they lead
	// inside the network and not through the guard of outgoing requests.
	RootOnly bool
	// Unlisted tells that only the command line makes such connections.
	Unlisted bool

	// Fields describe the settings that a connection keeps in place of an
	// address, as a JSON object. Those with the editor "secret", "secret-text"
	// or "secret-file" are never shown again; where they are sent, and as whom, say those
	// with the tag leads; those with the tag stays are sent nowhere.
	Fields []Field
	// Check finds what is wrong with the settings without using them.
	Check func(settings map[string]any, path string) Problems
	// Probe reaches the target without changing anything there and says what it
	// found; nil when that cannot be done. Learned is told of settings that the
	// target has renewed.
	Probe func(ctx context.Context, settings map[string]any, learned func(name string, value Secret)) (string, error)
	// SignIn is how a person signs in to the provider; nil where nobody does.
	SignIn *SignIn
}

// ConnectionCategory is what connections lead to.
type ConnectionCategory string

// The categories of connections, as people read them.
const (
	DatabaseConnection    ConnectionCategory = "Databases"
	ServiceConnection     ConnectionCategory = "Services"
	DestinationConnection ConnectionCategory = "Destinations of deliveries"
	SigningConnection     ConnectionCategory = "Signatures of files"
)

// SignIn is how a person lets this service act for them at a provider. What it
// gives is the setting "token" of the connection.
type SignIn struct {
	// Address is the provider's page on which a person agrees. It sends them to
	// redirect, with the state and a code. The verifier is a secret of whoever
	// asks, and is the same in Token.
	Address func(settings map[string]any, redirect, state, verifier string) (string, error)
	// Token is what the code that came back is good for.
	Token func(ctx context.Context, settings map[string]any, code, redirect, verifier string) (Secret, error)
}

// ConnectionTypes are the types of connections that there are, in the order
// people see them.
type ConnectionTypes []ConnectionType

// Find is the type of a name; one that is unknown has the name as its label.
func (c ConnectionTypes) Find(name string) (found ConnectionType, known bool) {
	for _, t := range c {
		if t.Name == name {
			return t, true
		}
	}
	return ConnectionType{Name: name, Label: name}, false
}

// Names are the names of the types.
func (c ConnectionTypes) Names() []string {
	names := make([]string, len(c))
	for i, t := range c {
		names[i] = t.Name
	}
	return names
}

package ui

import (
	"context"
	"net/http"

	"github.com/quire-reports/quire/api/internal/access"
	"github.com/quire-reports/quire/store"
)

// Operation is what the page of the fleet reads. *store.Store is one.
type Operation interface {
	Fleet(ctx context.Context) ([]store.Process, error)
	LeftUndone(ctx context.Context) ([]store.Work, error)
	QueueState(ctx context.Context) ([]store.QueuedKind, error)
}

func (u *UI) operationRoutes() []route {
	return []route{{http.MethodGet, "/operation", access.RootOnly(access.Session), u.toSignIn, u.operationPage}}
}

// operationBody is the content of the page.
type operationBody struct {
	Faults    []string // what waits for nobody
	Processes []shownProcess
	Queue     []shownQueue
}

type shownProcess struct {
	store.Process
	Role, Does string
}

type shownQueue struct {
	store.QueuedKind
	Name, Oldest string
	Hurry        bool // somebody waits for it
}

func (u *UI) operationPage(w http.ResponseWriter, r *http.Request) {
	body, err := u.operation(r)
	if err != nil {
		u.Error(w, r, err)
		return
	}
	u.show(w, r, http.StatusOK, "operation", page{Title: u.t(r, "Operation"), Section: "operation", Body: body})
}

// operation is who works on what is queued, and what that is.
func (u *UI) operation(r *http.Request) (body operationBody, err error) {
	fleet, err := u.Store.Fleet(r.Context())
	if err != nil {
		return body, err
	}
	left, err := u.Store.LeftUndone(r.Context())
	if err != nil {
		return body, err
	}
	queue, err := u.Store.QueueState(r.Context())
	for _, work := range left {
		body.Faults = append(body.Faults, u.t(r, map[store.Work]string{
			store.PrintWork:   say("No process prints: exports and documents of jobs wait until one does. Start one, or look at the settings Worker.Kinds and Exports.InService."),
			store.DeliverWork: say("No process delivers: what is printed waits until one does. Start one, or look at the settings Worker.Kinds and Exports.InService."),
		}[work]))
	}
	does := map[store.Work]string{"": say("prints and delivers"), store.PrintWork: say("prints"), store.DeliverWork: say("delivers")}
	roles := map[string]string{"service": say("service"), "worker": say("worker")}
	for _, p := range fleet {
		body.Processes = append(body.Processes, shownProcess{p, u.t(r, roles[p.Role]), u.t(r, does[p.Work])})
	}
	for _, q := range queue {
		shown := shownQueue{QueuedKind: q, Name: q.Kind, Hurry: q.Priority == store.Interactive}
		if name := queuedNames()[q.Kind]; name != "" {
			shown.Name = u.t(r, name)
		}
		if q.Waiting > 0 {
			shown.Oldest = showTime(u.language(r), float64(q.Oldest))
		}
		body.Queue = append(body.Queue, shown)
	}
	return body, err
}

// queuedNames are the kinds of tasks for people; one of a newer version has none.
func queuedNames() map[string]string {
	return map[string]string{
		store.ExportTask:     say("Exports"),
		store.ReviewTask:     say("Documents for review"),
		store.RunTask:        say("Beginnings of runs"),
		store.EntryTask:      say("Entries of runs"),
		store.DeliverTask:    say("Deliveries of entries"),
		store.RunDeliverTask: say("Deliveries of whole runs"),
		store.TellRunTask:    say("Messages about the end of runs"),
		store.TellReviewTask: say("Messages about reviews"),
		store.TellExportTask: say("Messages about the end of exports"),
	}
}

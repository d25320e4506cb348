package store

import "slices"

// Work is what processes do of what is queued. Each does all of it, or one.
type Work string

// What there is to be done; empty is all of it.
const (
	PrintWork   Work = "print"   // exports, the data of runs and the documents of their entries
	DeliverWork Work = "deliver" // deliveries, and telling others what has ended
)

// Works are all that there are.
func Works() []Work { return []Work{PrintWork, DeliverWork} }

// deliveringKinds are the kinds of tasks that are DeliverWork; the others are PrintWork.
func deliveringKinds() []string {
	return []string{DeliverTask, RunDeliverTask, TellRunTask, TellReviewTask, TellExportTask}
}

// WorkOf is the work that tasks of a kind are.
func WorkOf(kind string) Work {
	if slices.Contains(deliveringKinds(), kind) {
		return DeliverWork
	}
	return PrintWork
}

// workOf is WorkOf in SQL, word for word as the index queue_work has it, by which a
// process that does not do all finds its work however much other waits before it.
const workOf = "(CASE WHEN kind IN ('deliver', 'deliver-run', 'tell-run', 'tell-review', 'tell-export') THEN 'deliver' ELSE 'print' END)"

// only is the further condition of the tasks that are some work, which are read by
// the index queue_work.
func (w Work) only() string { return w.isWork(workOf) }

// also is the same for tasks that are found by another index.
func (w Work) also() string { return w.isWork("COALESCE(" + workOf + ", '')") }

func (w Work) isWork(expression string) string {
	if w == "" {
		return ""
	}
	return " AND " + expression + " = '" + string(w) + "'"
}

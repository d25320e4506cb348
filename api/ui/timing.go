package ui

import (
	"fmt"
	"strings"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// timingPanel tells why a document, or those of a run, took as long as it did.
type timingPanel struct {
	Title string
	Parts []timingPart
	Notes []string
	Hint  string // what took most, and what can be done about it
	// Slowest is the entry of a run that took longest.
	Slowest *slowEntry
}

// timingPart is a phase as a part of the bar, which is 1000 wide.
type timingPart struct {
	Phase, Name, Time string
	X, Width          int
	Percent           int
}

type slowEntry struct {
	Link, Text string
}

// phaseNames are the phases for people, in the order of the way. Scripts run
// within others and are told beside the bar; what no phase has is the rest.
func phaseNames() []struct{ phase, name, hint string } {
	return []struct{ phase, name, hint string }{
		{"queue", say("Waiting in the queue"), say("Most of the time it waited for its turn. More workers, or more of Exports.Workers, shorten that.")},
		{"data", say("Data"), say("Most of the time went into data: look at the queries and services of the report first. Fewer rows, an index or an uploaded data set help most.")},
		{"html", say("Putting together"), say("Most of the time the pages were put together. Long lists with expressions in every row, and many charts, take longest.")},
		{"wait", say("Waiting for a tab"), say("Most of the time it waited for the browser, which printed other documents. More of Browser.Workers, or another worker, shorten that.")},
		{"paginate", say("Laying out"), say("Most of the time the pages were laid out. Long tables with cells that wrap, large pictures and many fonts take longest.")},
		{"print", say("Printing"), say("Most of the time the browser printed. That grows with the number of pages; accessible PDF take two to three times as long.")},
		{"finish", say("Finishing"), say("Most of the time the file was finished: tags, attachments, encryption or files of Office.")},
		{"store", say("Storing"), say("Most of the time the file was stored. The folder or S3 that has the files is slow.")},
		{"", say("Other"), ""},
	}
}

// scriptHint is said instead when scripts are most of what they are within.
func scriptHint() string {
	return say("Most of the time the scripts of the report ran. Let them do less for each row, or let the database do it.")
}

// timingOf explains a timing; nil when nothing is known of it.
func (u *UI) timingOf(lang string, t report.Timing) *timingPanel {
	if t.Took <= 0 {
		return nil
	}
	say := u.texts.in(lang)
	p := &timingPanel{Title: say("Why did it take {0}?", showTime(lang, t.Took))}
	p.fill(lang, say, t)
	if t.Pages > 1 {
		p.Notes = append(p.Notes, say("{0} pages, {1} for each", t.Pages, showTime(lang, t.Took/float64(t.Pages))))
	}
	return p
}

// fill makes the bar and finds what took most.
func (p *timingPanel) fill(lang string, say func(string, ...any) string, t report.Timing) {
	known, most := 0.0, 0.0
	for _, phase := range phaseNames() {
		known += t.Of(phase.phase)
	}
	whole := max(known, t.Took) // phases that ran beside each other sum up to more
	if whole <= 0 {
		p.Hint = say("No phase took most of the time.")
		return
	}
	at := 0.0
	for _, phase := range phaseNames() {
		ms := t.Of(phase.phase)
		if phase.phase == "" {
			ms = whole - known
		}
		if ms/whole < 0.0005 {
			continue
		}
		x := int(at/whole*1000 + .5)
		at += ms
		p.Parts = append(p.Parts, timingPart{phase.phase, say(phase.name), showTime(lang, ms), x, int(at/whole*1000+.5) - x, int(ms/whole*100 + .5)})
		if ms > most && ms >= whole*.35 {
			most = ms
			p.Hint = say(phase.hint)
			if scripts := t.Of("script"); (phase.phase == "data" || phase.phase == "html") && scripts > (t.Of("data")+t.Of("html"))/2 {
				p.Hint = say(scriptHint())
			}
		}
	}
	if scripts := t.Of("script"); scripts > 0 {
		p.Notes = append(p.Notes, say("Scripts took {0} of data and putting together", showTime(lang, scripts)))
	}
	if p.Hint == "" {
		p.Hint = say("No phase took most of the time.")
	}
}

// mostTimed is how many documents of a run its panel looks at.
const mostTimed = 300

// runTiming explains how long the documents of a run took, those made last. Their
// wait for a turn is no part of that: all wait for those before them.
func (u *UI) runTiming(lang, address string, timed []store.TimedEntry) *timingPanel {
	if len(timed) == 0 {
		return nil
	}
	say := u.texts.in(lang)
	sums, waited := map[string]float64{}, 0.0
	var all report.Timing
	slowest := timed[0]
	work := func(t report.Timing) float64 { return t.Took - t.Of(report.PhaseQueue) }
	for _, one := range timed {
		all.Took += work(one.Timing)
		all.Pages += one.Timing.Pages
		waited = max(waited, one.Timing.Of(report.PhaseQueue))
		for _, p := range one.Timing.Phases {
			if p.Phase != report.PhaseQueue {
				sums[p.Phase] += p.MS
			}
		}
		if work(one.Timing) > work(slowest.Timing) {
			slowest = one
		}
	}
	for phase, ms := range sums {
		all.Phases = append(all.Phases, report.PhaseTime{Phase: phase, MS: ms})
	}
	each := all.Took / float64(len(timed))
	p := &timingPanel{Title: say("Why does a document take {0}?", showTime(lang, each))}
	p.fill(lang, say, all)
	if len(timed) > 1 {
		p.Notes = append(p.Notes, say("{0} documents, {1} of work in all", len(timed), showTime(lang, all.Took)))
	}
	if len(timed) == mostTimed {
		p.Notes = append(p.Notes, say("the last ones only"))
	}
	if waited > 2*each {
		p.Notes = append(p.Notes, say("entries waited up to {0} for those before them: more workers shorten the run", showTime(lang, waited)))
	}
	p.Slowest = &slowEntry{fmt.Sprintf("%s?entry=%d#detail", address, slowest.EntryID), say("Slowest: entry {0}, {1}", slowest.Position, showTime(lang, work(slowest.Timing)))}
	return p
}

// showTime is a time in milliseconds for people.
func showTime(lang string, ms float64) string {
	text := ""
	switch {
	case ms < 1000:
		return fmt.Sprintf("%.0f ms", max(ms, 1))
	case ms < 60_000:
		text = strings.TrimSuffix(fmt.Sprintf("%.1f", ms/1000), ".0") + " s"
	default:
		text = fmt.Sprintf("%d:%02d min", int(ms/60_000), int(ms/1000)%60)
	}
	if lang == "de" {
		text = strings.ReplaceAll(text, ".", ",")
	}
	return text
}

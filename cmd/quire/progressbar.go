package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mattn/go-isatty"
)

// progressBar shows how far long work is: a line that is drawn over on a
// terminal, and now and then a line of its own in a log.
type progressBar struct {
	to       io.Writer
	terminal bool
	began    time.Time
	shown    time.Time // the last line in a log
	drawn    int       // width of what is on the terminal
}

// logEvery is how often a line goes to a log.
const logEvery = 10 * time.Second

func newProgressBar(to *os.File) *progressBar {
	now := time.Now()
	return &progressBar{to: to, terminal: isatty.IsTerminal(to.Fd()), began: now, shown: now}
}

// show draws the state of the work; of a total of 0 nothing is known.
func (b *progressBar) show(now time.Time, done, total int, note string) {
	line := progressLine(done, total, now.Sub(b.began), note)
	if b.terminal {
		fmt.Fprintf(b.to, "\r%s%s", line, strings.Repeat(" ", max(0, b.drawn-utf8.RuneCountInString(line))))
		b.drawn = utf8.RuneCountInString(line)
		return
	}
	if now.Sub(b.shown) >= logEvery {
		b.shown = now
		fmt.Fprintln(b.to, line)
	}
}

// end removes the bar.
func (b *progressBar) end() {
	if b.terminal && b.drawn > 0 {
		fmt.Fprintf(b.to, "\r%s\r", strings.Repeat(" ", b.drawn))
	}
}

// barWidth is how many characters a full bar has.
const barWidth = 30

func progressLine(done, total int, elapsed time.Duration, note string) string {
	parts := []string{}
	if total > 0 {
		full := barWidth * done / total
		parts = append(parts, fmt.Sprintf("[%s%s] %d/%d", strings.Repeat("#", full), strings.Repeat("-", barWidth-full), done, total))
	}
	if note != "" {
		parts = append(parts, note)
	}
	switch {
	case total > 0 && done > 0 && done < total:
		parts = append(parts, clockText(elapsed*time.Duration(total-done)/time.Duration(done))+" left")
	default:
		parts = append(parts, clockText(elapsed))
	}
	return strings.Join(parts, " · ")
}

// clockText writes a duration as minutes and seconds, or hours and more.
func clockText(d time.Duration) string {
	s := int(d.Round(time.Second) / time.Second)
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

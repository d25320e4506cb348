package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"golang.org/x/term"
)

// reloads are the settings that a running process takes over, and how.
func reloads() map[string]func(s *settings, e *engine, next *settings) error {
	return map[string]func(s *settings, e *engine, next *settings) error{
		"Log.Level": func(s *settings, _ *engine, next *settings) error {
			return s.level.UnmarshalText([]byte(next.LogLevel))
		},
		"Egress.AllowHosts": func(_ *settings, e *engine, next *settings) error { return e.guard.Allow(next.AllowHosts) },
	}
}

// catchHangups gets every SIGHUP from now on, which would end the process. One that
// comes because the terminal is gone in which it was started ends the context: nobody
// could end it there any more.
func catchHangups(ctx context.Context) (context.Context, <-chan os.Signal) {
	ctx, end := context.WithCancel(ctx)
	inTerminal := slices.ContainsFunc(standardFiles, isTerminal)
	all, asked := make(chan os.Signal, 1), make(chan os.Signal, 1)
	signal.Notify(all, syscall.SIGHUP)
	go func() {
		for {
			select {
			case <-ctx.Done():
				end()
				return
			case s := <-all:
				if inTerminal && !slices.ContainsFunc(standardFiles, isTerminal) {
					end()
					return
				}
				select {
				case asked <- s:
				default: // there is one already
				}
			}
		}
	}()
	return ctx, asked
}

var standardFiles = []*os.File{os.Stdin, os.Stdout, os.Stderr}

// isTerminal tells whether a file is a terminal that is still there.
func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// reloadOn reads the settings again at each signal, until ctx ends.
func reloadOn(ctx context.Context, hangups <-chan os.Signal, s *settings, e *engine, log *slog.Logger) {
	for {
		select {
		case <-hangups:
			s.reload(e, log)
		case <-ctx.Done():
			return
		}
	}
}

// reload takes over what has changed and can, and names what needs a restart. When
// a setting is wrong, all stay as they are.
func (s *settings) reload(e *engine, log *slog.Logger) {
	if s.again == nil {
		return
	}
	next, err := s.again()
	if err != nil {
		log.Error("the settings are not taken over, as one is wrong", "error", oneLine(err))
		return
	}
	var taken, waiting []string
	for _, st := range acceptedSettings() {
		text := next.Texts[st.name]
		if text == s.Texts[st.name] {
			continue
		}
		take, can := reloads()[st.name]
		if !can {
			waiting = append(waiting, st.name)
			continue
		}
		if err := take(s, e, next); err != nil { // checked with the settings
			log.Error("a setting is not taken over", "setting", st.name, "error", err)
			continue
		}
		s.Texts[st.name] = text
		taken = append(taken, st.name)
	}
	slices.Sort(taken)
	log.Warn("the settings were read again", "taken", taken, "needRestart", waiting)
}

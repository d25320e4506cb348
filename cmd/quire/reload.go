package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"syscall"
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

// catchHangups gets every SIGHUP from now on, which would end the process.
func catchHangups() <-chan os.Signal {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	return hangups
}

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
		text := next.texts[st.name]
		if text == s.texts[st.name] {
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
		s.texts[st.name] = text
		taken = append(taken, st.name)
	}
	slices.Sort(taken)
	log.Warn("the settings were read again", "taken", taken, "needRestart", waiting)
}

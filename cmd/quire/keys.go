package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

// keysFile holds generated keys; whoever can read it can read stored secrets.
const keysFile = "keys.json"

// keys are generated ones, and while they are changed those before them.
type keys struct {
	Key, Vector string
	Old         []keys `json:",omitempty"`
}

func newKeys() keys { return keys{Key: randomText(32), Vector: randomText(16)} }

func (k keys) check() error {
	if len(k.Key) != 32 || len(k.Vector) != 16 {
		return errors.New("holds no key of 32 and vector of 16 characters")
	}
	for _, old := range k.Old {
		if err := old.check(); err != nil {
			return err
		}
	}
	return nil
}

func (s *settings) keysPath() string { return filepath.Join(s.DataDir, keysFile) }

// findKeys finds the keys: those of the settings, or else those of the data
// folder, which are made the first time.
func (s *settings) findKeys() error {
	if s.OldKey != "" {
		s.OldKeys = []store.Keys{{Key: s.OldKey, Vector: s.OldVector}}
	}
	if s.Key != "" {
		return nil
	}
	k, err := s.readKeys()
	if errors.Is(err, fs.ErrNotExist) {
		if err = writeKeys(s.keysPath(), newKeys(), false); err == nil || errors.Is(err, fs.ErrExist) { // another process was first
			k, err = s.readKeys()
		}
	}
	if err != nil {
		return fmt.Errorf("generated keys %s: %w", s.keysPath(), err)
	}
	s.Key, s.Vector = report.Secret(k.Key), report.Secret(k.Vector)
	for _, old := range k.Old {
		s.OldKeys = append(s.OldKeys, store.Keys{Key: report.Secret(old.Key), Vector: report.Secret(old.Vector)})
	}
	return nil
}

func (s *settings) readKeys() (k keys, err error) {
	doc, err := os.ReadFile(s.keysPath())
	if err == nil {
		err = json.Unmarshal(doc, &k)
	}
	if err == nil {
		err = k.check()
	}
	return k, err
}

// writeKeys writes keys so that they are there whole, on disk, or not at all. It
// is fs.ErrExist when there is a file already that is not to be replaced.
func writeKeys(path string, k keys, replace bool) error {
	doc, err := json.Marshal(k)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // for its owner only
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(doc)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if !replace {
		err := os.Link(f.Name(), path)
		if _, found := os.Lstat(path); err != nil && found == nil {
			return fs.ErrExist
		}
		replace = err != nil // a file system without links
	}
	if replace {
		if err := os.Rename(f.Name(), path); err != nil {
			return err
		}
	}
	return store.SyncFolder(filepath.Dir(path))
}

func keysCommand(c *common) *cobra.Command {
	cmd := &cobra.Command{Use: "keys", Short: "The keys that protect stored secrets", Args: wrongUse(cobra.NoArgs), RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(&cobra.Command{Use: "rotate", Short: "Protect all stored secrets with a new key; may be ended and begun again", Args: wrongUse(cobra.NoArgs), RunE: func(cmd *cobra.Command, _ []string) error {
		s, err := c.load()
		if err != nil {
			return err
		}
		n, err := rotate(cmd.Context(), s)
		if err != nil {
			return err
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%d secrets are protected by the new key; the old one opens nothing any more\n", n)
		if s.OldKey != "" {
			fmt.Fprintln(cmd.OutOrStdout(), "Encryption.OldKey and Encryption.OldVector can be taken out of the settings")
		}
		return nil
	}})
	return cmd
}

// rotate makes a new key, when the keys are generated ones, and seals everything
// with it. Until that is done the key before it stays in the file.
func rotate(ctx context.Context, s *settings) (resealed int, err error) {
	generated := s.Key == ""
	if !generated && s.OldKey == "" {
		return 0, errors.New("setting Encryption.OldKey: is missing; put the key in force there and a new one into Encryption.Key (likewise the vectors), or let keys be generated")
	}
	st, err := openForKeys(ctx, s) // nobody else may use an SQLite file: its service would not know the new key
	if err != nil {
		return 0, err
	}
	if generated && len(s.OldKeys) == 0 {
		if err := st.Close(); err != nil {
			return 0, err
		}
		k := newKeys()
		k.Old = []keys{{Key: s.Key.Reveal(), Vector: s.Vector.Reveal()}}
		if err := writeKeys(s.keysPath(), k, true); err != nil {
			return 0, fmt.Errorf("writing generated keys: %w", err)
		}
		s.Key = ""
		if st, err = openForKeys(ctx, s); err != nil {
			return 0, err
		}
	}
	resealed, err = st.Reseal(ctx)
	if err = errors.Join(err, st.Close()); err != nil || !generated {
		return resealed, err
	}
	return resealed, writeKeys(s.keysPath(), keys{Key: s.Key.Reveal(), Vector: s.Vector.Reveal()}, true)
}

func openForKeys(ctx context.Context, s *settings) (*store.Store, error) {
	return openStore(ctx, s, slog.New(slog.DiscardHandler), strings.HasPrefix(s.Database, "sqlite:"))
}

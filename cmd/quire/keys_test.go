package main

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
)

const shopAddress = report.Secret("postgres://u:hunter2@db/shop")

// sealedData makes a data folder with a sealed secret in the demo workspace.
func sealedData(t *testing.T, env ...string) {
	t.Helper()
	s, st := openedStore(t, slog.New(slog.DiscardHandler), env...)
	if err := firstStart(t.Context(), s, st); err != nil {
		t.Fatal(err)
	}
	demo, err := st.WorkspaceByCode(t.Context(), "demo")
	if err == nil {
		err = st.PutConnection(t.Context(), demo.ID, store.Connection{Name: "shop", Type: "postgres", Address: shopAddress})
	}
	if err := errors.Join(err, st.Close()); err != nil {
		t.Fatal(err)
	}
}

// unseals tells why the sealed secret cannot be read.
func unseals(t *testing.T, env ...string) error {
	t.Helper()
	s, err := loadSettings("", append(env, "Storage__Sync=false"), nil)
	if err != nil {
		t.Fatal(err)
	}
	st, err := openStore(t.Context(), s, slog.New(slog.DiscardHandler), true)
	if err != nil {
		return err
	}
	defer st.Close()
	demo, err := st.WorkspaceByCode(t.Context(), "demo")
	if err != nil {
		return err
	}
	shop, err := st.Connection(t.Context(), demo.ID, "shop")
	if err == nil && shop.Address != shopAddress {
		err = errors.New("it is another")
	}
	return err
}

func rotated(t *testing.T, env ...string) error {
	t.Helper()
	s, err := loadSettings("", env, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = rotate(t.Context(), s)
	return err
}

func TestGeneratedKeysRotate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data, file := "DataDir="+dir, filepath.Join(dir, keysFile)
	read := func(path string) []byte {
		t.Helper()
		doc, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return doc
	}
	sealedData(t, data)
	before := read(file)

	_, running := openedStore(t, slog.New(slog.DiscardHandler), data)
	if err := rotated(t, data); err == nil || !strings.Contains(err.Error(), "another quire process owns this database") {
		t.Errorf("beside a running service: %v", err)
	}
	if !bytes.Equal(read(file), before) {
		t.Error("the keys of a running service were changed")
	}
	running.Close()

	// It is killed when the new key is in the file and nothing is sealed with it.
	old, err := (&settings{DataDir: dir}).readKeys()
	if err != nil {
		t.Fatal(err)
	}
	halfway := newKeys()
	halfway.Old = []keys{old}
	if err := writeKeys(file, halfway, true); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second one is a rotation of its own
		if err := unseals(t, data); err != nil {
			t.Error(err)
		}
		if err := rotated(t, data); err != nil {
			t.Fatal(err)
		}
	}
	if err := unseals(t, data); err != nil {
		t.Error(err)
	}
	after, err := (&settings{DataDir: dir}).readKeys()
	if err != nil || after.Key == old.Key || after.Key == halfway.Key || after.Old != nil {
		t.Errorf("the keys afterwards: %v", err)
	}
	if left, _ := filepath.Glob(file + ".*"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode of the keys: %v, %v", info.Mode(), err)
	}
	if err := os.WriteFile(file, before, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := unseals(t, data); err == nil || !strings.Contains(err.Error(), "is not the key") {
		t.Errorf("with the first key: %v", err)
	}
	if err := writeKeys(file, halfway, false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("keys were replaced: %v", err)
	}
}

func TestKeysOfTheSettingsRotate(t *testing.T) {
	t.Parallel()
	data := "DataDir=" + t.TempDir()
	first := []string{data, "Encryption__Key=0123456789abcdef0123456789abcdef", "Encryption__Vector=0123456789abcdef"}
	second := []string{data, "Encryption__Key=another-key-of-exactly-32-chars!", "Encryption__Vector=another-vector-1"}
	both := append([]string{"Encryption__OldKey=0123456789abcdef0123456789abcdef", "Encryption__OldVector=0123456789abcdef"}, second...)
	sealedData(t, first...)
	if err := rotated(t, first...); err == nil || !strings.Contains(err.Error(), "setting Encryption.OldKey: is missing") {
		t.Errorf("without an old key: %v", err)
	}
	if err := unseals(t, second...); err == nil {
		t.Error("a wrong key was accepted")
	}
	for range 2 {
		if err := unseals(t, both...); err != nil {
			t.Error(err)
		}
		if err := rotated(t, both...); err != nil {
			t.Fatal(err)
		}
	}
	if err := unseals(t, second...); err != nil {
		t.Error(err)
	}
	if err := unseals(t, first...); err == nil {
		t.Error("the old key still opens the database")
	}
}

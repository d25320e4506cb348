package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store/storetest"
)

// Finding A8: nodes with one database and a storage each printed documents
// without their pictures, and nothing said why.
func TestStorageOfAnotherIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	open := func(database, storage string) error {
		s, err := Open(t.Context(), Config{
			Database: "sqlite:" + filepath.Join(dir, database), Storage: "file://" + filepath.Join(dir, storage),
			Key: testKey, Vector: testVector, Unsynced: true,
		})
		if err == nil {
			err = s.Close()
		}
		return err
	}
	refused := func(err error, says string) {
		t.Helper()
		if p, _ := errors.AsType[*report.Problem](err); p == nil || p.Path != "Storage__Url" || !strings.Contains(p.Message, says) {
			t.Errorf("%v; want %q", err, says)
		}
	}
	for range 2 {
		if err := open("one.db", "one"); err != nil {
			t.Fatal(err)
		}
	}
	err := open("one.db", "two")
	refused(err, "not the one that the database was used with")
	if _, found := os.Stat(filepath.Join(dir, "two", markKey)); found == nil {
		t.Error("a refused storage was marked")
	}
	refused(open("two.db", "one"), "another installation")
	if err := open("two.db", "two"); err != nil { // it was not noted which storage was refused
		t.Error(err)
	}
	words := strings.Fields(err.Error())
	mark := words[len(words)-6] // put the text … into a content named installation
	if err := os.Mkdir(filepath.Join(dir, "three"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "three", markKey), []byte(mark+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := open("one.db", "three"); err != nil {
		t.Errorf("the way on that it told: %v", err)
	}
}

// Finding A5: a wrong bucket or missing credentials were called busy.
func TestWhyS3CannotBeUsed(t *testing.T) {
	s3 := storetest.PrivateS3(t, "quire")
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	t.Setenv("AWS_MAX_ATTEMPTS", "1")
	t.Setenv("HOME", t.TempDir())
	database := "sqlite:" + filepath.Join(t.TempDir(), "quire.db")
	open := func(storage string) error {
		s, err := Open(t.Context(), Config{Database: database, Storage: storage, Key: testKey, Vector: testVector, Unsynced: true})
		if err == nil {
			err = s.Close()
		}
		return err
	}
	good := s3.Storage("quire", s3.Endpoint)
	for _, c := range []struct {
		name, storage string
		environment   map[string]string
		says          []string
	}{
		{"wrong bucket", s3.Storage("nosuch", s3.Endpoint), nil, []string{"NoSuchBucket", "after s3://"}},
		{"nobody there", s3.Storage("quire", "http://127.0.0.1:1"), nil, []string{"127.0.0.1:1", "refused"}},
		{"wrong secret", good, map[string]string{"AWS_SECRET_ACCESS_KEY": "wrong"}, []string{"SignatureDoesNotMatch", "AWS_ACCESS_KEY_ID"}},
		{"no credentials", good, map[string]string{"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}, []string{"no credentials", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"}},
		{"all right", good, nil, nil}, // what failed before has left nothing behind
		{"wrong bucket later", s3.Storage("nosuch", s3.Endpoint), nil, []string{"NoSuchBucket"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for name, value := range c.environment {
				t.Setenv(name, value)
			}
			err := open(c.storage)
			if c.says == nil {
				if err != nil {
					t.Error(err)
				}
				return
			}
			for _, says := range append(c.says, "Storage__Url") {
				if err == nil || !strings.Contains(err.Error(), says) {
					t.Errorf("%v; want %q", err, says)
				}
			}
			if err != nil && (strings.Contains(err.Error(), s3.SecretKey) || strings.Contains(err.Error(), "\n")) {
				t.Errorf("shows a secret, or more than a line: %v", err)
			}
		})
	}
}

func TestAManagedFileWithoutItsContent(t *testing.T) {
	t.Parallel()
	f := sqliteFixture(t)
	w := f.workspace("acme")
	ok[*FileRow](t)(f.PutFile(t.Context(), w.ID, "logo.png", "", strings.NewReader("picture")))
	f.must(filepath.WalkDir(filepath.Join(f.storage, fileContents), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			err = os.Remove(path)
		}
		return err
	}))
	_, err := f.File(t.Context(), w.ID, "logo.png")
	f.isKind(err, report.Failed)
	if !containsText(err, `"logo.png" is lost`) {
		t.Error(err)
	}
	_, err = f.File(t.Context(), w.ID, "other.png")
	f.isKind(err, report.NotFound)
}

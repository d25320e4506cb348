package deliver

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/quire-reports/quire/report"
)

func localTarget(settings map[string]any) Target { return Target{Type: "local", Settings: settings} }

// listing is every file below a folder, with slashes.
func listing(t *testing.T, folder string) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(folder, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(folder, p)
			list = append(list, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestLocalVolume(t *testing.T) {
	env := &Env{Folders: []string{t.TempDir(), t.TempDir()}}
	one, two := random(1, 3<<20), random(2, 70_000)
	docs := []report.Document{pdf("Rechnung Müller.pdf", one), doc("Übersicht.csv", "text/csv", two), pdf("empty.pdf", nil)}
	target := localTarget(map[string]any{"path": "2026/11 November"})

	receipt := mustDeliver(t, env, target, docs, "run1/entry1/delivery1")
	folder := filepath.Join(env.Folders[0], "2026", "11 November")
	if receipt.State != Sent || receipt.Items[0].Place != filepath.Join(folder, "Rechnung Müller.pdf") || receipt.Items[0].SHA256 != sumOf(one) {
		t.Errorf("%+v", receipt)
	}
	for i, want := range [][]byte{one, two, nil} {
		got, err := os.ReadFile(receipt.Items[i].Place)
		if err != nil {
			t.Fatal(err)
		}
		same(t, receipt.Items[i].Place, got, want)
	}

	target.Interrupted = true
	again := mustDeliver(t, env, target, docs, "run1/entry1/delivery1")
	if again.State != AlreadySent || !again.Items[0].Already || len(listing(t, env.Folders[0])) != 3 {
		t.Errorf("the second delivery: %+v, %v", again, listing(t, env.Folders[0]))
	}
	if len(listing(t, env.Folders[1])) != 0 {
		t.Error("the other allowed folder was written to")
	}
	second := localTarget(map[string]any{"folder": env.Folders[1]})
	mustDeliver(t, env, second, docs[1:2], "k")
	if got := listing(t, env.Folders[1]); !reflect.DeepEqual(got, []string{"Übersicht.csv"}) {
		t.Errorf("%v", got)
	}
}

func TestLocalConflicts(t *testing.T) {
	old, fresh := []byte("old content"), []byte("new content") // of the same size
	cases := []struct {
		conflict, want string
		left           []string
	}{
		{"", "a (2).pdf 11 false", []string{"a (2).pdf", "a.pdf"}},
		{"number", "a (2).pdf 11 false", []string{"a (2).pdf", "a.pdf"}},
		{"overwrite", "a.pdf 11 false", []string{"a.pdf"}},
		{"refuse", "", []string{"a.pdf"}},
	}
	for _, c := range cases {
		t.Run(c.conflict, func(t *testing.T) {
			env := &Env{Folders: []string{t.TempDir()}}
			settings := map[string]any{}
			if c.conflict != "" {
				settings["conflict"] = c.conflict
			}
			at := filepath.Join(env.Folders[0], "a.pdf")
			if err := os.WriteFile(at, old, 0o600); err != nil {
				t.Fatal(err)
			}
			if c.want == "" {
				if e := refused(t, env, localTarget(settings), []report.Document{pdf("a.pdf", fresh)}, "exists with another content"); !e.Permanent {
					t.Error("a retry would not help")
				}
			} else {
				for _, already := range []string{"false", "true"} {
					want := strings.Replace(c.want, "false", already, 1)
					if got := items(mustDeliver(t, env, localTarget(settings), []report.Document{pdf("a.pdf", fresh)}, "k")); got[0] != want {
						t.Errorf("got %q, want %q", got[0], want)
					}
				}
			}
			if got := listing(t, env.Folders[0]); !reflect.DeepEqual(got, c.left) {
				t.Errorf("left %v, want %v", got, c.left)
			}
			want := old
			if c.conflict == "overwrite" {
				want = fresh
			}
			got, _ := os.ReadFile(at)
			same(t, "a.pdf", got, want)
		})
	}
}

func TestLocalStaysInItsFolder(t *testing.T) {
	outside := t.TempDir()
	allowed := t.TempDir()
	for link, to := range map[string]string{"out": outside, "inner": "real", "file.pdf": filepath.Join(outside, "victim.pdf")} {
		if err := os.Symlink(to, filepath.Join(allowed, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(allowed, "real"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(allowed, "folder.pdf"), 0o700); err != nil {
		t.Fatal(err)
	}
	env := &Env{Folders: []string{allowed}}
	cases := []struct {
		settings    map[string]any
		name, words string
	}{
		{map[string]any{"path": "../x"}, "a.pdf", "contains .."},
		{map[string]any{"path": "x/../../y"}, "a.pdf", "contains .."},
		{map[string]any{"path": outside}, "a.pdf", "begins with /"},
		{map[string]any{"path": "out"}, "a.pdf", "symbolic link"},
		{map[string]any{"path": "out/deep"}, "a.pdf", "symbolic link"},
		{map[string]any{"path": "inner"}, "a.pdf", "symbolic link"},
		{nil, "file.pdf", "symbolic link"},
		{map[string]any{"conflict": "overwrite"}, "file.pdf", "symbolic link"},
		{nil, "folder.pdf", "no ordinary file"},
		{map[string]any{"folder": outside}, "a.pdf", "not one that the operator has allowed"},
		{map[string]any{"folder": allowed + "/.."}, "a.pdf", "not one that the operator has allowed"},
		{map[string]any{"folder": allowed + "/real"}, "a.pdf", "not one that the operator has allowed"},
	}
	for _, c := range cases {
		if e := refused(t, env, localTarget(c.settings), []report.Document{pdf(c.name, []byte("x"))}, c.words); !e.Permanent {
			t.Errorf("%v: a retry would not help", c.settings)
		}
	}
	refused(t, &Env{}, localTarget(nil), []report.Document{pdf("a.pdf", []byte("x"))}, "the operator has allowed none")
	mustDeliver(t, env, localTarget(nil), []report.Document{pdf("../../a.pdf", []byte("x"))}, "k")
	if left := listing(t, outside); len(left) != 0 {
		t.Errorf("written outside: %v", left)
	}
}

func TestLocalLeavesNothingUnfinished(t *testing.T) {
	env := &Env{Folders: []string{t.TempDir()}}
	content := random(3, 100_000)
	if e := refused(t, env, localTarget(nil), []report.Document{broken("a.pdf", content, 50_000)}, "the storage went away"); e.Permanent {
		t.Error("a retry could help")
	}
	short := pdf("b.pdf", content)
	short.Size++
	refused(t, env, localTarget(nil), []report.Document{short}, "shorter than announced")
	long := pdf("c.pdf", content)
	long.Size--
	refused(t, env, localTarget(nil), []report.Document{long}, "longer than announced")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Deliver(ctx, env, localTarget(nil), []report.Document{pdf("d.pdf", content)}, "k")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if left := listing(t, env.Folders[0]); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestWhatACrashLeftIsTakenAway: a process can be killed at any moment of a delivery,
// also after the file has got its name.
func TestWhatACrashLeftIsTakenAway(t *testing.T) {
	content := random(3, 100_000)
	for _, named := range []bool{false, true} {
		for _, where := range []string{"", "/HALF"} { // as a file, which versions before left, and in a folder
			env := &Env{Folders: []string{t.TempDir()}}
			left := filepath.Join(env.Folders[0], unfinishedName(tagOf("k"), prepare([]report.Document{pdf("a.pdf", content)})[0])+where)
			if err := errors.Join(os.MkdirAll(filepath.Dir(left), 0o700), os.WriteFile(left, content[:100], 0o600)); err != nil {
				t.Fatal(err)
			}
			want := Sent
			if named {
				want = AlreadySent
				if err := os.WriteFile(filepath.Join(env.Folders[0], "a.pdf"), content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if receipt := mustDeliver(t, env, localTarget(nil), []report.Document{pdf("a.pdf", content)}, "k"); receipt.State != want {
				t.Errorf("%+v; want %s", receipt, want)
			}
			onlyFile(t, env.Folders[0], "a.pdf", content)
		}
	}
}

// onlyFile fails unless a folder holds one file and nothing else.
func onlyFile(t *testing.T, folder, name string, content []byte) {
	t.Helper()
	list, err := os.ReadDir(folder)
	if err != nil || len(list) != 1 || list[0].Name() != name {
		t.Fatalf("there are %v, %v", list, err)
	}
	got, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	same(t, name, got, content)
}

// slowly is a document that stands still in its middle when it is written first, until
// it is let go on; begun is closed when it stands.
func slowly(name string, content []byte, begun chan<- struct{}, on <-chan struct{}) report.Document {
	d := pdf(name, content)
	whole, opened := d.Open, 0
	d.Open = func(ctx context.Context) (io.ReadCloser, error) {
		if opened++; opened != 2 { // first it is hashed
			return whole(ctx)
		}
		half := len(content) / 2
		return io.NopCloser(io.MultiReader(bytes.NewReader(content[:half]), halt{begun, on}, bytes.NewReader(content[half:]))), nil
	}
	return d
}

type halt struct {
	begun chan<- struct{}
	on    <-chan struct{}
}

func (h halt) Read([]byte) (int, error) {
	close(h.begun)
	<-h.on
	return 0, io.EOF
}

// TestAnAttemptThatWasTakenForDeadGoesOn: whatever two attempts at the same delivery
// do to each other, there is one file in the end, and never half of one.
func TestAnAttemptThatWasTakenForDeadGoesOn(t *testing.T) {
	content := random(6, 300_000)
	deliver := func(t *testing.T, env *Env, d report.Document) <-chan error {
		done := make(chan error, 1)
		go func() {
			_, err := Deliver(t.Context(), env, localTarget(nil), []report.Document{d}, "k")
			done <- err
		}()
		return done
	}
	// standing is an attempt that stands still in the middle of the document.
	standing := func(t *testing.T, env *Env) (on chan<- struct{}, done <-chan error) {
		begun, goOn := make(chan struct{}), make(chan struct{})
		done = deliver(t, env, slowly("a.pdf", content, begun, goOn))
		<-begun
		return goOn, done
	}
	check := func(t *testing.T, env *Env, err error) {
		t.Helper()
		var e *Error
		if err != nil && (!errors.As(err, &e) || e.Permanent) {
			t.Errorf("a retry would not help: %v", err)
		}
		if got, err := os.ReadFile(filepath.Join(env.Folders[0], "a.pdf")); err == nil {
			same(t, "a.pdf", got, content)
		}
	}
	t.Run("when the other is done", func(t *testing.T) {
		env := &Env{Folders: []string{t.TempDir()}}
		on, done := standing(t, env)
		mustDeliver(t, env, localTarget(nil), []report.Document{pdf("a.pdf", content)}, "k")
		close(on)
		if err := <-done; err != nil {
			t.Errorf("what the other has delivered is there: %v", err)
		}
		onlyFile(t, env.Folders[0], "a.pdf", content)
	})
	t.Run("while the other is in the middle", func(t *testing.T) {
		env := &Env{Folders: []string{t.TempDir()}}
		first, done := standing(t, env)
		second, ended := standing(t, env)
		close(first)
		check(t, env, <-done)
		close(second)
		check(t, env, <-ended)
		mustDeliver(t, env, localTarget(nil), []report.Document{pdf("a.pdf", content)}, "k")
		onlyFile(t, env.Folders[0], "a.pdf", content)
	})
}

func TestAPartlyDoneDeliveryIsFinished(t *testing.T) {
	env := &Env{Folders: []string{t.TempDir()}}
	a, b := random(4, 1000), random(5, 1000)
	receipt, err := Deliver(t.Context(), env, localTarget(nil), []report.Document{pdf("a.pdf", a), broken("b.pdf", b, 10)}, "k")
	if err == nil || len(receipt.Items) != 1 {
		t.Fatalf("%+v %v", receipt, err)
	}
	receipt = mustDeliver(t, env, localTarget(nil), []report.Document{pdf("a.pdf", a), pdf("b.pdf", b)}, "k")
	if got := strings.Join(items(receipt), ", "); got != "a.pdf 1000 true, b.pdf 1000 false" || receipt.State != Sent {
		t.Errorf("%s %s", got, receipt.State)
	}
}

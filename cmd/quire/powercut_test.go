//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/quire-reports/quire/jobs/deliver"
	"github.com/quire-reports/quire/report"
	"github.com/quire-reports/quire/store"
	"github.com/quire-reports/quire/store/storetest"
)

var powerCuts = flag.Int("power-cuts", 3, "how often the power is cut")

// powerEnv names the folder that a process works in until it is killed.
const powerEnv = "QUIRE_TEST_POWER"

// promise is something that a process has acknowledged.
type promise struct {
	Kind string // first start, upload, file, export or delivery; process when it ends by itself
	ID   int    `json:",omitempty"`
	Name string `json:",omitempty"`
	Sum  string `json:",omitempty"`
	// Broken is what is wrong with it after a cut.
	Broken string `json:",omitempty"`
}

// TestPowerCuts cuts the power of a disk that forgets what was not synced, while
// a process starts, uploads, exports and delivers. What was acknowledged is
// there afterwards, whole.
func TestPowerCuts(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	const fresh = 20 // rounds, after which everything begins on an empty disk
	var disk *storetest.Disk
	var all, last []promise
	total, rounds := 0, 0
	for ; rounds < *powerCuts; rounds++ {
		if rounds%fresh == 0 {
			disk, all, last = storetest.NewDisk(uint64(rounds+1)), nil, nil
		}
		check := last
		if rounds%fresh == fresh-1 || rounds == *powerCuts-1 {
			check = all
		}
		last = powerRound(t, disk, folder, check)
		all = append(all, last...)
		total += len(last)
	}
	powerCheck(t, disk, folder, all)
	if total < *powerCuts {
		t.Errorf("only %d acknowledged in %d rounds", total, rounds)
	}
	t.Logf("%d rounds, %d acknowledged", rounds, total)
}

// powerRound starts a process that checks what was promised and then works,
// cuts the power and gives what was promised meanwhile.
func powerRound(t *testing.T, disk *storetest.Disk, folder string, check []promise) (made []promise) {
	t.Helper()
	disk.Mount(t, folder)
	process, told := startPowered(t, folder, check)
	enough, wait := 1+rand.IntN(60), time.Duration(rand.IntN(30))*time.Millisecond
	for told.Scan() {
		p := readPromise(t, disk, told.Bytes())
		if p.Kind == "process" {
			break
		}
		made = append(made, p)
		if len(made) == enough {
			time.AfterFunc(wait, disk.Cut)
		}
	}
	disk.Cut()
	_ = process.Process.Kill()
	_ = process.Wait()
	disk.Unmount(t)
	return made
}

// powerCheck looks for everything once more.
func powerCheck(t *testing.T, disk *storetest.Disk, folder string, all []promise) {
	t.Helper()
	disk.Mount(t, folder)
	process, told := startPowered(t, folder, all)
	for told.Scan() && readPromise(t, disk, told.Bytes()).Broken != "" {
	}
	disk.Cut()
	_ = process.Process.Kill()
	_ = process.Wait()
	disk.Unmount(t)
}

func readPromise(t *testing.T, disk *storetest.Disk, line []byte) (p promise) {
	t.Helper()
	if err := json.Unmarshal(line, &p); err != nil {
		t.Fatalf("%v: %s", err, line)
	}
	if p.Broken != "" && !(p.Kind == "process" && disk.Off()) { // it ends with the power
		t.Errorf("%+v", p)
	}
	return p
}

func startPowered(t *testing.T, folder string, check []promise) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	doc, err := json.Marshal(check)
	if err != nil {
		t.Fatal(err)
	}
	process := exec.Command(os.Args[0])
	process.Env = append(os.Environ(), powerEnv+"="+folder)
	process.Stdin, process.Stderr = bytes.NewReader(doc), os.Stderr
	out, err := process.StdoutPipe()
	if err == nil {
		err = process.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return process, bufio.NewScanner(out)
}

// powered is the process on the disk.
type powered struct {
	settings *settings
	store    *store.Store
	demo     *store.Workspace
	mu       sync.Mutex
	env      deliver.Env
}

// powerMain turns this process into it when it was started as one.
func powerMain() {
	folder := os.Getenv(powerEnv)
	if folder == "" {
		return
	}
	var p powered
	p.tell(promise{Kind: "process", Broken: p.run(context.Background(), folder).Error()})
	os.Exit(0)
}

func (p *powered) tell(made promise) {
	p.mu.Lock()
	defer p.mu.Unlock()
	doc, _ := json.Marshal(made)
	_, _ = os.Stdout.Write(append(doc, '\n'))
}

func (p *powered) run(ctx context.Context, folder string) (err error) {
	var check []promise
	if err := json.NewDecoder(os.Stdin).Decode(&check); err != nil {
		return err
	}
	env := []string{"DataDir=" + filepath.Join(folder, "data"), "RootUser__Password=secret-7a!"}
	if p.settings, err = loadSettings("", env, nil); err != nil {
		return err
	}
	if p.store, err = openStore(ctx, p.settings, slog.New(slog.DiscardHandler), true); err != nil {
		return err
	}
	if err := firstStart(ctx, p.settings, p.store); err != nil {
		return err
	}
	if p.demo, err = p.store.WorkspaceByCode(ctx, "demo"); err != nil {
		return err
	}
	p.env.Folders = []string{filepath.Join(folder, "out")}
	if err := store.MakeFolder(p.env.Folders[0]); err != nil {
		return err
	}
	if err := p.checkAll(ctx, check); err != nil {
		return err
	}
	p.tell(promise{Kind: "first start"})
	failed := make(chan error)
	for _, work := range []func(context.Context, *rand.Rand) (promise, error){p.upload, p.file, p.export, p.deliver} {
		go func() {
			random := rand.New(rand.NewPCG(rand.Uint64(), 1))
			for {
				made, err := work(ctx, random)
				if err != nil {
					failed <- err
					return
				}
				p.tell(made)
			}
		}()
	}
	return <-failed
}

func someBytes(random *rand.Rand) (content []byte, sum string) {
	content = make([]byte, 1+random.IntN(40_000))
	for i := range content {
		content[i] = byte(random.Uint32())
	}
	return content, sumText(content)
}

func sumText(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}

// bytesUpload is temporary data of any bytes.
type bytesUpload struct{ io.Reader }

func (bytesUpload) Expires() *time.Time { return nil }

func (p *powered) upload(ctx context.Context, random *rand.Rand) (promise, error) {
	content, sum := someBytes(random)
	id, _, err := p.store.PutTempData(ctx, p.demo.ID, 1, bytesUpload{bytes.NewReader(content)})
	return promise{Kind: "upload", ID: id, Sum: sum}, err
}

func (p *powered) file(ctx context.Context, random *rand.Rand) (promise, error) {
	content, sum := someBytes(random)
	name := fmt.Sprintf("%x.bin", random.Uint64())
	_, err := p.store.PutFile(ctx, p.demo.ID, name, "", bytes.NewReader(content))
	return promise{Kind: "file", Name: name, Sum: sum}, err
}

func (p *powered) export(ctx context.Context, random *rand.Rand) (promise, error) {
	content, sum := someBytes(random)
	id, err := p.store.CreateExport(ctx, store.NewExport{WorkspaceID: p.demo.ID, UserID: 1, Kind: store.ExportTask, Payload: []byte("{}"), Report: "1", Format: "pdf", Lifetime: time.Hour})
	if err != nil {
		return promise{}, err
	}
	if random.IntN(2) == 0 {
		return promise{Kind: "export", ID: id}, nil
	}
	_, err = p.store.CompleteExport(ctx, id, store.Finished{Name: "a.pdf", ContentType: "application/pdf"}, bytes.NewReader(content))
	return promise{Kind: "export", ID: id, Sum: sum}, err
}

func (p *powered) deliver(ctx context.Context, random *rand.Rand) (promise, error) {
	content, sum := someBytes(random)
	name := fmt.Sprintf("%x", random.Uint64())
	doc := report.Document{Name: name, Size: int64(len(content)), Open: func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content)), nil
	}}
	target := deliver.Target{Type: "local", Settings: map[string]any{"path": name[:2] + "/" + name[2:3]}}
	receipt, err := deliver.Deliver(ctx, &p.env, target, []report.Document{doc}, name)
	if err != nil {
		return promise{}, err
	}
	return promise{Kind: "delivery", Name: receipt.Items[0].Place, Sum: sum}, nil
}

// checkAll tells of every promise that is broken.
func (p *powered) checkAll(ctx context.Context, check []promise) error {
	for _, made := range check {
		content, err := p.find(ctx, made)
		if errors.Is(err, errKept) {
			continue
		}
		if err != nil {
			made.Broken = err.Error()
		} else if sumText(content) != made.Sum {
			made.Broken = fmt.Sprintf("the content is another (%d bytes)", len(content))
		}
		if made.Broken != "" {
			p.tell(made)
		}
	}
	db, err := sql.Open("sqlite", filepath.Join(p.settings.DataDir, "quire.db"))
	if err != nil {
		return err
	}
	defer db.Close()
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		p.tell(promise{Kind: "database", Broken: fmt.Sprint(verdict, err)})
	}
	return nil
}

// errKept is a promise without a content, that is kept.
var errKept = errors.New("kept")

func (p *powered) find(ctx context.Context, made promise) ([]byte, error) {
	switch made.Kind {
	case "upload":
		content, err := p.store.TempData(ctx, p.demo.ID, 1, made.ID)
		if err != nil {
			return nil, err
		}
		defer func() { _ = content.Close() }()
		return io.ReadAll(content)
	case "file":
		_, content, err := p.store.OpenFile(ctx, p.demo.ID, made.Name)
		return readContent(content, err)
	case "export":
		f, err := p.store.Export(ctx, p.demo.ID, made.ID)
		switch {
		case err != nil:
			return nil, err
		case made.Sum == "":
			return nil, errKept
		case f.Status != store.ExportCompleted:
			return nil, fmt.Errorf("it is %s", f.Status)
		}
		return readContent(p.store.OpenExport(ctx, f))
	case "delivery":
		return os.ReadFile(made.Name)
	}
	return nil, errKept
}

func readContent(content *store.Content, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer content.Close()
	return io.ReadAll(content)
}

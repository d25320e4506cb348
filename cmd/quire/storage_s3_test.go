package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/quire-reports/quire/internal/judges"
	"github.com/quire-reports/quire/render"
	"github.com/quire-reports/quire/store/storetest"
)

// refused starts the service where it must not start, and is the one line that it
// ends with.
func (p *program) refused(t *testing.T, env ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.binary, "serve", "--addr", freeAddress(t), "--data", p.dir)
	cmd.Env = append(os.Environ(), append(env, "Log__Level=error")...)
	var said, shown bytes.Buffer
	cmd.Stderr, cmd.Stdout = &said, &shown
	err := cmd.Run()
	if exit, _ := errors.AsType[*exec.ExitError](err); exit == nil || ctx.Err() != nil {
		t.Fatalf("it was not refused: %v, %s", err, &said)
	}
	line := strings.TrimSpace(said.String())
	if strings.Contains(line, "\n") || !strings.Contains(line, "Storage__Url") && !strings.Contains(line, "Storage.Url") {
		t.Errorf("it does not name the setting in one line: %s", line)
	}
	if shown.Len() > 0 { // the password of a user that nobody has
		t.Errorf("it shows %s", &shown)
	}
	return line
}

// TestWrongBucketAtFirstStart starts the program as an operator does who has named the
// wrong bucket of a real S3 server: one that is not there, and one of another
// installation. Each is refused by the setting's name before anything is written, and
// with the right bucket the first start is a whole one.
func TestWrongBucketAtFirstStart(t *testing.T) {
	if _, err := render.FindBrowser(""); err != nil {
		judges.Missing(t, "needs chromium-headless-shell or chromium")
	}
	s3 := storetest.PrivateS3(t, "right", "other", "empty")
	bucket := func(name string) string { return "Storage__Url=" + s3.Storage(name, s3.Endpoint) }
	mark := func(name string) string {
		text, err := openBucket(t, s3.Storage(name, s3.Endpoint)).ReadAll(t.Context(), "installation")
		if err != nil {
			return ""
		}
		return string(text)
	}
	objects := func(name string) int { return len(keysOf(t, openBucket(t, s3.Storage(name, s3.Endpoint)), "")) }

	other := newProgram(t)
	other.start(t, bucket("other")).stop()
	whose, before := mark("other"), objects("other")
	if whose == "" || before < 2 {
		t.Fatalf("the other installation has marked %q and has %d objects", whose, before)
	}

	p := &program{binary: other.binary, dir: t.TempDir()}
	if line := p.refused(t, bucket("nosuch")); !strings.Contains(line, "NoSuchBucket") {
		t.Errorf("a bucket that is not there: %s", line)
	}
	if line := p.refused(t, bucket("other")); !strings.Contains(line, "another installation") {
		t.Errorf("the bucket of another: %s", line)
	}
	if mark("other") != whose || objects("other") != before {
		t.Errorf("the other's bucket is marked %q and has %d objects; want %q and %d", mark("other"), objects("other"), whose, before)
	}

	r := p.start(t, bucket("right"))
	r.export(t) // the demo workspace is there, with its pictures
	r.stop()
	if mine := mark("right"); mine == "" || mine == whose {
		t.Errorf("the right bucket is marked %q, the other %q", mine, whose)
	}
	if line := p.refused(t, bucket("empty")); !strings.Contains(line, "not the one that the database was used with") {
		t.Errorf("an empty bucket later: %s", line)
	}
	if n := objects("empty"); n != 0 {
		t.Errorf("a refused bucket has %d objects", n)
	}
	p.start(t, bucket("right")).export(t)
}

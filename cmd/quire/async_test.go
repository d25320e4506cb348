package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/quire-reports/quire/store/storetest"
)

// exportStatus is what clients read of an export.
type exportStatus struct {
	Status       string
	IsReady      bool
	ErrorMessage *string
	Name         *string
	ContentSize  *int64
}

// asker sends requests with a token, and keeps no connection.
type asker struct{ url, token string }

func (a asker) do(method, path, body string) (status int, answer []byte, err error) {
	return a.doWith(method, path, body, nil)
}

// doWith is do with headers besides.
func (a asker) doWith(method, path, body string, headers map[string]string) (status int, answer []byte, err error) {
	req, err := http.NewRequest(method, a.url+"/api/v1/ws/demo"+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+a.token)
	req.Header.Set("Content-Type", "application/json")
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute}
	resp, err := client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	answer, err = io.ReadAll(resp.Body)
	return resp.StatusCode, answer, err
}

// numberOf is a member of an answer that is a number.
func numberOf(t testing.TB, answer []byte, member string) string {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal(answer, &members); err != nil || len(members[member]) == 0 {
		t.Fatalf("no %s in %s: %v", member, answer, err)
	}
	return string(members[member])
}

func (a asker) start(t testing.TB, body string) int {
	t.Helper()
	status, answer, err := a.do("POST", "/reports/invoice/export", body)
	var started struct{ TemporaryFileID int }
	if err != nil || status != 202 || json.Unmarshal(answer, &started) != nil {
		t.Fatalf("%d %s %v", status, answer, err)
	}
	return started.TemporaryFileID
}

// startMany starts exports side by side, faster than they are made, and gives them
// in the order in which they were begun.
func (a asker) startMany(t testing.TB, many int) []int {
	t.Helper()
	ids := make([]int, many)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			if status, answer, err := a.do("POST", "/reports/invoice/export", "{}"); err != nil || status != 202 {
				t.Errorf("%d %s %v", status, answer, err)
			} else {
				ids[i], _ = strconv.Atoi(numberOf(t, answer, "temporaryFileId"))
			}
		})
	}
	all.Wait()
	slices.Sort(ids)
	return ids
}

func (a asker) status(t testing.TB, id int) exportStatus {
	t.Helper()
	code, answer, err := a.do("GET", fmt.Sprintf("/exports/%d/status", id), "")
	var s exportStatus
	if err != nil || code != 200 || json.Unmarshal(answer, &s) != nil {
		t.Fatalf("export %d: %d %s %v", id, code, answer, err)
	}
	return s
}

func (a asker) ended(t testing.TB, id int) exportStatus {
	t.Helper()
	for end := time.Now().Add(90 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if s := a.status(t, id); s.Status != "InProgress" {
			return s
		}
		if time.Now().After(end) {
			t.Fatalf("export %d does not end", id)
		}
	}
}

// TestAsynchronousExports goes the way of a client, on the embedded parts and
// on those for several machines.
func TestAsynchronousExports(t *testing.T) {
	for name, env := range map[string]func(t *testing.T) []string{
		"embedded": func(*testing.T) []string { return nil },
		"shared": func(t *testing.T) []string {
			return []string{"ConnectionStrings__Database=" + storetest.Postgres(t).Database(t), "ConnectionStrings__Redis=" + storetest.Redis(t), "Storage__Url=" + storetest.S3(t)}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := startService(t, env(t)...)
			a := asker{s.url, s.token}
			plain, locked, wrong := a.start(t, "{}"), a.start(t, `{"password":"hush","format":"PDF"}`), a.start(t, `{"template":"no-such-template"}`)
			if got := a.ended(t, plain); got.Status != "Completed" || !got.IsReady || got.ContentSize == nil {
				t.Errorf("plain: %+v", got)
			}
			_, content, err := a.do("GET", fmt.Sprintf("/exports/%d/content", plain), "")
			if err != nil || !bytes.HasPrefix(content, []byte("%PDF-")) || !bytes.Contains(content[max(0, len(content)-1024):], []byte("%%EOF")) {
				t.Errorf("%d bytes, %v", len(content), err)
			}
			if got := a.ended(t, locked); got.Status != "Completed" {
				t.Errorf("with a password: %+v", got)
			}
			_, content, err = a.do("GET", fmt.Sprintf("/exports/%d/content", locked), "")
			if err != nil || !bytes.Contains(content, []byte("/Encrypt")) {
				t.Errorf("the file with a password is not encrypted: %v", err)
			}
			if got := a.ended(t, wrong); got.Status != "Failed" || got.ErrorMessage == nil || !strings.Contains(*got.ErrorMessage, "no-such-template") {
				t.Errorf("of an unknown template: %+v %v", got, got.ErrorMessage)
			}
		})
	}
}

var mostKills = flag.Int("kills", 3, "how often TestKilledInTheMiddle kills the service")

// TestKilledInTheMiddle kills the service while it works on exports. After the
// next start every one of them ends, completed or failed with a reason, and
// no content is there twice.
func TestKilledInTheMiddle(t *testing.T) {
	if testing.Short() {
		t.Skip("takes ten seconds")
	}
	startService(t) // skips without a browser
	p := newProgram(t)
	r := p.start(t)
	var ids []int
	kills, unfinished := 0, 0
	for ; kills < *mostKills || unfinished == 0 && kills < 20; kills++ {
		a := asker{r.url, p.token}
		waiting := a.startMany(t, 30)
		ids = append(ids, waiting...)
		a.ended(t, waiting[kills*7%20]) // others are being made, and some wait
		r.kill(t)
		r = p.start(t)
		for _, id := range ids {
			if (asker{r.url, p.token}).status(t, id).Status == "InProgress" {
				unfinished++
			}
		}
	}
	if unfinished == 0 {
		t.Fatal("the kills came too late to test anything")
	}
	a := asker{r.url, p.token}
	counts := map[string]int{}
	for _, id := range ids {
		s := a.ended(t, id)
		counts[s.Status]++
		if s.Status == "Failed" && (s.ErrorMessage == nil || *s.ErrorMessage == "") {
			t.Errorf("export %d failed without a reason", id)
		}
		if s.Status == "Completed" {
			code, content, err := a.do("GET", fmt.Sprintf("/exports/%d/content", id), "")
			if err != nil || code != 200 || int64(len(content)) != *s.ContentSize || !bytes.HasPrefix(content, []byte("%PDF-")) {
				t.Errorf("export %d: %d, %d bytes, %v", id, code, len(content), err)
			}
		}
	}
	t.Logf("%d exports, %d kills, found unfinished %d times: %v", len(ids), kills, unfinished, counts)
	if counts["Completed"] != len(ids) {
		t.Errorf("ended as %v", counts)
	}
}

// TestStoppedInTheMiddle stops the service as an operator does: it ends in
// time, gives back what it has not done, and the next start does it.
func TestStoppedInTheMiddle(t *testing.T) {
	startService(t) // skips without a browser
	p := newProgram(t)
	r := p.start(t)
	var ids []int
	for range 60 {
		ids = append(ids, asker{r.url, p.token}.start(t, "{}"))
	}
	begin := time.Now()
	r.stop()
	if took := time.Since(begin); took > 40*time.Second || !r.process.ProcessState.Success() {
		t.Errorf("stopping took %v and ended with %v", took, r.process.ProcessState)
	}
	r = p.start(t)
	for _, id := range ids {
		if s := (asker{r.url, p.token}).ended(t, id); s.Status != "Completed" {
			t.Errorf("export %d: %s %s", id, s.Status, deref(s.ErrorMessage))
		}
	}
}

package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// service is a running build on a folder of its own, with the demo workspace.
type service struct {
	name, dir, url, token string
	process               *exec.Cmd

	began time.Time
	idle  cost    // a second
	peak  float64 // megabytes, since it was last set to 0
}

// start starts a build, given as name=binary with settings after commas.
func start(build string) (*service, error) {
	name, rest, _ := strings.Cut(build, "=")
	binary, settings, _ := strings.Cut(rest, ",")
	dir, err := os.MkdirTemp("", "beside-*")
	if err != nil {
		return nil, err
	}
	s := &service{name: name, dir: dir}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return s, err
	}
	address := l.Addr().String()
	l.Close()
	env := append(os.Environ(), "Log__Level=error")
	if settings != "" {
		env = append(env, strings.Split(settings, ",")...)
	}
	s.url = "http://" + address
	s.process = exec.Command(binary, "serve", "--addr", address, "--data", dir)
	s.process.Env, s.process.Stderr = env, os.Stderr
	if err := s.process.Start(); err != nil {
		return s, err
	}
	if err := s.ready(); err != nil {
		return s, fmt.Errorf("%s: %w", build, err)
	}
	for _, args := range [][]string{{"workspace", "import", bundle(dir)}, {"token", "create", "--user", "root@localhost", "--name", "beside"}} {
		cmd := exec.Command(binary, append(args, "--data", dir)...)
		cmd.Env, cmd.Stderr = env, os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return s, fmt.Errorf("%s %s: %w", name, args[0], err)
		}
		s.token = strings.TrimSpace(string(out))
	}
	return s, nil
}

func (s *service) ready() error {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		resp, err := http.Get(s.url + "/readyz")
		if err != nil {
			continue
		}
		resp.Body.Close()
		if resp.StatusCode == http.StatusOK {
			return nil
		}
	}
	return fmt.Errorf("it does not get ready")
}

func (s *service) stop() {
	if s.process != nil && s.process.Process != nil {
		_ = s.process.Process.Signal(syscall.SIGTERM)
		_ = s.process.Wait()
	}
	os.RemoveAll(s.dir)
}

// make makes a document.
func (s *service) make(path string, body []byte) error {
	req, err := http.NewRequest(http.MethodPost, s.url+"/api/v1/ws/"+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	content, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d: %.300s", resp.StatusCode, content)
	}
	return err
}

// bundle writes the workspace of the tables.
func bundle(dir string) string {
	dir = filepath.Join(dir, "tables")
	for path, content := range map[string]string{
		"workspace.json":      `{"version": 1, "name": "Tables", "code": "tables", "reportTypes": [{"name": "Ledger", "code": "ledger", "defaultReport": "ledger"}]}`,
		"reports/ledger.json": ledger,
	} {
		path = filepath.Join(dir, path)
		_ = os.MkdirAll(filepath.Dir(path), 0o700)
		_ = os.WriteFile(path, []byte(content), 0o600) // what is missing, the import tells
	}
	return dir
}

package render

import (
	"os"
	"os/exec"
	"path/filepath"
)

// BrowserNames are the executables that are looked for, best first.
func BrowserNames() []string {
	return []string{"chromium-headless-shell", "headless_shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}
}

// FindBrowser returns the executable that the pool would start, or an error
// that says what was looked for.
func FindBrowser(path string) (string, error) {
	if path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return "", fail(ErrUnavailable, "there is no program %q", path)
		}
		return found, nil
	}
	for _, name := range BrowserNames() {
		if found, err := exec.LookPath(name); err == nil {
			return found, nil
		}
	}
	return "", fail(ErrUnavailable, "neither chromium-headless-shell nor chromium is on the PATH")
}

// unwrap returns the program behind a start script. Distributions put a shell
// script on the PATH; started without it the browser is our own child, so that
// the kernel ends it when we die, and starts sooner.
func unwrap(path string) string {
	if !isScript(path) {
		return path
	}
	base := filepath.Base(path)
	for _, dir := range []string{"/usr/lib/chromium", "/usr/lib64/chromium", "/usr/lib/chromium-browser", "/usr/lib64/chromium-browser"} {
		program := filepath.Join(dir, base)
		if info, err := os.Stat(program); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 && !isScript(program) {
			return program
		}
	}
	return path
}

func isScript(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var b [2]byte
	n, err := f.Read(b[:])
	return err == nil && string(b[:n]) == "#!"
}

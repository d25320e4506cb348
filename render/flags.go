package render

import (
	"path/filepath"
	"runtime"
	"strings"
)

// flags is the browser's command line.
func flags(c Config, profile string, sandboxed bool) []string {
	args := []string{
		"--headless",
		"--remote-debugging-pipe",
		"--user-data-dir=" + profile,
		"--no-first-run",
		"--no-default-browser-check",
	}
	args = append(args, quietFlags()...)
	args = append(args, offlineFlags()...)
	args = append(args, printFlags()...)
	if !sandboxed {
		args = append(args, "--no-sandbox")
	}
	if smallSharedMemory() {
		args = append(args, "--disable-dev-shm-usage")
	}
	args = append(args, c.Flags...)

	return append(args, "about:blank") // without a page of its own some browsers end with their last tab
}

// quietFlags switch off what a browser does for people.
func quietFlags() []string {
	return []string{
		"--disable-background-networking",
		"--disable-component-update",
		"--disable-component-extensions-with-background-pages",
		"--disable-client-side-phishing-detection",
		"--disable-default-apps",
		"--disable-extensions",
		"--disable-sync",
		"--disable-domain-reliability",
		"--disable-breakpad",
		"--disable-crash-reporter",
		"--no-pings",
		"--mute-audio",
		"--metrics-recording-only",
		"--password-store=basic",
		"--use-mock-keychain",
		"--disable-features=" + strings.Join([]string{
			"Translate", "MediaRouter", "OptimizationHints", "InterestFeedContentSuggestions",
			"CertificateTransparencyComponentUpdater", "AutofillServerCommunication", "DialMediaRouteProvider",
		}, ","),
	}
}

// offlineFlags keep the browser off the network even if a request got past the
// interception: no name resolves, and what needs none goes to a proxy whose
// name does not resolve.
func offlineFlags() []string {
	return []string{
		"--host-resolver-rules=MAP * ~NOTFOUND",
		"--proxy-server=" + ResourceHost + ":9",
		"--proxy-bypass-list=<-loopback>",
		"--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
	}
}

// printFlags make pages the same everywhere, and keep tabs that nobody sees at
// work.
func printFlags() []string {
	return []string{
		"--font-render-hinting=none",
		"--force-color-profile=srgb",
		"--force-device-scale-factor=1",
		"--hide-scrollbars",
		"--disable-gpu",
		"--disable-background-timer-throttling",
		"--disable-backgrounding-occluded-windows",
		"--disable-renderer-backgrounding",
		"--disable-ipc-flooding-protection",
		"--disable-hang-monitor",
		"--disable-popup-blocking",
		"--disable-prompt-on-repost",
	}
}

// canBeWindowless tells whether tabs of a browser can be such that never draw their window:
// nobody sees it, and drawing takes a quarter of what a document costs. Only the browser
// that is nothing but headless can do so, and not on macOS.
func canBeWindowless(program string) bool {
	return runtime.GOOS != "darwin" && strings.Contains(filepath.Base(program), "headless")
}

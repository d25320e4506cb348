package render

import (
	"log/slog"
	"os"
	"runtime"
	"time"
)

// Config holds the settings of a Pool. The zero value is usable: every field
// has a default.
type Config struct {
	// Path is the browser's executable. Empty means the first of BrowserNames
	// on PATH. It is looked up at every start, so that a browser installed
	// later is found.
	Path string
	// Script is the paginator bundle; without it Job.Paginate fails.
	Script []byte
	// Reader is the bundle that reads documents back; without it Pool.Read fails.
	Reader []byte
	// Tabs is how many documents are printed at the same time.
	// Default: the number of processors, at most 8.
	Tabs int
	// Browsers is the number of browser processes over which the tabs are
	// spread. Default: one for each four tabs.
	Browsers int
	// Queue is how many jobs may wait that somebody waits for. When it is full, the
	// key with most waiting gives way to others. Default: 50 for each tab.
	Queue int
	// OfKey is how many of them one key may have waiting. Default: Queue.
	OfKey int
	// Timeout limits the time of one job in the browser. Default: 2 minutes.
	Timeout time.Duration
	// Stall is for how long a document may do one thing, such as a layout, and a
	// little longer a large one; then it fails. Default: 25 seconds.
	Stall time.Duration
	// TabMemory is how many bytes the process of a tab may take; a document that
	// takes more fails. Only Linux tells. Default: 4 GB.
	TabMemory int64
	// TabsMemory is how many bytes the processes of all tabs may take together, those
	// of all browsers; of documents that take more the heaviest fails, if it takes more
	// than an equal share. Default: no limit.
	TabsMemory int64
	// StartTimeout limits the start of a browser, and how long a job waits
	// while there is none. Default: 20 seconds.
	StartTimeout time.Duration
	// HangTimeout is how long a browser may leave a question unanswered until
	// it is taken for hung and killed. Default: 10 seconds.
	HangTimeout time.Duration
	// TabUses is after how many documents a tab is renewed. Default: 500.
	TabUses int
	// TabBytes is after how many bytes of HTML and PDF a tab is renewed.
	// Default: 64 MB.
	TabBytes int64
	// BrowserUses is after how many documents a browser process is replaced.
	// Default: 20,000.
	BrowserUses int
	// ChunkPages is how many pages are printed at once. Default: 50.
	ChunkPages int
	// MemoryPart is up to how many bytes a part stays in memory instead of a
	// file. Default: 1 MB.
	MemoryPart int64
	// Dir is where the folders for profiles and spool files are made.
	// Default: the system's folder for temporary files.
	Dir string
	// FontDirs are folders of fonts for the browser besides those of the system.
	FontDirs []string
	// Fontconfig is a fontconfig file for the browser; empty means the
	// system's.
	Fontconfig string
	// Sandbox says whether the browser is run in its sandbox; also of a program
	// that root runs. Default: SandboxAuto.
	Sandbox Sandbox
	// Flags are further command line flags for the browser.
	Flags []string
	// Log takes what operators should see. Default: nothing is logged.
	Log *slog.Logger
}

func (c Config) withDefaults() Config {
	setDefault(&c.Tabs, min(runtime.GOMAXPROCS(0), 8))
	setDefault(&c.Browsers, (c.Tabs+3)/4)
	c.Browsers = min(c.Browsers, c.Tabs)
	setDefault(&c.Queue, 50*c.Tabs)
	setDefault(&c.OfKey, c.Queue)
	setDefault(&c.Timeout, 2*time.Minute)
	setDefault(&c.Stall, 25*time.Second)
	setDefault(&c.TabMemory, 4<<30)
	setDefault(&c.StartTimeout, 20*time.Second)
	setDefault(&c.HangTimeout, 10*time.Second)
	setDefault(&c.TabUses, 500)
	setDefault(&c.TabBytes, 64<<20)
	setDefault(&c.BrowserUses, 20_000)
	setDefault(&c.ChunkPages, 50)
	setDefault(&c.MemoryPart, 1<<20)
	if c.Dir == "" {
		c.Dir = os.TempDir()
	}
	if c.Sandbox == "" {
		c.Sandbox = SandboxAuto
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

func setDefault[T int | int64 | time.Duration](v *T, def T) {
	if *v <= 0 {
		*v = def
	}
}

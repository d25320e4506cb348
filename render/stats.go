package render

import (
	"errors"
	"sync/atomic"
	"time"
)

// counters are the live form of Stats.
type counters struct {
	printed, failed, busy, timedOut, crashed, retried   atomic.Int64
	pages, bytes, chunks, helped                        atomic.Int64
	tabsOpened, tabsDropped, tabsRenewed, tabsEmptied   atomic.Int64
	browserStarts, browserFailed                        atomic.Int64
	browserLost, browserRenewed                         atomic.Int64
	requests, refused, queueTime, fillTime, printedTime atomic.Int64
}

// note counts how a job ended.
func (c *counters) note(res *Result, err error) {
	if err == nil {
		c.noteResult(res)
		return
	}
	c.failed.Add(1)
	switch {
	case errors.Is(err, ErrBusy):
		c.busy.Add(1)
	case errors.Is(err, ErrTimeout):
		c.timedOut.Add(1)
	case errors.Is(err, ErrCrashed):
		c.crashed.Add(1)
	}
}

func (c *counters) noteResult(res *Result) {
	c.printed.Add(1)
	c.pages.Add(int64(len(res.Pages)))
	c.bytes.Add(res.Size())
	c.queueTime.Add(int64(res.Timings.Queue))
	c.fillTime.Add(int64(res.Timings.Fill))
	c.printedTime.Add(int64(res.Timings.Print))
}

func (c *counters) stats() Stats {
	return Stats{
		Printed: c.printed.Load(), Failed: c.failed.Load(), Busy: c.busy.Load(), TimedOut: c.timedOut.Load(),
		Crashed: c.crashed.Load(), Retried: c.retried.Load(), Pages: c.pages.Load(), Bytes: c.bytes.Load(),
		Chunks: c.chunks.Load(), Helped: c.helped.Load(),
		TabsOpened: c.tabsOpened.Load(), TabsDropped: c.tabsDropped.Load(), TabsRenewed: c.tabsRenewed.Load(), TabsEmptied: c.tabsEmptied.Load(),
		BrowserStarts: c.browserStarts.Load(), BrowserFailed: c.browserFailed.Load(),
		BrowserLost: c.browserLost.Load(), BrowserRenewed: c.browserRenewed.Load(),
		Requests: c.requests.Load(), Refused: c.refused.Load(),
		QueueTime: time.Duration(c.queueTime.Load()), FillTime: time.Duration(c.fillTime.Load()),
		PrintTime: time.Duration(c.printedTime.Load()),
	}
}

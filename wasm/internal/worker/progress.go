package worker

import (
	"time"

	"straw/wasm/protocol"
)

// progressEvery bounds how often the page hears of a request's progress.
const progressEvery = 50 * time.Millisecond

// Progress makes a function that reports progress of the call as events, now and then; the first and the last report always arrive. Total 0 is unknown.
func (c *Call) Progress(phase, unit string) func(done, total int64) {
	var last time.Time
	return func(done, total int64) {
		if t := time.Now(); done == total || t.Sub(last) >= progressEvery {
			last = t
			c.Event("progress", &protocol.Progress{Phase: phase, Done: done, Total: total, Unit: unit})
		}
	}
}

//go:build js

// Runner is the program of the worker that runs a model: the viewer's methods, load, generate and logits, and what needs chat templates: renderTemplate and examine. The
// page fetches it when someone wants one of these.
package main

import (
	"straw/wasm/internal/browser"
	"straw/wasm/internal/look"
	"straw/wasm/internal/run"
	"straw/wasm/internal/worker"
)

func main() {
	worker.Serve("runner", run.New(look.New(browser.Open)).Methods())
}

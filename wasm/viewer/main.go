//go:build js

// Viewer is the program of the worker that looks at a file. It links nothing of the engine: every visitor downloads it.
package main

import (
	"straw/wasm/internal/browser"
	"straw/wasm/internal/look"
	"straw/wasm/internal/worker"
)

func main() {
	worker.Serve("viewer", look.New(browser.Open).Methods())
}

package simd

import (
	"context"
	"syscall/js"

	kernels "straw"
	"straw/engine"
	"straw/internal/promise"
)

// Imports are the functions that a program imports from its host under the module name "straw" (web/src/kernels/host.ts).
// Only package main may import them: a program whose host does not have them does not start.
type Imports struct {
	Call Call
}

// Start asks the host to compute with a backend, "auto" for the best one, and some threads, 0 for as many as there are. It
// gives the one that computes, nil where the program has to do it alone, its name, and in words what it is and why none
// faster. From then on package straw uses the host's forms as well.
func Start(ctx context.Context, im Imports, backend string, threads int) (b engine.Backend, name, reason string, err error) {
	started, err := promise.Await(ctx, js.Global().Get("straw").Call("start", backend, threads))
	if err != nil {
		return nil, "", "", err
	}
	name, reason = started.Get("backend").String(), started.Get("reason").String()
	if name == "scalar" {
		return nil, name, reason, nil
	}
	kernels.Use(name, Forms(im.Call))
	return New(name, im.Call), name, reason, nil
}

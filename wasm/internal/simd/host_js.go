package simd

import (
	"context"
	"runtime"
	"syscall/js"
	"unsafe"

	kernels "straw"
	"straw/internal/promise"
)

// Imports are the functions that a program imports from its host under the module name "straw" (web/src/kernels/host.ts).
// Only package main may import them: a program whose host does not have them does not start.
type Imports struct {
	Call     Call
	Multiply func(job unsafe.Pointer)
	Write    func(memory, at int32, from unsafe.Pointer, n int32)
	Read     func(memory, at int32, to unsafe.Pointer, n int32)
}

// Start asks the host to compute with a backend, "auto" for the best one, and some threads, 0 for as many as there are. It
// gives the one that computes, nil where the program has to do it alone, its name, and in words what it is and why none
// faster. From then on package straw uses the host's forms as well.
func Start(ctx context.Context, im Imports, backend string, threads int) (b *Banked, name, reason string, err error) {
	host := js.Global().Get("straw")
	started, err := promise.Await(ctx, host.Call("start", backend, threads))
	if err != nil {
		return nil, "", "", err
	}
	name, reason = started.Get("backend").String(), started.Get("reason").String()
	if name == "scalar" {
		return nil, name, reason, nil
	}
	kernels.Use(name, Forms(im.Call))
	return NewBanked(New(name, im.Call), &hostBank{host, im}), name, reason, nil
}

// Run starts the host's threads. All weights must have their place.
func Run(ctx context.Context) error {
	_, err := promise.Await(ctx, js.Global().Get("straw").Call("run"))
	return err
}

// hostBank is the host's memories.
type hostBank struct {
	host js.Value
	Imports
}

func (b *hostBank) Keep(n int64) (at uint64, ok bool) {
	place := b.host.Call("keep", float64(n)).Float() // exact: below 2^53
	return uint64(max(place, 0)), place >= 0
}

func (b *hostBank) Write(at uint64, p []byte) {
	b.Imports.Write(int32(at>>32), int32(at), pointer(p), int32(len(p)))
}

func (b *hostBank) Read(at uint64, p []byte) {
	b.Imports.Read(int32(at>>32), int32(at), pointer(p), int32(len(p)))
}

func (b *hostBank) Multiply(j *Job) {
	b.Imports.Multiply(unsafe.Pointer(j))
	runtime.KeepAlive(j)
}

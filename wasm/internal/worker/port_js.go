package worker

import (
	"context"
	"syscall/js"
	"unsafe"
)

// Serve connects the program to the page that made its worker, and never returns. It sets onmessage, calls postMessage, and touches nothing else.
func Serve(program string, methods map[string]Method) {
	global := js.Global()
	breathe = newTick(global)
	w := New(context.Background(), methods, func(text []byte, values []float32) { post(global, text, values) })
	global.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		var text []byte
		var objects []any
		if message := args[0].Get("data"); message.Type() == js.TypeObject {
			text, objects = []byte(message.Get("json").String()), list(message.Get("objects"))
		}
		w.Receive(text, objects) // which says what is wrong with anything else
		return nil
	}))
	w.Ready(program)
	select {}
}

func list(objects js.Value) []any {
	if objects.Type() != js.TypeObject {
		return nil
	}
	all := make([]any, objects.Length())
	for i := range all {
		all[i] = objects.Index(i)
	}
	return all
}

// post sends a message, and the values as a Float32Array whose buffer moves to the page.
func post(global js.Value, text []byte, values []float32) {
	message := global.Get("Object").New()
	message.Set("json", string(text))
	if values == nil {
		global.Call("postMessage", message)
		return
	}
	array := global.Get("Float32Array").New(len(values))
	buffer := array.Get("buffer")
	if len(values) > 0 {
		// wasm is little endian, as is every typed array that a browser shares a machine with.
		bytes := unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), 4*len(values))
		js.CopyBytesToJS(global.Get("Uint8Array").New(buffer), bytes)
	}
	message.Set("objects", global.Get("Array").New(array))
	global.Call("postMessage", message, global.Get("Array").New(buffer))
}

// newTick makes a function that waits until the event loop came round: a message to oneself queues behind those that are waiting. A timer would wait 4 ms.
func newTick(global js.Value) func() {
	channel := global.Get("MessageChannel").New()
	here, there := channel.Get("port1"), channel.Get("port2")
	came := make(chan struct{}, 1)
	here.Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		came <- struct{}{}
		return nil
	}))
	turn := make(chan struct{}, 1) // one at a time: a message wakes one
	return func() {
		turn <- struct{}{}
		there.Call("postMessage", js.Null())
		<-came
		<-turn
	}
}

package httprange

import (
	"context"
	"errors"
	"io"
	"strings"
	"syscall/js"

	"straw/internal/promise"
)

const noContentRange = "the server does not let this page see Content-Range (it needs Access-Control-Expose-Headers: Content-Range); download the file and drop it here"

// fetchTransport sends requests by the browser's fetch, which follows redirects by itself.
type fetchTransport struct {
	global js.Value // where fetch and AbortController are
}

func newTransport() transport { return fetchTransport{js.Global()} }

func (t fetchTransport) get(ctx context.Context, address string, header map[string]string) (*response, error) {
	controller := t.global.Get("AbortController").New()
	headers := map[string]any{} // Accept-Encoding is the browser's: with Range it sends identity
	for name, value := range header {
		headers[name] = value
	}
	fetched := t.global.Call("fetch", address, map[string]any{
		"headers": headers, "signal": controller.Get("signal"), "cache": "no-store", "referrerPolicy": "no-referrer",
	})
	answer, err := promise.Await(ctx, fetched)
	if err != nil {
		controller.Call("abort")
		return nil, t.explain(address, err)
	}
	if answer.Get("redirected").Truthy() {
		address = answer.Get("url").String()
	}
	return &response{
		status: answer.Get("status").Int(),
		header: func(name string) string {
			if v := answer.Get("headers").Call("get", name); v.Type() == js.TypeString {
				return v.String()
			}
			return ""
		},
		url:  address,
		body: &streamBody{ctx: ctx, controller: controller, stream: answer.Get("body")},
	}, nil
}

// explain makes the most of what a browser tells a page: next to nothing.
func (t fetchTransport) explain(address string, err error) error {
	if _, ok := errors.AsType[*promise.Rejected](err); !ok {
		return err
	}
	u := &unreachable{dark: true, cause: err}
	page := t.global.Get("location")
	secure := page.Truthy() && page.Get("protocol").Type() == js.TypeString && page.Get("protocol").String() == "https:"
	online := t.global.Get("navigator")
	switch {
	case online.Truthy() && online.Get("onLine").Type() == js.TypeBoolean && !online.Get("onLine").Bool():
		u.reason = "this device is offline"
	case secure && strings.HasPrefix(strings.ToLower(address), "http://"):
		u.reason = "a browser does not let an https page read from an http address; use https, or download the file and drop it here"
	default:
		u.reason = "the browser got no answer that this page may read: the server cannot be reached, or it does not allow other pages to read its files (CORS); download the file and drop it here"
	}
	return u
}

// streamBody reads an answer's ReadableStream.
type streamBody struct {
	ctx        context.Context
	controller js.Value
	stream     js.Value // null when there is no body
	reader     js.Value
	chunk      js.Value // what is left of the last Uint8Array, from at on
	at         int
	done       bool
}

func (b *streamBody) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if b.done || b.stream.IsNull() || b.stream.IsUndefined() {
		return 0, io.EOF
	}
	if b.reader.IsUndefined() {
		b.reader = b.stream.Call("getReader")
	}
	for b.chunk.IsUndefined() || b.at == b.chunk.Length() {
		next, err := promise.Await(b.ctx, b.reader.Call("read"))
		if err != nil {
			return 0, err
		}
		if b.done = next.Get("done").Bool(); b.done {
			return 0, io.EOF
		}
		b.chunk, b.at = next.Get("value"), 0
	}
	n := js.CopyBytesToGo(p, b.chunk.Call("subarray", b.at))
	b.at += n
	return n, nil
}

// Close ends the transfer.
func (b *streamBody) Close() error {
	if !b.done {
		b.done = true
		b.controller.Call("abort")
	}
	return nil
}

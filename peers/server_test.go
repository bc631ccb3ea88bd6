// Package peers tests straw serve as a process with the clients that people use: OpenAI's own for Go and, in
// openai.test.mjs, for JavaScript; and with clients that mean it harm. It is a module of its own, so that the clients are
// no dependencies of the product. make test-peers builds what STRAW and THINKER name.
package peers

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// process is a straw serve with the models "demo" and "thinker".
type process struct {
	url, addr string
	cmd       *exec.Cmd
	log       bytes.Buffer
	ending    atomic.Bool // it was, or is about to be, told to end
}

func start(t *testing.T, flags ...string) *process {
	t.Helper()
	p := &process{}
	args := append([]string{"serve", "thinker=" + os.Getenv("THINKER"), "--addr", "127.0.0.1:0", "--threads", "2"}, flags...)
	p.cmd = exec.Command(os.Getenv("STRAW"), args...)
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.cmd.Stderr = &p.log
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		p.cmd.Wait()
	})
	r := bufio.NewReader(out)
	line, err := r.ReadString('\n')
	if err != nil {
		t.Fatalf("%v: %s", err, p.log.String())
	}
	p.url = strings.TrimSpace(line)
	p.addr = strings.TrimSuffix(strings.TrimPrefix(p.url, "http://"), "/")
	return p
}

// end ends the process as a system would, and wants it to end well.
func (p *process) end(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("it ended with %v: %s", err, p.log.String())
	}
}

func (p *process) post(t *testing.T, path, body string) *http.Response {
	t.Helper()
	r, err := http.Post(p.url+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Body.Close() })
	return r
}

const story = `{"model": "demo", "prompt": "Once upon a time", "max_tokens": 400, "ignore_eos": true, "stream": true}`

// A server that is told to end finishes what it is saying, and says that it takes nothing more.
func TestDrain(t *testing.T) {
	p := start(t, "demo="+os.Getenv("DEMO"), "--drain", "60s")
	r := p.post(t, "v1/completions", story) // its headers come with the first token
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r.Body)
	if err != nil || !strings.HasSuffix(string(text), "data: [DONE]\n\n") {
		t.Errorf("the stream ended with %v: %.200s", err, text[max(0, len(text)-200):])
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("it ended with %v: %s", err, p.log.String())
	}
	if _, err := net.DialTimeout("tcp", p.addr, time.Second); err == nil {
		t.Error("it still listens")
	}
}

// What takes longer than the drain ends with an error that says so.
func TestDrainEnds(t *testing.T) {
	p := start(t, "demo="+os.Getenv("DEMO"), "--drain", "0s")
	r := p.post(t, "v1/completions", story)
	p.end(t)
	text, err := io.ReadAll(r.Body)
	if err != nil || !strings.Contains(string(text), `"code":"draining"`) && !strings.HasSuffix(string(text), "[DONE]\n\n") {
		t.Errorf("the stream ended with %v: %.300s", err, text[max(0, len(text)-300):])
	}
}

// Clients that are slow, large, or talk nonsense do not keep others from being answered.
func TestHarm(t *testing.T) {
	p := start(t, "demo="+os.Getenv("DEMO"), "--parallel", "2")
	post := "POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
	for range 50 { // they send a header, or a body, a byte at a time
		for _, begin := range []string{"GET / HT", post, post + "Content-Length: 100\r\n\r\n{"} {
			c, err := net.Dial("tcp", p.addr)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			io.WriteString(c, begin)
		}
	}
	for _, tt := range []struct{ name, request, want string }{
		{"no HTTP", "\x16\x03\x01\x02\x00\x01\r\n\r\n", "HTTP/1.1 400"},
		{"no Host", "GET /health HTTP/1.1\r\n\r\n", "HTTP/1.1 400"},
		{"a large header", "GET /health HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 200<<10) + "\r\n\r\n", "HTTP/1.1 431"},
		{"two lengths", post + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", "HTTP/1.1 400"},
		{"a length and chunks", post + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "HTTP/1.1 400"},
		{"bad chunks", post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", "HTTP/1.1 400"},
		{"a large body", post + "Content-Length: 99999999999\r\n\r\n" + strings.Repeat(" ", 17<<20), "HTTP/1.1 413"},
		{"a way out", "GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "HTTP/1.1 "},
		{"a hidden way out", "GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "HTTP/1.1 "},
		{"a way out of the models", "GET /v1/models/..%2f..%2fetc%2fpasswd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", "HTTP/1.1 404"},
		{"another server", "GET http://example.com/ HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n", "HTTP/1.1 421"},
	} {
		c, err := net.Dial("tcp", p.addr)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(c, tt.request) // it may be refused before its end
		answer := make([]byte, 4096)
		n, _ := c.Read(answer)
		if got := string(answer[:n]); !strings.HasPrefix(got, tt.want) || strings.Contains(got, "root:") {
			t.Errorf("%s: %.100q", tt.name, got)
		}
		c.Close()
	}
	r := p.post(t, "v1/completions", `{"prompt": "Once", "max_tokens": 3}`)
	if r.StatusCode != 200 {
		t.Errorf("a good client is answered with %s", r.Status)
	}
	p.end(t)
	if log := p.log.String(); strings.Contains(log, "panic") || strings.Contains(log, "Once") {
		t.Errorf("the log: %s", log)
	}
}

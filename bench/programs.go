package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// program is one that holds a model and measures on demand, by the protocol of straw bench --json-lines.
type program struct {
	name   string
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Scanner
	stderr strings.Builder
}

// answer is one measurement.
type answer struct {
	PPTPS float64 `json:"pp_tps"`
	TGTPS float64 `json:"tg_tps"`
	PPCPU float64 `json:"pp_cpu_tps"`
	TGCPU float64 `json:"tg_cpu_tps"`
	Peak  int64   `json:"peak_rss"`
	Error *struct {
		Message string `json:"message"`
	} `json:"error"`
}

func start(ctx context.Context, name string, args ...string) (*program, error) {
	p := &program{name: filepath.Base(name), cmd: exec.CommandContext(ctx, name, args...)}
	// Node runs each decode on a thread of its pool. With several of them it changes the thread every token, which costs
	// llama.cpp a fifth of its speed with two threads; with one it is as fast as from C.
	p.cmd.Env = append(os.Environ(), "UV_THREADPOOL_SIZE=1")
	p.cmd.Stderr = &p.stderr
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in, p.out = in, bufio.NewScanner(out)
	return p, p.cmd.Start()
}

func startStraw(ctx context.Context, path, model string, threads, size int) (*program, error) {
	return start(ctx, path, "bench", model, "--threads", strconv.Itoa(threads), "--ctx", strconv.Itoa(size), "--json-lines")
}

// greeting is the peer's first line.
type greeting struct {
	Version string `json:"version"`
	Base    int64  `json:"base_rss"` // bytes, before the model
}

func startPeer(ctx context.Context, dir, model string, threads, size int) (*program, greeting, error) {
	var hello greeting
	if _, err := os.Stat(filepath.Join(dir, "node_modules")); err != nil {
		return nil, hello, fmt.Errorf("llama.cpp is not there: run npm ci in %s, or make bench", dir)
	}
	p, err := start(ctx, "node", filepath.Join(dir, "peer.mjs"), model, strconv.Itoa(threads), strconv.Itoa(size))
	if err != nil {
		return nil, hello, err
	}
	if err := p.read(&hello); err != nil {
		p.end()
		return nil, hello, err
	}
	return p, hello, nil
}

// measure takes one measurement.
func (p *program) measure(pp, tg int) (a answer, err error) {
	if _, err := fmt.Fprintf(p.in, `{"pp": %d, "tg": %d}`+"\n", pp, tg); err != nil {
		return a, p.failed(err)
	}
	if err := p.read(&a); err != nil {
		return a, err
	}
	if a.Error != nil {
		return a, errors.New(p.name + ": " + a.Error.Message)
	}
	return a, nil
}

func (p *program) read(v any) error {
	if !p.out.Scan() {
		err := p.out.Err()
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		return p.failed(err)
	}
	if err := json.Unmarshal(p.out.Bytes(), v); err != nil {
		return p.failed(err)
	}
	return nil
}

// failed says what the program said before it stopped answering.
func (p *program) failed(err error) error {
	p.end()
	if said := strings.TrimSpace(p.stderr.String()); said != "" {
		return fmt.Errorf("%s: %s", p.name, said)
	}
	return fmt.Errorf("%s: %w", p.name, err)
}

// end lets the program finish. Ending twice does nothing.
func (p *program) end() {
	p.in.Close()
	p.cmd.Wait()
}

package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// pty is a program on a terminal of its own.
type pty struct {
	t       *testing.T
	cmd     *exec.Cmd
	control *os.File
	before  uint32 // the terminal's mode that the program found

	mu   sync.Mutex
	seen strings.Builder
	at   int // how much of it was expected already
}

// onTerminal starts straw on a terminal.
func onTerminal(t *testing.T, env []string, args ...string) *pty {
	t.Helper()
	control, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	var n, unlock int32
	for _, c := range []struct {
		request uintptr
		value   *int32
	}{{syscall.TIOCSPTLCK, &unlock}, {syscall.TIOCGPTN, &n}} {
		if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, control.Fd(), c.request, uintptr(unsafe.Pointer(c.value))); e != 0 {
			t.Fatal(e)
		}
	}
	terminal, err := os.OpenFile("/dev/pts/"+strconv.Itoa(int(n)), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	size := [4]uint16{40, 120}
	if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, terminal.Fd(), syscall.TIOCSWINSZ, uintptr(unsafe.Pointer(&size))); e != 0 {
		t.Fatal(e)
	}
	p := &pty{t: t, control: control, cmd: exec.Command("straw", args...)}
	p.cmd.Env = append(os.Environ(), append(env, "TERM=xterm", "NO_COLOR=1")...)
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = terminal, terminal, terminal
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	p.before = p.mode()
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	terminal.Close()
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		control.Close()
	})
	go func() {
		b := make([]byte, 4096)
		for {
			n, err := control.Read(b)
			p.mu.Lock()
			p.seen.Write(b[:n])
			p.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return p
}

func (p *pty) types(s string) {
	p.t.Helper()
	if _, err := io.WriteString(p.control, s); err != nil {
		p.t.Fatal(err)
	}
}

// expects waits until the terminal shows a text, after what was expected before.
func (p *pty) expects(s string) {
	p.t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		p.mu.Lock()
		all := p.seen.String()
		p.mu.Unlock()
		if i := strings.Index(all[p.at:], s); i >= 0 {
			p.at += i + len(s)
			return
		}
		if time.Now().After(end) {
			p.t.Fatalf("the terminal does not show %q: %.2000q", s, all[p.at:])
		}
	}
}

// ends waits for the end of the program.
func (p *pty) ends(status int) {
	p.t.Helper()
	overdue := time.AfterFunc(time.Minute, func() { p.cmd.Process.Signal(syscall.SIGQUIT) }) // it tells where it hangs
	defer overdue.Stop()
	p.cmd.Wait()
	if got := p.cmd.ProcessState.ExitCode(); got != status {
		p.t.Errorf("exit status %d, want %d: %q", got, status, p.seen.String())
	}
}

// A conversation at a terminal: a paste is one turn, Tab completes, what was typed comes back in the next run, Ctrl-D leaves.
func TestTerminal(t *testing.T) {
	home := t.TempDir()
	env := []string{"XDG_STATE_HOME=" + home}
	p := onTerminal(t, env, "run", "--chat", "--temp", "0")
	p.expects("Sip Tales 3M. /help tells")
	p.expects("> ")
	p.types("\x1b[200~What is\rthe opposite of hot?\x1b[201~\r")
	p.expects("The opposite of hot is cold.")
	p.expects("> ")
	p.types("/ret\t\r")
	p.expects("The opposite of hot is cold.")
	p.expects("> ")
	p.types("\"\"\"\rWhat is the opposite of\r")
	p.expects(". ")
	p.types("hot?\"\"\"\r")
	p.expects("The opposite of hot is cold.")
	p.expects("> ")
	p.types("/foo\r")
	p.expects("there is no /foo")
	p.expects("> ")
	p.types("\x04")
	p.ends(0)

	file := filepath.Join(home, "straw", "history")
	info, err := os.Stat(file)
	if err != nil || info.Mode() != 0o600 {
		t.Fatalf("the history: %v, %v", info, err)
	}
	b, err := os.ReadFile(file)
	want := "What is␊the opposite of hot?\n/retry\n\"\"\"What is the opposite of␊hot?\"\"\"\n/foo\n"
	if err != nil || string(b) != want {
		t.Errorf("the history is %q, want %q, %v", b, want, err)
	}
	p = onTerminal(t, env, "run", "--chat", "--temp", "0", "--no-history")
	p.expects("> ")
	p.types("hello\r")
	p.expects("generated")
	p.expects("> ")
	p.types("\x04")
	p.ends(0)
	if b, _ := os.ReadFile(file); string(b) != want {
		t.Errorf("--no-history wrote %q", b)
	}
	p = onTerminal(t, env, "run", "--chat", "--temp", "0")
	p.expects("> ")
	p.types("\x1b[A\x1b[A\r")
	p.expects("The opposite of hot is cold.")
	p.expects("> ")
	p.types("\x03")
	p.expects("Ctrl-C once more leaves")
	p.types("\x03")
	p.ends(0)
}

// Ctrl-C stops an answer, and the conversation goes on; a second one leaves.
func TestInterruptedAnswer(t *testing.T) {
	env := []string{"XDG_STATE_HOME=" + t.TempDir()}
	p := onTerminal(t, env, "run", "--chat", "--ignore-eog", "--on-full", "shift", "--threads", "1")
	p.expects("> ")
	p.types("Once upon a time\r")
	p.expects("\r\n")
	time.Sleep(50 * time.Millisecond)
	p.types("\x03")
	p.expects(" · stopped")
	p.expects("> ")
	p.types("\x03") // the answer is over: it leaves as a second one within it does
	p.ends(0)
}

// SIGTERM at the prompt gives the terminal back, and the conversation is kept.
func TestTerminatedAtThePrompt(t *testing.T) {
	session := filepath.Join(t.TempDir(), "talk")
	p := onTerminal(t, []string{"XDG_STATE_HOME=" + t.TempDir()}, "run", "--chat", "--temp", "0", "--session", session)
	p.expects("> ")
	p.types("What is the opposite of hot?\r")
	p.expects("The opposite of hot is cold.")
	p.expects("> ")
	if p.mode() == p.before {
		t.Fatal("the terminal's mode is not changed for the prompt: nothing is tested")
	}
	p.cmd.Process.Signal(syscall.SIGTERM)
	p.ends(130)
	if p.mode() != p.before {
		t.Errorf("the terminal's mode is %#x, was %#x", p.mode(), p.before)
	}
	if info, err := os.Stat(session); err != nil || info.Size() == 0 {
		t.Errorf("the conversation is not kept: %v", err)
	}
}

// mode is the terminal's local modes: whether lines are edited, what is typed is shown.
func (p *pty) mode() uint32 {
	p.t.Helper()
	var m syscall.Termios
	if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, p.control.Fd(), syscall.TCGETS, uintptr(unsafe.Pointer(&m))); e != 0 {
		p.t.Fatal(e)
	}
	return m.Lflag
}

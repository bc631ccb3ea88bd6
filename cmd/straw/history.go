package main

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"
)

// historyLines is how many lines of a history are offered; the file is cut when it has twice as many.
const historyLines = 1000

// history is a file of what was typed, a line each, that its owner alone may read. Programs that run at once add to it in
// turns.
type history struct {
	path  string
	lines []string // that were there when it was opened
}

// openHistory opens the user's history, and makes it where there is none.
func openHistory() (*history, error) {
	folder, err := stateFolder()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	h := &history{path: filepath.Join(folder, "history")}
	f, err := os.OpenFile(h.path, os.O_RDONLY|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := f.Chmod(0o600); err != nil && runtime.GOOS != "windows" {
		return nil, err
	}
	b, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	all := slices.DeleteFunc(strings.Split(string(b), "\n"), func(s string) bool { return s == "" || !utf8.ValidString(s) })
	h.lines = all[max(len(all)-historyLines, 0):]
	if len(all) > 2*historyLines {
		text := strings.Join(h.lines, "\n") + "\n"
		err = writeFile(h.path, int64(len(text)), func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		})
	}
	return h, err
}

// add writes a line at the end.
func (h *history) add(line string) error {
	f, err := os.OpenFile(h.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line + "\n")
	return firstError(err, f.Close())
}

// stateFolder is where the platform keeps what a program remembers.
func stateFolder() (string, error) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		dir, err := os.UserCacheDir()
		return filepath.Join(dir, "straw"), err
	}
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "straw"), nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".local", "state", "straw"), err
}

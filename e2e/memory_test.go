//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// renderers is the memory of our browser's processes that hold pages and their workers, in bytes by process. A browser does not tell about the memory of
// WebAssembly itself, so it is read from /proc; elsewhere than on Linux the answer is empty.
func renderers() map[string]float64 {
	out := map[string]float64{}
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range lines {
		line, err := os.ReadFile(path)
		id := filepath.Base(filepath.Dir(path))
		if err != nil || !strings.Contains(string(line), "--type=renderer") || !descends(id) {
			continue
		}
		if kb, err := strconv.ParseFloat(strings.TrimSuffix(status(id, "RssAnon"), " kB"), 64); err == nil {
			out[id] = kb * 1024
		}
	}
	return out
}

// descends tells whether the test started a process.
func descends(id string) bool {
	us := strconv.Itoa(os.Getpid())
	for id != "" && id != "0" {
		if id == us {
			return true
		}
		id = status(id, "PPid")
	}
	return false
}

// status is a field of what Linux tells about a process, empty when the process has ended.
func status(id, field string) string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%s/status", id))
	if err != nil {
		return ""
	}
	_, rest, _ := strings.Cut(string(text), "\n"+field+":")
	value, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(value)
}

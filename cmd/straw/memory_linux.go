package main

import (
	"os"
	"strconv"
	"strings"
)

// peakMemory is the largest resident size of this process, in bytes.
func peakMemory() int64 { return field("/proc/self/status", "VmHWM:") }

// usedMemory is the resident size of this process, in bytes.
func usedMemory() int64 { return field("/proc/self/status", "VmRSS:") }

// availableMemory is what can be taken without swapping, in bytes, within the limit of the control
// group; 0 if the system does not tell.
func availableMemory() int64 {
	free := field("/proc/meminfo", "MemAvailable:")
	limit, err := os.ReadFile("/sys/fs/cgroup/memory.max")
	if err != nil {
		return free
	}
	max, err := strconv.ParseInt(strings.TrimSpace(string(limit)), 10, 64)
	if err != nil { // "max": no limit
		return free
	}
	used, _ := os.ReadFile("/sys/fs/cgroup/memory.current")
	if n, err := strconv.ParseInt(strings.TrimSpace(string(used)), 10, 64); err == nil {
		max -= n
	}
	return min(free, max)
}

// field reads a "Name:   123 kB" line.
func field(file, name string) int64 {
	b, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			n, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return n << 10
		}
	}
	return 0
}

//go:build !linux

package main

import "runtime"

// peakMemory is what Go has taken from the system, in bytes: the nearest to a peak that is the same
// on every system without a name for it.
func peakMemory() int64 {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return int64(s.Sys)
}

// usedMemory is what Go has and has not given back, in bytes.
func usedMemory() int64 {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return int64(s.Sys - s.HeapReleased)
}

// availableMemory is not known here.
func availableMemory() int64 { return 0 }

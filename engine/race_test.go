//go:build race

package engine_test

// raceDetector drops pooled memory at random, so that allocations cannot be counted.
const raceDetector = true

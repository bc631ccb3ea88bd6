package main

import (
	"fmt"
	"math"
	"time"
)

// pace is when a long work began.
type pace time.Time

func started() pace { return pace(time.Now()) }

// progress says how far it came, at what rate, and how long the rest will take; unit writes an amount for people.
func (p pace) progress(done, total int64, unit func(int64) string) string {
	s := share(done, total, unit)
	if rest := p.rest(done, total, unit); rest != "" {
		s += ", " + rest
	}
	return s
}

// rest is the rate and the time left, "" as long as neither can be told.
func (p pace) rest(done, total int64, unit func(int64) string) string {
	took := time.Since(time.Time(p)).Seconds()
	if done <= 0 || took <= 0 {
		return ""
	}
	rate := float64(done) / took
	left := time.Duration(float64(total-done) / rate * float64(time.Second)).Round(time.Second)
	return fmt.Sprintf("%s/s, %s left", unit(int64(rate)), left)
}

// share says how much of total is done.
func share(done, total int64, unit func(int64) string) string {
	return fmt.Sprintf("%s of %s, %d %%", unit(done), unit(total), int64(100*float64(done)/math.Max(float64(total), 1)))
}

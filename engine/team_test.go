package engine

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// Every item is done once, before each returns, and a worker's calls do not overlap, in rounds of any length.
func TestTeam(t *testing.T) {
	rounds := 4_000
	if testing.Short() {
		rounds = 1_000
	}
	for _, size := range []int{1, 2, 3, 8, 2 * maxTeam} {
		team := newTeam(size)
		counts := make([]int, 5000) // plain: the race detector watches
		busy := make([]atomic.Bool, team.size)
		total := 0
		if size > maxTeam {
			rounds = 20
		}
		for round := range rounds {
			n := []int{0, 1, 2, 3, 7, 16, 33, 64, 257, 5000}[round%10]
			if round%100 > 10 {
				n %= 100
			}
			add := round
			team.each(n, func(worker, i int) {
				if busy[worker].Swap(true) {
					t.Errorf("worker %d has two items at once", worker)
				}
				counts[i] += add
				busy[worker].Store(false)
			})
			for _, c := range counts[:n] {
				total += c
			}
			for i, c := range counts {
				if i < n && c != add || i >= n && c != 0 {
					t.Fatalf("%d workers, round %d of %d items: item %d counts %d, want %d", size, round, n, i, c, add)
				}
			}
			clear(counts)
			if round%1000 == 999 {
				time.Sleep(time.Millisecond) // the others fall asleep
			}
		}
		team.close()
	}
}

// A team without work sleeps: nothing spins.
func TestTeamSleeps(t *testing.T) {
	team := newTeam(4)
	defer team.close()
	team.each(100, func(int, int) { runtime.Gosched() })
	for _, h := range team.helpers {
		for !h.asleep.Load() {
			time.Sleep(time.Millisecond)
		}
	}
}

// A closed team's goroutines end.
func TestTeamEnds(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 10 {
		team := newTeam(5)
		team.each(50, func(int, int) {})
		team.close()
	}
	for runtime.NumGoroutine() > before {
		time.Sleep(time.Millisecond)
	}
}

// unreadable is the runtime's error for memory that cannot be read.
type unreadable struct{ error }

func (unreadable) Addr() uintptr { return 1 }

// A fault of any worker is the caller's panic once the round is over, and the team can be used again.
func TestTeamFault(t *testing.T) {
	team := newTeam(3)
	defer team.close()
	for round := range 100 {
		var done atomic.Int64
		func() {
			defer func() {
				if !isFault(recover()) {
					t.Fatal("no fault")
				}
			}()
			team.each(60, func(_, i int) {
				if done.Add(1); i == round%60 {
					panic(unreadable{errors.New("gone")})
				}
			})
		}()
		if done.Load() < 59 {
			t.Fatalf("%d of 60 items are done", done.Load())
		}
		done.Store(0)
		team.each(60, func(int, int) { done.Add(1) })
		if done.Load() != 60 {
			t.Fatalf("after a fault %d of 60 items are done", done.Load())
		}
	}
}

// BenchmarkTeam is what a round costs of 8 items that take 1.7 us each, by itself and with 5 us between rounds, as in a
// pass; the workers share nothing but the round.
func BenchmarkTeam(b *testing.B) {
	for _, size := range []int{1, 2} {
		for _, pause := range []time.Duration{0, 5 * time.Microsecond} {
			b.Run(fmt.Sprintf("workers=%d/pause=%s", size, pause), func(b *testing.B) {
				team := newTeam(size)
				defer team.close()
				results := make([]float32, 8*16) // a cache line each
				for b.Loop() {
					team.each(8, func(_, i int) {
						x := float32(i)
						for range 1 << 10 {
							x = x*0.5 + 1
						}
						results[i*16] = x
					})
					for begun := time.Now(); time.Since(begun) < pause; {
					}
				}
			})
		}
	}
}

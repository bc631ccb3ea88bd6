//go:build load

package peers

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestLoad has 32 clients ask two servers for LOAD (a duration). Some clients go away. One server is there all the time; the
// other is told to end every twentieth of LOAD, and a new one takes its place. Nothing may be lost: what a server has
// accepted is answered to its end, who is turned away asks again, and each server tells of as many answers as were heard.
// It prints what could grow of the server that stays, once its caches are full and at the end:
//
//	LOAD=10m go test -tags load -run Load -timeout 0 -v server_test.go load_test.go
//
// STRAW, DEMO and THINKER are as for make test-peers.
func TestLoad(t *testing.T) {
	length, err := time.ParseDuration(os.Getenv("LOAD"))
	if err != nil {
		t.Fatal(err)
	}
	// As programs that ask often have it: connections are kept.
	http.DefaultTransport.(*http.Transport).MaxIdleConnsPerHost = 32
	flags := []string{"demo=" + os.Getenv("DEMO"), "--cache-bytes", "64M", "--queue", "12", "--drain", "10m"}
	l := &load{stays: start(t, flags...), heard: map[*process]map[int]int{}}
	l.comes.Store(start(t, flags...))
	l.run(t, length/5)
	http.DefaultClient.CloseIdleConnections()
	time.Sleep(time.Second)
	t.Logf("at first:   %s of %s", l.stays.facts(t), l.stays.url)
	over := make(chan bool)
	go stopped(t, over)
	var restarts sync.WaitGroup
	restarts.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-over:
				t.Logf("%d restarts", n)
				return
			case <-time.After(length / 20):
				p := l.comes.Load()
				p.ending.Store(true)
				p.end(t)
				l.comes.Store(start(t, flags...))
			}
		}
	})
	l.run(t, length-length/5)
	close(over)
	restarts.Wait()
	http.DefaultClient.CloseIdleConnections()
	time.Sleep(time.Second)
	t.Logf("at the end: %s", l.stays.facts(t))
	l.stays.end(t)
	l.comes.Load().end(t)
	for p, heard := range l.heard {
		if told := p.answers(t); !maps.Equal(told, heard) {
			t.Errorf("answers by status: a server tells of %v, its clients of %v", told, heard)
		}
	}
	t.Logf("%d answered whole, %d left, %d told to come back, %d turned away by a server that ends", l.answered, l.left, l.busy, l.turned)
}

// load is what 32 clients of two servers come to.
type load struct {
	stays *process
	comes atomic.Pointer[process]

	mu                           sync.Mutex
	heard                        map[*process]map[int]int // answers by status
	answered, left, busy, turned int
}

// run has the clients ask for d.
func (l *load) run(t *testing.T, d time.Duration) {
	end := time.Now().Add(d)
	var all sync.WaitGroup
	for client := range 32 {
		all.Go(func() {
			for i := 0; time.Now().Before(end); i++ {
				for p := l.comes.Load(); !l.asked(t, p, client, i); p = l.stays {
				}
				l.asked(t, l.stays, client, i)
			}
		})
	}
	all.Wait()
}

// asked has a client ask for its request i. It is false if the server ends and did not take it.
func (l *load) asked(t *testing.T, p *process, client, i int) bool {
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	model := []string{"demo", "demo", "thinker"}[i%3]
	text, status := ask(ctx, p, fmt.Sprintf(`{"model": %q, "messages": [{"role": "user", "content": "Tell story %d of client %d"}], "max_tokens": %d, "seed": %d, "stream": true}`,
		model, i%5, client, 5+i%60, i), func(n int) {
		if (client+i)%7 == 0 && n > 3 {
			leave()
		}
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	if status != 0 {
		if l.heard[p] == nil {
			l.heard[p] = map[int]int{}
		}
		l.heard[p][status]++
	}
	switch {
	case ctx.Err() != nil:
		l.left++
	case status == http.StatusTooManyRequests:
		l.busy++
	case p.ending.Load() && (status == 0 || status == http.StatusServiceUnavailable):
		l.turned++
		return false
	case status != http.StatusOK || !strings.HasSuffix(text, "[DONE]\n\n"):
		t.Errorf("client %d, request %d of %s: %d %.300s", client, i, p.url, status, text)
	default:
		l.answered++
	}
	return true
}

// stopped tells at the end how long all stood still because others measured: connections may go stale then.
func stopped(t *testing.T, over chan bool) {
	const tick = 100 * time.Millisecond
	var all, longest time.Duration
	for last := time.Now(); ; last = time.Now() {
		select {
		case <-over:
			t.Logf("stopped for %v, at most %v at once", all.Round(time.Second), longest.Round(time.Second))
			return
		case <-time.After(tick):
			if gap := time.Since(last) - tick; gap > time.Second {
				all, longest = all+gap, max(longest, gap)
			}
		}
	}
}

// answers are how many chats a server that has ended tells of, by status.
func (p *process) answers(t *testing.T) map[int]int {
	told := map[int]int{}
	for line := range strings.Lines(p.log.String()) {
		var entry struct {
			Path   string
			Status int
		}
		if strings.HasPrefix(line, "this straw was built without the page") {
			continue
		}
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Errorf("in a server's log: %s", line)
		}
		if entry.Path == "/v1/chat/completions" {
			told[entry.Status]++
		}
	}
	return told
}

// ask posts a chat and calls each with the number of reads so far.
func ask(ctx context.Context, p *process, body string, each func(n int)) (text string, status int) {
	r, _ := http.NewRequestWithContext(ctx, "POST", p.url+"v1/chat/completions", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err.Error(), 0
	}
	defer answer.Body.Close()
	var b bytes.Buffer
	piece := make([]byte, 4096)
	for n := 1; ; n++ {
		k, err := answer.Body.Read(piece)
		b.Write(piece[:k])
		each(n)
		if err != nil {
			return b.String(), answer.StatusCode
		}
	}
}

// facts are what of a process could grow.
func (p *process) facts(t *testing.T) string {
	r, err := http.Get(p.url + "metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	page, _ := io.ReadAll(r.Body)
	var out []string
	for line := range strings.SplitSeq(string(page), "\n") {
		for _, name := range []string{"straw_goroutines ", "straw_heap_bytes ", "straw_cache_bytes", "straw_requests_active "} {
			if strings.HasPrefix(line, name) {
				out = append(out, line)
			}
		}
	}
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	for line := range strings.SplitSeq(string(status), "\n") {
		if strings.HasPrefix(line, "VmRSS") {
			out = append(out, strings.Join(strings.Fields(line), " "))
		}
	}
	return strings.Join(out, ", ")
}

// TestThroughput prints tokens a second of 8 chats at once and of 1, in turns, and the time to the first token of a chat
// alone and of one that comes while 8 others write; no two prompts are the same:
//
//	MODEL=model.gguf go test -tags load -run Throughput -v server_test.go load_test.go
func TestThroughput(t *testing.T) {
	p := start(t, "m="+os.Getenv("MODEL"), "--quiet", "--parallel", "9", "--ctx", "512")
	const rounds, tokens = 5, 64
	number := 0
	chats := func(n int, first func()) float64 {
		begin := time.Now()
		var all sync.WaitGroup
		var once sync.Once
		for range n {
			number++
			body := fmt.Sprintf(`{"model": "m", "messages": [{"role": "user", "content": "Tell me story %d"}], "max_tokens": %d, "ignore_eos": true, "stream": true}`, number, tokens)
			all.Go(func() {
				if text, status := ask(t.Context(), p, body, func(int) { once.Do(first) }); status != 200 {
					t.Error(text)
				}
			})
		}
		all.Wait()
		return float64(n*tokens) / time.Since(begin).Seconds()
	}
	first := func() (took time.Duration) {
		begin := time.Now()
		number++
		ask(t.Context(), p, fmt.Sprintf(`{"model": "m", "messages": [{"role": "user", "content": "Hello %d"}], "max_tokens": 1, "stream": true}`, number), func(n int) {
			if n == 1 {
				took = time.Since(begin)
			}
		})
		return took
	}
	nothing := func() {}
	chats(1, nothing)
	var ones, eights, ratios []float64
	var alone, beside []time.Duration
	for range rounds {
		one := chats(1, nothing)
		alone = append(alone, first())
		var ninth sync.WaitGroup
		eight := chats(8, nothing)
		chats(8, func() { ninth.Go(func() { beside = append(beside, first()) }) })
		ninth.Wait()
		ones, eights, ratios = append(ones, one), append(eights, eight), append(ratios, eight/one)
		t.Logf("1: %.1f tokens/s, 8: %.1f tokens/s, ratio %.2f; first token alone %v, beside 8 %v", one, eight, eight/one, alone[len(alone)-1], beside[len(beside)-1])
	}
	t.Logf("medians: 1: %.1f, 8: %.1f, ratio %.2f; first token alone %v, beside 8 %v", middle(ones), middle(eights), middle(ratios), middle(alone), middle(beside))
}

// middle is the median of an odd number of values.
func middle[T cmp.Ordered](values []T) T {
	slices.Sort(values)
	return values[len(values)/2]
}

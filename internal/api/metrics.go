package api

import (
	"fmt"
	"math"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// serverMetrics counts requests, for Prometheus.
type serverMetrics struct {
	active atomic.Int64
	mu     sync.Mutex
	total  map[string]int64 // by labels
	first  histogram        // until the first token
	took   histogram        // requests that generated
}

// seconds are the upper bounds of the histograms' buckets.
var seconds = []float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60, 180, 600}

type histogram struct {
	counts []int64 // of the buckets alone, the last without a bound
	sum    float64
}

func (h *histogram) add(d time.Duration) {
	if h.counts == nil {
		h.counts = make([]int64, len(seconds)+1)
	}
	i, _ := slices.BinarySearch(seconds, d.Seconds())
	h.counts[i]++
	h.sum += d.Seconds()
}

// request counts one that is over.
func (m *serverMetrics) request(c *call, status int, took time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.total == nil {
		m.total = map[string]int64{}
	}
	m.total[fmt.Sprintf("path=%q,code=\"%d\"", c.path, status)]++
	if c.first > 0 {
		m.first.add(c.first)
		m.took.add(took)
	}
}

// page is the text of a scrape.
type page struct{ strings.Builder }

// head begins a metric.
func (p *page) head(name, kind, help string) {
	fmt.Fprintf(p, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

func (p *page) one(name, labels string, v float64) {
	if labels != "" {
		labels = "{" + labels + "}"
	}
	fmt.Fprintf(p, "%s%s %s\n", name, labels, strconv.FormatFloat(v, 'g', -1, 64))
}

func (p *page) histogram(name, help string, h *histogram) {
	p.head(name, "histogram", help)
	n := int64(0)
	for i, bound := range append(slices.Clone(seconds), math.Inf(1)) {
		if h.counts != nil {
			n += h.counts[i]
		}
		p.one(name+"_bucket", `le="`+strconv.FormatFloat(bound, 'g', -1, 64)+`"`, float64(n))
	}
	p.one(name+"_sum", "", h.sum)
	p.one(name+"_count", "", float64(n))
}

// writeMetrics answers a scrape.
func (s *Server) writeMetrics(c *call) error {
	p := &page{}
	s.mu.RLock()
	models, ready := s.models, s.ready && !s.draining.Load()
	s.mu.RUnlock()
	p.head("straw_ready", "gauge", "Whether new requests are taken.")
	p.one("straw_ready", "", flag(ready))
	p.head("straw_requests_active", "gauge", "Requests being answered.")
	p.one("straw_requests_active", "", float64(s.metrics.active.Load()))

	s.metrics.mu.Lock()
	p.head("straw_requests_total", "counter", "Requests answered, by path and status.")
	labels := make([]string, 0, len(s.metrics.total))
	for l := range s.metrics.total {
		labels = append(labels, l)
	}
	slices.Sort(labels)
	for _, l := range labels {
		p.one("straw_requests_total", l, float64(s.metrics.total[l]))
	}
	p.histogram("straw_first_token_seconds", "From a request to its first token.", &s.metrics.first)
	p.histogram("straw_request_seconds", "Requests that generated.", &s.metrics.took)
	s.metrics.mu.Unlock()

	for _, m := range poolMetrics {
		p.head(m.name, m.kind, m.help)
		for _, model := range models {
			p.one(m.name, fmt.Sprintf("model=%q", model.Name), m.of(model))
		}
	}
	p.head("straw_uptime_seconds", "counter", "Since the server began.")
	p.one("straw_uptime_seconds", "", time.Since(s.began).Seconds())
	p.head("straw_goroutines", "gauge", "Goroutines of the process.")
	p.one("straw_goroutines", "", float64(runtime.NumGoroutine()))
	p.head("straw_heap_bytes", "gauge", "Live objects of Go's heap; weights lie outside of it.")
	// Package runtime/metrics would tell it too, at the cost of a table that every start of the program makes.
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	p.one("straw_heap_bytes", "", float64(memory.HeapAlloc))
	c.w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	c.w.WriteHeader(http.StatusOK)
	_, err := c.w.Write([]byte(p.String()))
	return err
}

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// poolMetrics are those of each model.
var poolMetrics = []struct {
	name, kind, help string
	of               func(*Model) float64
}{
	{"straw_slots_active", "gauge", "Generations at work.", func(m *Model) float64 { return float64(m.Pool.Stats().Active) }},
	{"straw_slots_waiting", "gauge", "Requests that wait for their turn.", func(m *Model) float64 { return float64(m.Pool.Stats().Waiting) }},
	{"straw_prompt_tokens_total", "counter", "Tokens of prompts that were evaluated.", func(m *Model) float64 { return float64(m.Pool.Stats().PromptTokens) }},
	{"straw_cached_tokens_total", "counter", "Tokens of prompts that were there from earlier requests.", func(m *Model) float64 { return float64(m.Pool.Stats().CachedTokens) }},
	{"straw_generated_tokens_total", "counter", "Tokens generated.", func(m *Model) float64 { return float64(m.Pool.Stats().GeneratedTokens) }},
	{"straw_passes_total", "counter", "Passes over the weights.", func(m *Model) float64 { return float64(m.Pool.Stats().Passes) }},
	{"straw_pass_tokens_total", "counter", "Tokens that these passes were for.", func(m *Model) float64 { return float64(m.Pool.Stats().PassTokens) }},
	{"straw_cache_bytes", "gauge", "Keys and values kept for prompts that begin alike.", func(m *Model) float64 { return float64(m.Pool.Stats().IdleBytes) }},
	{"straw_cache_timelines", "gauge", "Timelines these are of.", func(m *Model) float64 { return float64(m.Pool.Stats().Idle) }},
}

// pace is how long generations take lately.
type pace struct{ mean atomic.Int64 } // nanoseconds

func (p *pace) add(d time.Duration) {
	old := p.mean.Load()
	p.mean.Store(old + (int64(d)-old)/8) // a lost update is no loss
}

// wait is after how many seconds to ask again, given the requests that wait for each at work: 1 to 60.
func (p *pace) wait(queue float64) int {
	return int(min(max(math.Ceil(time.Duration(p.mean.Load()).Seconds()*queue), 1), 60))
}

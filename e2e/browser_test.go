//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"straw/internal/pageserver"
)

const dist = "../web/dist"

// browser is the one Chromium of all tests; site serves the page and pages of the tests' own.
var (
	browser context.Context
	site    string
)

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	for _, f := range []string{"index.html", "straw.js", "viewer.wasm", "runner.wasm"} {
		if _, err := os.Stat(dist + "/" + f); err != nil {
			fmt.Fprintf(os.Stderr, "%v\nthe page is not built: make page\n", err)
			return 1
		}
	}
	path, err := chromium()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	server := httptest.NewServer(handler())
	defer server.Close()
	site = server.URL

	allocator, stop := chromedp.NewExecAllocator(context.Background(), flags(path)...)
	defer stop()
	var cancel context.CancelFunc
	browser, cancel = chromedp.NewContext(allocator)
	defer cancel()
	if err := chromedp.Do(browser); err != nil {
		fmt.Fprintf(os.Stderr, "%s does not start: %v\n", path, err)
		return 1
	}
	return m.Run()
}

// flags are how a Chromium is started.
func flags(path string) []chromedp.ExecAllocatorOption {
	return append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.NoSandbox,
		chromedp.DisableGPU,
		chromedp.Flag("disable-component-update", true),
		chromedp.WindowSize(1280, 900),
	)
}

func chromium() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no Chromium on the PATH (chromium, google-chrome): make chromium")
}

// handler serves what `straw serve` would, and at /test/ pages of the tests, which are not cross-origin isolated, as most sites are not.
func handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", pageserver.New(os.DirFS(dist)))
	mux.HandleFunc("GET /test/embed.html", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, embedPage)
	})
	return mux
}

// tab is one page of the browser. When the test ends it must have left nothing on the console.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	expected []string
}

// open opens url (of the site, when it begins with a slash) in a tab of its own, with a browser context of its own.
func open(t *testing.T, url string) *tab {
	t.Helper()
	return openIn(t, browser, url)
}

func openIn(t *testing.T, browser context.Context, url string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	ctx, stop := context.WithTimeout(ctx, 2*time.Minute)
	p := &tab{t: t, ctx: ctx}
	console := chromedp.Console(ctx)
	var said []chromedp.ConsoleMessage
	read := make(chan struct{})
	go func() {
		defer close(read)
		for m, err := range console {
			if err != nil {
				return
			}
			said = append(said, m)
		}
	}()
	t.Cleanup(func() {
		stop()
		cancel()
		<-read
		for _, m := range said {
			if (m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleWarning || m.IsException()) && !p.expects(m.Text) {
				t.Errorf("console: %s (%s:%d)", m, m.URL, m.Line+1)
			}
		}
	})
	if strings.HasPrefix(url, "/") {
		url = site + url
	}
	p.do(chromedp.Navigate(url))
	return p
}

// expect allows console messages with this text, such as the browser's own about a failed request.
func (p *tab) expect(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.expected = append(p.expected, text)
}

func (p *tab) expects(text string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.expected {
		if strings.Contains(text, e) {
			return true
		}
	}
	return false
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, steps...); err != nil {
		p.t.Fatal(err)
	}
}

// eval gives the value of a JavaScript expression; a promise is awaited.
func eval[T any](p *tab, expression string) T {
	p.t.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%v\nin %.200s", err, expression)
	}
	return v
}

// patience is the least that anything is waited for: on a machine of two cores with other work a moment may take long.
const patience = 40 * time.Second

// until waits until a JavaScript expression is true.
func (p *tab) until(expression string, within time.Duration) {
	p.t.Helper()
	within = max(within, patience)
	_, err := chromedp.Run(p.ctx, chromedp.Poll[bool](expression, chromedp.WithPollingInterval(20*time.Millisecond), chromedp.WithPollingTimeout(within)))
	if err != nil {
		state := eval[string](p, `document.body.innerText.slice(0, 1500)`)
		p.t.Fatalf("not within %v: %s: %v\nthe page says:\n%s", within, expression, err, state)
	}
}

// state waits for the page's state.
func (p *tab) state(name string) {
	p.t.Helper()
	p.until(fmt.Sprintf(`document.body.dataset.state === %q`, name), 10*time.Second)
}

func (p *tab) click(selector string) { p.t.Helper(); p.do(chromedp.Click(selector)) }

// text is what the first match of a selector shows.
func (p *tab) text(selector string) string {
	p.t.Helper()
	return eval[string](p, fmt.Sprintf(`document.querySelector(%q)?.textContent ?? ""`, selector))
}

// pick gives files to the page's file picker.
func (p *tab) pick(paths ...string) {
	p.t.Helper()
	p.do(chromedp.SetUploadFiles("#file", paths, chromedp.NodeReady))
}

// look sets the size of the window and the colour scheme.
func (p *tab) look(width int64, scheme string) {
	p.t.Helper()
	p.do(chromedp.EmulateViewport(width, 900))
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	if err != nil {
		p.t.Fatal(err)
	}
}

// enter replaces what an input holds, as typing would.
func (p *tab) enter(selector, value string) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`(() => {
		const e = document.querySelector(%q);
		e.value = %q;
		return e.dispatchEvent(new Event("input", { bubbles: true }));
	})()`, selector, value))
}

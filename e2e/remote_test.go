//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// elsewhere is a server with OpenAI's API that answers every chat alike, and keeps what it was sent.
type elsewhere struct {
	mu   sync.Mutex
	sent []string
}

func (e *elsewhere) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	w.Header().Set("Access-Control-Allow-Headers", "*")
	w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
	if r.Method == http.MethodOptions {
		return
	}
	var asked struct {
		Model    string
		Messages []struct{ Role, Content string }
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	e.mu.Lock()
	e.sent = append(e.sent, fmt.Sprint(r.URL.Path, " ", r.Header.Get("Authorization"), " ", asked.Model, " ", asked.Messages))
	e.mu.Unlock()
	if asked.Model == "none" {
		http.Error(w, "there is no such model", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, data := range []string{
		`{"choices":[{"delta":{"role":"assistant","reasoning_content":"Far away."}}]}`,
		`{"choices":[{"delta":{"content":"It is **th"}}]}`, `{"choices":[{"delta":{"content":"ree**."},"finish_reason":"stop"}]}`,
		`{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":5}}`, `[DONE]`,
	} {
		fmt.Fprintf(w, "data: %s\n\n", data)
		w.(http.Flusher).Flush()
	}
}

func (e *elsewhere) requests() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string{}, e.sent...)
}

// TestElsewhere: the chat talks to another machine after a person agreed to it, and to no other than that.
func TestElsewhere(t *testing.T) {
	var there elsewhere
	server := httptest.NewServer(&there)
	defer server.Close()
	p := open(t, "/#run")
	p.pick(writer(t))
	p.state("open")
	p.click("#elsewhere")
	p.enter("#endpoint", server.URL+"/v1/")
	p.enter("#endpoint-key", "secret")
	p.say("Not yet.", 1) // not agreed to: answered here
	if got := there.requests(); len(got) != 0 {
		t.Fatalf("sent before it was agreed to: %q", got)
	}
	p.click("#new-chat")
	p.click("#endpoint-agreed")
	if got := p.text("#leaving"); !strings.Contains(got, strings.TrimPrefix(server.URL, "http://")) {
		t.Errorf("above the message it says %q", got)
	}
	p.enter("#prompt", "")
	p.say("What is 1 + 2?", 1)
	if got := p.text("#story"); got != "It is three." {
		t.Errorf("the answer is %q", got)
	}
	if got := p.text("#thought bdi"); got != "Far away." {
		t.Errorf("the thought is %q", got)
	}
	if got := p.text("#speed"); !strings.Contains(got, "5 tokens") {
		t.Errorf("the account is %q", got)
	}
	if got := there.requests(); len(got) != 1 || got[0] != "/v1/chat/completions Bearer secret  [{user What is 1 + 2?}]" {
		t.Errorf("it was sent %q", got)
	}
	shot(p, "elsewhere")

	p.expect("404")
	p.enter("#endpoint-model", "none")
	p.do(chromedp.SendKeys("#prompt", "And now?\r"))
	p.until(`document.querySelector("#run-panel [role=alert]")?.textContent.includes("no such model")`, long)
	p.enter("#endpoint", server.URL+"/other") // another address has to be agreed to again
	p.until(`document.querySelector("#leaving") === null && !document.querySelector("#endpoint-agreed").checked`, long)
	if eval[bool](p, `Object.values(localStorage).some((v) => v.includes("secret"))`) {
		t.Error("the key is kept")
	}
}

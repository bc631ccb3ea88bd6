package house

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// table says which packages of ours a package may import; imports run downward only. A name that ends in "/..." stands
// for every package below it, and a package's row is the one with the longest matching name. "*" allows all of ours.
var table = map[string][]string{
	"straw":                     {},
	"straw/quant":               {"straw"},
	"straw/gguf":                {"straw/quant", "straw/internal/pages"},
	"straw/tokenizer":           {},
	"straw/chat":                {},
	"straw/chat/...":            {},
	"straw/engine/arch":         {},
	"straw/engine":              {"straw", "straw/quant", "straw/engine/arch", "straw/engine/plan", "straw/internal/pages"},
	"straw/engine/...":          {"straw", "straw/quant", "straw/engine"},
	"straw/engine/plan":         {},
	"straw/engine/sample":       {"straw"},
	"straw/engine/grammar":      {},
	"straw/web":                 {},
	"straw/wasm/protocol":       {},
	"straw/wasm/...":            {"*"},
	"straw/wasm/emit":           {},
	"straw/wasm/kernels":        {},
	"straw/wasm/kernels/...":    {"straw/wasm/emit"},
	"straw/cmd/...":             {"*"},
	"straw/e2e":                 {"*"},
	"straw/bench":               {"straw", "straw/gguf", "straw/quant", "straw/internal/quantize", "straw/internal/term"},
	"straw/internal/house":      {},
	"straw/internal/demo":       {},
	"straw/internal/scripted":   {"straw/gguf", "straw/quant"},
	"straw/internal/doctor":     {"straw/gguf", "straw/tokenizer", "straw/chat"},
	"straw/internal/term":       {},
	"straw/internal/readahead":  {},
	"straw/internal/promise":    {},
	"straw/internal/httprange":  {"straw/internal/readahead", "straw/internal/promise"},
	"straw/internal/blobfs":     {"straw/internal/readahead", "straw/internal/promise"},
	"straw/internal/pages":      {},
	"straw/internal/pageserver": {},
	"straw/internal/api":        {"straw/internal/session", "straw/internal/pageserver", "straw/tokenizer", "straw/chat", "straw/chat/reply", "straw/engine", "straw/engine/sample", "straw/engine/grammar"},
	"straw/internal/source":     {"straw/internal/httprange", "straw/internal/pages"},
	"straw/internal/source/...": {"straw/internal/source"},
	"straw/internal/durable":    {},
	"straw/internal/hub":        {"straw/gguf", "straw/internal/durable"},
	"straw/internal/hub/...":    {},
	"straw/internal/inspect":    {"straw/gguf", "straw/quant"},
	"straw/internal/quantize":   {"straw/gguf", "straw/quant", "straw"},
	"straw/internal/values":     {"straw/gguf", "straw/quant"},
	"straw/internal/stats":      {"straw/gguf", "straw/internal/values"},
	"straw/internal/digest":     {"straw/gguf"},
	"straw/internal/edit":       {"straw/gguf"},
	"straw/internal/compare":    {"straw/gguf", "straw/quant", "straw/internal/values"},
	"straw/internal/session":    {"straw/gguf", "straw/quant", "straw/tokenizer", "straw/chat", "straw/chat/reply", "straw/engine", "straw/engine/sample", "straw/engine/grammar", "straw"},
	"straw/internal/tools/...":  {"*"},
}

// platform rows name packages of the standard library that only some of ours may import directly.
var platform = map[string][]string{
	"syscall/js": {"straw/wasm/...", "straw/internal/promise", "straw/internal/httprange", "straw/internal/blobfs"},
	"os":         {"straw/cmd/...", "straw/bench", "straw/internal/source", "straw/internal/hub", "straw/internal/durable", "straw/internal/tools/...", "straw/internal/term", "straw/wasm/kernels/generate"},
	"net/http":   {"straw/cmd/...", "straw/internal/httprange", "straw/internal/hub", "straw/internal/hub/...", "straw/internal/pageserver", "straw/internal/api"},
	"regexp":     {},
	"math/rand":  {}, "math/rand/v2": {},
	"text/template": {}, "html/template": {},
}

type listed struct {
	ImportPath string
	Imports    []string
}

func list(t *testing.T, env ...string) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Imports", "-tags", "page,e2e", "straw/...")
	cmd.Env = append(cmd.Environ(), env...)
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

func matches(pattern, pkg string) bool {
	below, ok := strings.CutSuffix(pattern, "/...")
	return pattern == "*" || pattern == pkg || ok && strings.HasPrefix(pkg, below+"/")
}

// row is the table's row of a package: the most exact name wins.
func row(pkg string) (allowed []string, ok bool) {
	best := -1
	for name, a := range table {
		if n := len(strings.TrimSuffix(name, "...")); matches(name, pkg) && n > best {
			best, allowed, ok = n, a, true
		}
	}
	return allowed, ok
}

func ours(pkg string) bool { return pkg == "straw" || strings.HasPrefix(pkg, "straw/") }

func TestImports(t *testing.T) {
	packages := append(list(t), list(t, "GOOS=js", "GOARCH=wasm")...)
	if len(packages) < 2 {
		t.Fatal("go list found no packages")
	}
	for _, p := range packages {
		allowed, ok := row(p.ImportPath)
		if !ok {
			t.Errorf("%s has no row in the table", p.ImportPath)
			continue
		}
		for _, imp := range p.Imports {
			fits := func(pattern string) bool { return matches(pattern, imp) }
			if ours(imp) && !slices.ContainsFunc(allowed, fits) {
				t.Errorf("%s imports %s; it may import %v", p.ImportPath, imp, allowed)
			}
			users, limited := platform[imp]
			if limited && !slices.ContainsFunc(users, func(pattern string) bool { return matches(pattern, p.ImportPath) }) {
				t.Errorf("%s imports %s; only %v may", p.ImportPath, imp, users)
			}
		}
	}
}

// TestTableIsLive fails when a row outlives its package.
func TestTableIsLive(t *testing.T) {
	packages := append(list(t), list(t, "GOOS=js", "GOARCH=wasm")...)
	for name := range table {
		if !slices.ContainsFunc(packages, func(p listed) bool { return matches(name, p.ImportPath) }) {
			t.Errorf("the table has a row for %s, which has no package", name)
		}
	}
}

// TestViewerStaysSmall: what the page downloads to look at a file links none of these; each costs every visitor.
func TestViewerStaysSmall(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "straw/wasm/viewer")
	cmd.Env = append(cmd.Environ(), "GOOS=js", "GOARCH=wasm")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list -deps: %v", err)
	}
	deps := strings.Fields(string(out))
	for _, heavy := range []string{"net/http", "regexp", "text/template", "github.com/klauspost/cpuid/v2", "straw/engine"} {
		if slices.Contains(deps, heavy) {
			t.Errorf("the viewer links %s", heavy)
		}
	}
}

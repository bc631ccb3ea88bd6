//go:build e2e

package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestKernels runs the tests of straw/wasm/internal/simd, which compare every kernel's bits with the portable code's, in
// Chromium: its instructions are not those of Node's older V8.
func TestKernels(t *testing.T) {
	program := filepath.Join(t.TempDir(), "simd.wasm")
	build := exec.Command("go", "test", "-c", "-o", program, "straw/wasm/internal/simd")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, testPage)
	})
	mux.HandleFunc("GET /wasm_exec.js", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"))
	})
	mux.HandleFunc("GET /program.wasm", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, program) })
	server := httptest.NewServer(mux)
	defer server.Close()

	p := open(t, server.URL)
	p.expect("Go program has already exited") // of a timer that nobody waits for any more
	p.until("window.code !== undefined", 90*time.Second)
	said := eval[string](p, "document.body.innerText")
	if code := eval[int](p, "window.code"); code != 0 || !strings.Contains(said, "PASS: TestMul/simd") {
		t.Errorf("exit code %d\n%s", code, said)
	}
	// A processor with AVX-VNNI, of which Chromium knows, has the third kind of modules.
	if cpu, _ := os.ReadFile("/proc/cpuinfo"); runtime.GOARCH == "amd64" && strings.Contains(string(cpu), " avx_vnni") && !strings.Contains(said, "PASS: TestMul/dot") {
		t.Errorf("the module dot was not tested\n%s", said)
	}
}

// testPage runs program.wasm, a test program of Go, and shows what it says.
const testPage = `<!doctype html>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<pre></pre>
<script src="wasm_exec.js"></script>
<script type="module">
const go = new Go();
go.argv = ["program", "-test.v"];
go.exit = (code) => { window.code = code; };
console.log = (line) => document.querySelector("pre").append(line, "\n");
try {
	const { instance } = await WebAssembly.instantiateStreaming(fetch("program.wasm"), go.importObject);
	globalThis.goMemory = instance.exports.mem;
	await go.run(instance);
} catch (e) {
	console.log(String(e));
	window.code ??= -1;
}
</script>
`

// Command buildweb makes web/dist: it bundles the TypeScript of web/src, copies the page's files, the Go programs it is
// given and the demo model beside them, writes a .br and a .gz of each, prints what the page weighs and fails when that is
// over the budgets of the design.
//
//	go run ./internal/tools/buildweb -viewer bin/viewer.wasm -runner bin/runner.wasm -kernels wasm/kernels -demo internal/demo/sip-tales-3m-Q8_0.gguf
//
// With -tests it bundles web/test/*.test.ts for `node --test` instead and writes nothing else.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
)

// options are the command line: paths of what goes into dist, and where dist is.
type options struct {
	web    string // folder with src/, index.html and node_modules/
	out    string // the folder written
	viewer string // Go program that looks into files; "" leaves it out
	runner string // Go program that runs models; "" leaves it out
	simd   string // folder of the kernels' modules; "" leaves them out
	demo   string // model behind the demo button; "" leaves it out
	goroot string // where lib/wasm/wasm_exec.js is
	cache  string // compressed forms by hash, so that what did not change is not compressed again
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("buildweb: ")
	var o options
	var tests string
	flag.StringVar(&o.web, "web", "web", "`folder` of the TypeScript sources")
	flag.StringVar(&o.out, "out", "web/dist", "`folder` to write")
	flag.StringVar(&o.viewer, "viewer", "", "viewer.wasm, built by go build")
	flag.StringVar(&o.runner, "runner", "", "runner.wasm, built by go build")
	flag.StringVar(&o.simd, "kernels", "", "`folder` of the SIMD modules, wasm/kernels")
	flag.StringVar(&o.demo, "demo", "", "model `file` behind the demo button")
	flag.StringVar(&o.goroot, "goroot", "", "Go's root (default: what `go env GOROOT` says)")
	flag.StringVar(&o.cache, "cache", ".cache/web", "`folder` that keeps compressed forms between builds")
	flag.StringVar(&tests, "tests", "", "bundle web/test/*.test.ts into this `folder` and do nothing else")
	flag.Parse()

	if tests != "" {
		if err := bundleTests(o.web, tests); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := build(o); err != nil {
		log.Fatal(err)
	}
}

// modules are the kernels: by what SIMD the processor has, over memory of one thread or shared.
var modules = []string{"simd.wasm", "simd-shared.wasm", "relaxed.wasm", "relaxed-shared.wasm", "dot.wasm", "dot-shared.wasm"}

// examples are pages of others that use straw.js and <straw-viewer>.
var examples = []string{"element.html", "module.html", "module.js"}

// build fills a new folder and puts it in dist's place only when all of it is there.
func build(o options) error {
	files, err := bundle(o)
	if err != nil {
		return err
	}
	copies := map[string]string{
		"index.html":  filepath.Join(o.web, "index.html"),
		"icon.svg":    filepath.Join(o.web, "icon.svg"),
		"straw.d.ts":  filepath.Join(o.web, "src", "api.d.ts"),
		"viewer.wasm": o.viewer,
		"runner.wasm": o.runner,
		"demo.gguf":   o.demo,
	}
	for _, name := range examples {
		copies["examples/"+name] = filepath.Join(o.web, "examples", name)
	}
	if o.simd != "" {
		for _, name := range modules {
			copies[name] = filepath.Join(o.simd, name)
		}
	}
	for name, from := range copies {
		if from == "" {
			continue
		}
		if files[name], err = os.ReadFile(from); err != nil {
			return err
		}
	}

	fresh, err := os.MkdirTemp(filepath.Dir(filepath.Clean(o.out)), "dist.new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh) // nothing is left there when all went well
	if err := os.Chmod(fresh, 0o755); err != nil {
		return err
	}
	weights, err := writeAssets(fresh, o.cache, files)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(o.out); err != nil {
		return err
	}
	if err := os.Rename(fresh, o.out); err != nil {
		return err
	}
	over := report(os.Stdout, weights)
	if over > 0 {
		return fmt.Errorf("%d of the page's budgets exceeded", over)
	}
	return nil
}

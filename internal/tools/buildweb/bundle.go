package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// bundle returns the scripts and the style sheet by their names in dist. The page imports straw.js as any other site would,
// so that module is left outside the page's bundle.
func bundle(o options) (map[string][]byte, error) {
	wasmExec, err := wasmExecPath(o.goroot)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(o.web, "node_modules")); err != nil {
		return nil, fmt.Errorf("%s: run `npm ci` there first", filepath.Join(o.web, "node_modules"))
	}
	src := filepath.Join(o.web, "src")
	opts := common(o.web)
	opts.EntryPointsAdvanced = []api.EntryPoint{
		{InputPath: filepath.Join(src, "page", "main.tsx"), OutputPath: "page"},
		{InputPath: filepath.Join(src, "page", "page.css"), OutputPath: "page"},
		{InputPath: filepath.Join(src, "straw.ts"), OutputPath: "straw"},
		{InputPath: filepath.Join(src, "viewer.ts"), OutputPath: "straw-viewer"},
		{InputPath: filepath.Join(src, "worker.ts"), OutputPath: "worker"},
		{InputPath: filepath.Join(src, "sw.ts"), OutputPath: "sw"},
		{InputPath: filepath.Join(src, "kernels", "worker.ts"), OutputPath: "kernels"},
	}
	opts.Outdir = o.out
	opts.Platform = api.PlatformBrowser
	opts.MinifyWhitespace, opts.MinifyIdentifiers, opts.MinifySyntax = true, true, true
	opts.Plugins = []api.Plugin{ownModule(), goRuntime(wasmExec), rules()}
	return outputs(opts)
}

// bundleTests writes each test of web/test as one plain module that Node 20 runs.
func bundleTests(web, out string) error {
	tests, err := filepath.Glob(filepath.Join(web, "test", "*.test.ts"))
	if err != nil {
		return err
	}
	if len(tests) == 0 {
		return fmt.Errorf("no tests in %s", filepath.Join(web, "test"))
	}
	opts := common(web)
	for _, t := range tests {
		name := strings.TrimSuffix(filepath.Base(t), ".ts")
		opts.EntryPointsAdvanced = append(opts.EntryPointsAdvanced, api.EntryPoint{InputPath: t, OutputPath: name})
	}
	opts.Outdir = out
	opts.Platform = api.PlatformNode
	opts.OutExtension = map[string]string{".js": ".mjs"}
	files, err := outputs(opts)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(out, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func common(web string) api.BuildOptions {
	return api.BuildOptions{
		Bundle:          true,
		Format:          api.FormatESModule,
		Target:          api.ES2022,
		Charset:         api.CharsetUTF8,
		JSX:             api.JSXAutomatic,
		LegalComments:   api.LegalCommentsNone,
		LogLevel:        api.LogLevelWarning,
		Tsconfig:        filepath.Join(web, "tsconfig.json"),
		JSXImportSource: "preact",
	}
}

// ownModule leaves `import "…/straw"` in the page as an import of the public module beside it.
func ownModule() api.Plugin {
	return api.Plugin{Name: "own module", Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: `/straw$`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			if a.Kind == api.ResolveEntryPoint {
				return api.OnResolveResult{}, nil
			}
			return api.OnResolveResult{Path: "./straw.js", External: true}, nil
		})
	}}
}

// goRuntime resolves the import of "wasm_exec" to the file that comes with the Go that built the programs: the two must agree.
func goRuntime(path string) api.Plugin {
	return api.Plugin{Name: "go runtime", Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: `^wasm_exec$`}, func(api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: path}, nil
		})
	}}
}

func wasmExecPath(goroot string) (string, error) {
	if goroot == "" {
		out, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			return "", fmt.Errorf("go env GOROOT: %w", err)
		}
		goroot = strings.TrimSpace(string(out))
	}
	path, err := filepath.Abs(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return "", err
	}
	_, err = os.Stat(path)
	return path, err
}

func outputs(opts api.BuildOptions) (map[string][]byte, error) {
	r := api.Build(opts)
	if len(r.Errors) > 0 {
		return nil, errors.New("bundling failed")
	}
	files := map[string][]byte{}
	for _, f := range r.OutputFiles {
		files[filepath.Base(f.Path)] = f.Contents
	}
	return files, nil
}

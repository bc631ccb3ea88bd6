// Command dist makes a release: static programs for each system with the page inside, the page as a folder and as an npm
// package, completions, manual pages, a bill of materials and checksums. The same sources give the same bytes: nothing in it knows the
// time, the machine or the folder. It is run from the root of the repository when web/dist is built (make dist).
package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

var targets = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

var shells = map[string]string{"bash": "straw.bash", "zsh": "_straw", "fish": "straw.fish", "powershell": "straw.ps1"}

func main() {
	out := flag.String("out", "dist", "the folder to make; what is in it goes")
	ldflags := flag.String("ldflags", "-s -w", "for the linker")
	flag.Parse()
	if err := release(*out, *ldflags); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

func release(out, ldflags string) error {
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	for _, dir := range []string{out, filepath.Join(out, "completions")} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	var own string // the program for this machine
	for _, t := range targets {
		name := filepath.Join(out, program(t))
		if err := build(name, t, ldflags); err != nil {
			return err
		}
		if t == runtime.GOOS+"/"+runtime.GOARCH {
			own = name
		}
	}
	if own == "" {
		return fmt.Errorf("no release is made for %s/%s, and the program itself writes its completions and manual pages", runtime.GOOS, runtime.GOARCH)
	}
	for shell, file := range shells {
		text, err := exec.Command(own, "completion", shell).Output()
		if err != nil {
			return fmt.Errorf("completions of %s: %w", shell, err)
		}
		if err := os.WriteFile(filepath.Join(out, "completions", file), text, 0o666); err != nil {
			return err
		}
	}
	if err := run(exec.Command(own, "man", filepath.Join(out, "man", "man1")), "writing manual pages"); err != nil {
		return err
	}
	if err := os.CopyFS(filepath.Join(out, "web"), os.DirFS("web/dist")); err != nil {
		return err
	}
	if err := pack(out); err != nil {
		return err
	}
	info, err := buildinfo.ReadFile(own)
	if err != nil {
		return err
	}
	bill, err := billOfMaterials(info, "web/package-lock.json")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, "sbom.cdx.json"), bill, 0o666); err != nil {
		return err
	}
	return sums(out)
}

// program is the file name of a target's program.
func program(target string) string {
	name := "straw-" + strings.ReplaceAll(target, "/", "-")
	if strings.HasPrefix(target, "windows/") {
		name += ".exe"
	}
	return name
}

func build(name, target, ldflags string) error {
	system, machine, _ := strings.Cut(target, "/")
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-tags", "page", "-ldflags", ldflags+" -buildid=", "-o", name, "./cmd/straw")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+machine, "GOAMD64=v1", "GOARM64=v8.0")
	return run(cmd, "building for "+target)
}

// pack makes the npm package, whose times npm sets to one of its own.
func pack(out string) error {
	to, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	cmd := exec.Command("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", to)
	cmd.Dir = "web"
	return run(cmd, "npm pack")
}

func run(cmd *exec.Cmd, what string) error {
	fmt.Println(what)
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", what, err, text)
	}
	return nil
}

// sums writes SHA256SUMS of all files, as sha256sum does, in the order of their names.
func sums(out string) error {
	var list strings.Builder
	err := fs.WalkDir(os.DirFS(out), ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		f, err := os.Open(filepath.Join(out, path))
		if err != nil {
			return err
		}
		defer f.Close()
		h := sha256.New()
		if _, err := io.Copy(h, f); err != nil {
			return err
		}
		fmt.Fprintf(&list, "%s  %s\n", hex.EncodeToString(h.Sum(nil)), path)
		return nil
	})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), []byte(list.String()), 0o666)
}

package main

import (
	"encoding/json"
	"os"
	"runtime/debug"
	"slices"
	"strings"
)

// The part of CycloneDX 1.5 that says what is in a program. It has no time and no serial number, so that the same program
// has the same bill.
type bill struct {
	Format     string      `json:"bomFormat"`
	Version    string      `json:"specVersion"`
	Number     int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	URL     string `json:"purl,omitempty"`
}

// billOfMaterials lists the Go modules that the linker noted in the program, Go itself, and what the page's bundle is made
// of, by npm's lock file.
func billOfMaterials(info *debug.BuildInfo, lock string) ([]byte, error) {
	b := bill{Format: "CycloneDX", Version: "1.5", Number: 1, Metadata: metadata{component{Type: "application", Name: info.Main.Path}}}
	version := strings.TrimPrefix(info.GoVersion, "go")
	b.Components = append(b.Components, component{"platform", "go", version, "pkg:golang/std@" + version})
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		b.Components = append(b.Components, component{"library", m.Path, m.Version, "pkg:golang/" + m.Path + "@" + m.Version})
	}
	text, err := os.ReadFile(lock)
	if err != nil {
		return nil, err
	}
	var locked struct {
		Packages map[string]struct {
			Version string `json:"version"`
			Dev     bool   `json:"dev"`
		} `json:"packages"`
	}
	const folder = "node_modules/"
	if err := json.Unmarshal(text, &locked); err != nil {
		return nil, err
	}
	for path, p := range locked.Packages {
		at := strings.LastIndex(path, folder)
		if at < 0 || p.Dev { // the package itself, and what only builds it
			continue
		}
		name := path[at+len(folder):]
		b.Components = append(b.Components, component{"library", name, p.Version, "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + p.Version})
	}
	slices.SortFunc(b.Components, func(x, y component) int { return strings.Compare(x.URL, y.URL) })
	out, err := json.MarshalIndent(b, "", "  ")
	return append(out, '\n'), err
}

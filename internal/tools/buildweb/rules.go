package main

import (
	"encoding/json"

	"github.com/evanw/esbuild/pkg/api"

	"straw/internal/doctor"
)

// rules resolves the import of "rules" to what the doctor says of each rule, by id: the page explains findings with it.
func rules() api.Plugin {
	return api.Plugin{Name: "rules", Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: `^rules$`}, func(api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: "rules", Namespace: "rules"}, nil
		})
		b.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: "rules"}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
			type words struct {
				Title string `json:"title"`
				Help  string `json:"help"`
			}
			byID := map[string]words{}
			for _, r := range doctor.Rules() {
				byID[r.ID] = words{r.Title, r.Help}
			}
			text, err := json.Marshal(byID)
			contents := string(text)
			return api.OnLoadResult{Contents: &contents, Loader: api.LoaderJSON}, err
		})
	}}
}

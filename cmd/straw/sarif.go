package main

import (
	"path/filepath"
	"slices"

	"straw/gguf"
	"straw/internal/doctor"
	"straw/internal/term"
)

// The part of SARIF 2.1.0 (OASIS) that a list of findings needs.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	Results []sarifResult `json:"results"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID    string    `json:"id"`
	Short sarifText `json:"shortDescription"`
	Help  sarifText `json:"help"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifLocation struct {
	Physical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
	} `json:"physicalLocation"`
	Logical []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifLogical struct {
	Name string `json:"name"`
}

// sarif is the list of findings about the file arg; SARIF's levels are named as our severities.
func sarif(arg string, list []gguf.Finding) sarifLog {
	run := sarifRun{Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "straw", Version: version, Rules: []sarifRule{}}
	for _, r := range doctor.Rules() {
		if slices.ContainsFunc(list, func(f gguf.Finding) bool { return f.Rule == r.ID }) {
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{r.ID, sarifText{r.Title}, sarifText{r.Help}})
		}
	}
	for _, f := range list {
		var at sarifLocation
		at.Physical.Artifact.URI = filepath.ToSlash(arg)
		if f.Subject != "" {
			at.Logical = []sarifLogical{{term.Safe(f.Subject)}}
		}
		run.Results = append(run.Results, sarifResult{f.Rule, f.Severity.String(), sarifText{term.Safe(f.Message)}, []sarifLocation{at}})
	}
	return sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}
}

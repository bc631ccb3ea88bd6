package main

import (
	"path/filepath"

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

// sarif is the findings about files; SARIF's levels are named as our severities. A file that could not be opened has a
// result of its own.
func sarif(files []checkedFile) sarifLog {
	run := sarifRun{Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "straw", Version: version, Rules: []sarifRule{}}
	used := map[string]bool{}
	for _, file := range files {
		uri := filepath.ToSlash(file.arg)
		for _, f := range file.findings {
			used[f.Rule] = true
			run.Results = append(run.Results, sarifResult{f.Rule, f.Severity.String(), sarifText{term.Safe(f.Message)}, []sarifLocation{sarifAt(uri, f.Subject)}})
		}
		if file.err != nil && len(file.findings) == 0 {
			run.Results = append(run.Results, sarifResult{"unreadable", "error", sarifText{term.Safe(file.err.Error())}, []sarifLocation{sarifAt(uri, "")}})
		}
	}
	for _, r := range doctor.Rules() {
		if used[r.ID] {
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{r.ID, sarifText{r.Title}, sarifText{r.Help}})
		}
	}
	return sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}
}

func sarifAt(uri, subject string) (at sarifLocation) {
	at.Physical.Artifact.URI = uri
	if subject != "" {
		at.Logical = []sarifLogical{{term.Safe(subject)}}
	}
	return at
}

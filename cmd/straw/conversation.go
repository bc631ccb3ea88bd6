package main

import (
	"fmt"
	"strings"

	"straw/chat"
	"straw/internal/session"
)

// conversationFlags are what a model is told beside the messages.
type conversationFlags struct {
	system    string
	toolsFile string
	vars      []string

	tools     []session.Tool
	variables *chat.Dict
}

// read reads what the flags name.
func (c *conversationFlags) read(a *app) error {
	if c.toolsFile != "" {
		text, err := a.readText(c.toolsFile)
		if err != nil {
			return err
		}
		if c.tools, err = session.ParseTools([]byte(text)); err != nil {
			return fmt.Errorf("%s: %w", c.toolsFile, err)
		}
	}
	var err error
	c.variables, err = templateVariables(c.vars)
	return err
}

// prompt is a conversation, the system message before it if there is one.
func (c *conversationFlags) prompt(turns ...session.Message) session.Prompt {
	if c.system != "" {
		turns = append([]session.Message{{Role: "system", Content: c.system}}, turns...)
	}
	return session.Prompt{Messages: turns, Tools: c.tools, Variables: c.variables}
}

// templateVariables reads NAME=JSON flags.
func templateVariables(flags []string) (*chat.Dict, error) {
	d := chat.NewDict()
	for _, v := range flags {
		name, text, ok := strings.Cut(v, "=")
		if !ok || name == "" {
			return nil, usagef("--var %s: NAME=JSON is needed", v)
		}
		value, err := chat.DecodeJSON([]byte(text))
		if err != nil {
			return nil, usagef("--var %s: %v (a text needs its quotes: %s='\"...\"')", v, err, name)
		}
		d.Set(name, value)
	}
	return d, nil
}

// Command straw looks into GGUF files and runs the models in them. The command line is an edge: it
// turns arguments into calls, and results into text or JSON.
package main

import (
	"io"
	"os"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the whole program; it returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := newApp(stdin, stdout, stderr)
	root := a.root(a.needed(args))
	root.SetArgs(args)
	cmd, err := root.ExecuteC()
	return a.finish(cmd, err)
}

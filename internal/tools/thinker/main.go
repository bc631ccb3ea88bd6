// Thinker writes scripted.Thinker to a file, for tests that are not written in Go or not of this module.
package main

import (
	"log"
	"os"

	"straw/internal/scripted"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: thinker OUT.gguf")
	}
	if err := os.WriteFile(os.Args[1], scripted.Thinker.Bytes(), 0o666); err != nil {
		log.Fatal(err)
	}
}

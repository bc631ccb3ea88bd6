package engine_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"straw/engine"
	"straw/engine/sample"
	"straw/gguf"
	"straw/tokenizer"
)

// A model writes: the prompt is evaluated at once, then each token that is chosen. With Options.Budget the weights are
// read from the file as they are needed.
func Example() {
	ctx := context.Background()
	f, err := gguf.OpenFS(os.DirFS("../internal/demo"), "sip-tales-3m-Q8_0.gguf")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	t, err := tokenizer.New(f)
	if err != nil {
		log.Fatal(err)
	}
	m, err := engine.Describe(f) // an *engine.UnsupportedError names what is not known here
	if err != nil {
		log.Fatal(err)
	}
	s, err := m.NewSession(ctx, engine.Options{Context: 128, Resident: true})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()

	choose := sample.New(sample.Params{}) // the likeliest; sample.Default() draws as llama.cpp does
	text := t.NewDecoder(false)
	ids := t.Encode("Once upon a time", tokenizer.Options{AddSpecial: true})
	for range 12 {
		logits, err := s.Eval(ctx, ids, false)
		if err != nil {
			log.Fatal(err)
		}
		id := choose.Sample(logits[0])
		if t.IsEOG(id) {
			break
		}
		choose.Accept(id)
		fmt.Print(text.Push(id))
		ids = []int{id}
	}
	fmt.Println(text.Flush())
	// Output:
	// , there was a thoughtful boy named Leo. He lived
}

package tokenizer_test

import (
	"fmt"
	"log"
	"os"

	"straw/gguf"
	"straw/tokenizer"
)

func Example() {
	f, err := gguf.OpenFS(os.DirFS("../internal/demo"), "sip-tales-3m-Q8_0.gguf")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	t, err := tokenizer.New(f)
	if err != nil {
		log.Fatal(err)
	}
	ids := t.Encode("Once upon a time<|im_end|>", tokenizer.Options{AddSpecial: true, ParseSpecial: true})
	fmt.Println(ids)
	for _, id := range ids {
		fmt.Printf("%q\n", t.Piece(id, true))
	}
	fmt.Printf("%s\n", t.Decode(ids, false))
	// Output:
	// [1021 684 752 263 501 1023]
	// "<|endoftext|>"
	// "Once"
	// " upon"
	// " a"
	// " time"
	// "<|im_end|>"
	// Once upon a time
}

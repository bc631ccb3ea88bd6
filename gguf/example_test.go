package gguf_test

import (
	"fmt"
	"log"
	"os"

	"straw/gguf"
	"straw/quant"
)

const folder, name = "../internal/demo", "sip-tales-3m-Q8_0.gguf"

// Only the header is read. Any io/fs file system will do whose files have ReadAt; of a shard the whole set is opened.
func ExampleOpenFS() {
	f, err := gguf.OpenFS(os.DirFS(folder), name)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	fmt.Println(f.Architecture(), f.Parameters(), len(f.Metadata), len(f.Tensors))

	n, err := f.Get("llama.context_length") // nil, nil if the key is not there
	fmt.Println(n, err)
	if tokens, ok := f.Value("tokenizer.ggml.tokens"); ok {
		some, err := tokens.Slice(300, 3) // reads these three only
		fmt.Printf("%d %q %v\n", tokens.Len(), some, err)
	}
	// Output:
	// llama 3410176 32 38
	// 512 <nil>
	// 1024 ["es" "nd" "Ġthe"] <nil>
}

// The third row of a matrix: its packed bytes, then its numbers.
func ExampleFile_ReadTensorAt() {
	f, err := gguf.OpenFS(os.DirFS(folder), name)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	t, ok := f.Lookup("blk.0.attn_k.weight")
	if !ok {
		log.Fatal("no such tensor")
	}
	row := make([]float32, t.Dims[0])
	packed := make([]byte, t.Type.Bytes(len(row)))
	if err := f.ReadTensorAt(t.Name, packed, 2*int64(len(packed))); err != nil {
		log.Fatal(err)
	}
	quant.Dequantize(t.Type, row, packed)
	fmt.Println(t.Type, t.Shape(), row[:3])
	// Output:
	// Q8_0 [128 256] [-0.048470497 -0.13183975 0.025204659]
}

// A copy of a model under another name; nothing of it is ever in memory as a whole.
func ExampleDraft() {
	f, err := gguf.OpenFS(os.DirFS(folder), name)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	d := gguf.NewDraft(f)
	v, _ := gguf.ValueOf("Another name")
	d.Set("general.name", v)
	for i := range f.Tensors {
		if err := d.Copy(f, &f.Tensors[i]); err != nil {
			log.Fatal(err)
		}
	}
	out, err := os.CreateTemp("", "*.gguf")
	if err != nil {
		log.Fatal(err)
	}
	defer os.Remove(out.Name())
	n, err := d.WriteTo(out)
	fmt.Println(n, err, out.Close())
	// Output:
	// 3660384 <nil> <nil>
}

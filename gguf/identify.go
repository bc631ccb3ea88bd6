package gguf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// sniffBytes is how much of a file's start identify looks at.
const sniffBytes = 4096

// A file that is no GGUF file is called by its name, with what to do about it.
const (
	downloadAgain = "download the file itself again"
	convertOld    = "a llama.cpp model of before August 2023: get the GGUF version of the model or convert it with llama.cpp's convert_llama_ggml_to_gguf.py"
	convertHF     = "convert the model with llama.cpp's convert_hf_to_gguf.py or get its GGUF version"
	unpack        = "unpack it first"
)

// magics are formats known by their first bytes.
var magics = []struct{ magic, what, advice string }{
	{"lmgg", "an old GGML file (magic ggml)", convertOld},
	{"ggml", "an old GGML file (magic ggml)", convertOld},
	{"fmgg", "an old GGML file (magic ggmf)", convertOld},
	{"ggmf", "an old GGML file (magic ggmf)", convertOld},
	{"tjgg", "an old GGJT file", convertOld},
	{"ggjt", "an old GGJT file", convertOld},
	{"algg", "a GGLA adapter, an old LoRA file", "convert the adapter with llama.cpp's convert_lora_to_gguf.py"},
	{"ggla", "a GGLA adapter, an old LoRA file", "convert the adapter with llama.cpp's convert_lora_to_gguf.py"},
	{"nsgg", "a llama.cpp session file", "open the model that it belongs to"},
	{"ggsn", "a llama.cpp session file", "open the model that it belongs to"},
	{"qsgg", "a llama.cpp sequence state file", "open the model that it belongs to"},
	{"ggsq", "a llama.cpp sequence state file", "open the model that it belongs to"},
	{"LLMW", "SipLLM's toy format .llmw", "a GGUF file is wanted here"},
	{"SIPR", "SipLLM's own format .sipr", "get the model's GGUF version"},
	{"\x1f\x8b", "a gzip archive", unpack},
	{"\x28\xb5\x2f\xfd", "a zstd archive", unpack},
	{"\xfd7zXZ\x00", "an xz archive", unpack},
	{"BZh", "a bzip2 archive", unpack},
	{"\x04\x22\x4d\x18", "an lz4 archive", unpack},
	{"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", unpack},
	{"Rar!\x1a\x07", "a RAR archive", unpack},
	{"\x93NUMPY", "a NumPy array (.npy)", convertHF},
	{"\x89HDF\r\n\x1a\n", "an HDF5 file", convertHF},
	{"\x89PNG", "a PNG picture", "pick the model's file"},
	{"\xff\xd8\xff", "a JPEG picture", "pick the model's file"},
	{"GIF8", "a GIF picture", "pick the model's file"},
	{"%PDF", "a PDF document", "pick the model's file"},
	{"\x7fELF", "a program (ELF)", "pick the model's file"},
	{"MZ", "a Windows program", "pick the model's file"},
	{"\x00asm", "a WebAssembly module", "pick the model's file"},
	{"SQLite format 3", "an SQLite database", "pick the model's file"},
}

// identify is "" if head, the first bytes of a file, may start a GGUF file; else what the file is instead and what to do.
func identify(head []byte, size int64) string {
	switch string(head[:min(4, len(head))]) {
	case "GGUF", "FUGG":
		return ""
	case "gguf":
		return "the magic is gguf in small letters, where GGUF stands: some program has changed the file; " + downloadAgain
	}
	if len(head) < 4 {
		if bytes.HasPrefix([]byte("GGUF"), head) {
			return fmt.Sprintf("only %d bytes, too few for the magic: the download was cut off; %s", size, downloadAgain)
		}
		return fmt.Sprintf("only %d bytes, too few for the magic; %s", size, downloadAgain)
	}
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.magic)) {
			return m.what + ": " + m.advice
		}
	}
	switch {
	case len(bytes.TrimLeft(head, "\x00")) == 0:
		return fmt.Sprintf("the first %d bytes are all zero: a failed or unfinished download; %s", len(head), downloadAgain)
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		if bytes.Contains(head, []byte("data.pkl")) {
			return "a PyTorch model (a ZIP archive with a pickle): " + convertHF
		}
		return "a ZIP archive: " + unpack
	case head[0] == 0x80 && head[1] >= 2 && head[1] <= 5:
		return "a Python pickle, as old PyTorch models are: " + convertHF
	case len(head) > 8 && head[8] == '{' && plausibleSafetensors(head, size):
		return "a safetensors file: " + convertHF
	case len(head) >= 8 && string(head[4:8]) == "TFL3":
		return "a TensorFlow Lite model: get the model's GGUF version"
	case len(head) > 262 && string(head[257:262]) == "ustar":
		return "a tar archive: " + unpack
	}
	if what := identifyText(head); what != "" {
		return what
	}
	if i := bytes.Index(head, []byte("GGUF")); i > 0 {
		return fmt.Sprintf("the magic GGUF stands at byte %d: something was put before it; %s", i, downloadAgain)
	}
	return "the first bytes are no magic that is known here: the file is something else or damaged; " + downloadAgain
}

// plausibleSafetensors: a header length of 64 bits, then the JSON header.
func plausibleSafetensors(head []byte, size int64) bool {
	n := binary.LittleEndian.Uint64(head)
	return n >= 2 && n < 1<<30 && (n <= uint64(size) || bytes.Contains(head, []byte("data_offsets")))
}

// identifyText names what is text.
func identifyText(head []byte) string {
	text, bom := bytes.CutPrefix(head, []byte("\xef\xbb\xbf"))
	if bom && bytes.HasPrefix(text, []byte("GGUF")) {
		return "a UTF-8 byte-order mark stands before the magic: the file was saved as text, which damages it; " + downloadAgain
	}
	text = bytes.TrimLeft(text, " \t\r\n")
	start := strings.ToLower(string(text[:min(len(text), 512)]))
	switch {
	case strings.HasPrefix(start, "version https://git-lfs") || strings.HasPrefix(start, "version https://hawser"):
		return "a Git LFS pointer, not the model: run `git lfs pull` or download the file itself"
	case strings.HasPrefix(start, "<!doctype html"), strings.HasPrefix(start, "<html"), strings.HasPrefix(start, "<head"), strings.HasPrefix(start, "<body"),
		strings.HasPrefix(start, "<!--") && strings.Contains(start, "<html"):
		return "an HTML page, not the model: the link leads to a web page or an error page; use the download link"
	case strings.HasPrefix(start, "<?xml"), strings.HasPrefix(start, "<error"):
		return "an XML document, often a storage server's error message; " + downloadAgain
	case strings.HasPrefix(start, "{"), strings.HasPrefix(start, "["):
		switch {
		case strings.Contains(start, "weight_map"):
			return "the index of a safetensors model (JSON): " + convertHF
		case strings.Contains(start, `"error"`), strings.Contains(start, `"message"`):
			return "a JSON error message, not the model: " + quote(strings.TrimSpace(string(text[:min(len(text), 200)])))
		}
		return "a JSON document: pick the model's file"
	}
	if len(text) > 0 && printable(text) {
		return "text, not a model; it begins " + quote(strings.TrimSpace(string(text[:min(len(text), 60)])))
	}
	return ""
}

func printable(b []byte) bool {
	for _, c := range b {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// magicText is the first four bytes for an error: as text if they are that, else in hexadecimal.
func magicText(head []byte) string {
	m := head[:min(4, len(head))]
	for _, c := range m {
		if c < ' ' || c > '~' {
			return fmt.Sprintf("% x", m)
		}
	}
	return quote(string(m))
}

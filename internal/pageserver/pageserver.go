// Package pageserver serves the page of a built folder to browsers, with the headers that give it threads and keep
// everybody else out.
//
// A file "x" with "x.br" or "x.gz" beside it is sent compressed to who takes that. A browser asks each time whether a
// file is still the same; the answer is by its content's hash. Folders are not listed.
package pageserver

import (
	"bytes"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"
)

// policy: the page runs its own scripts and WebAssembly, and fetches models from where the user says. Models are text
// that others wrote; whatever of it reached the page as markup would still run nothing and load nothing.
const policy = "default-src 'none'; " +
	"script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; font-src 'self'; " +
	"img-src 'self' data: blob:; manifest-src 'self'; " +
	"connect-src 'self' https: http://localhost:* http://127.0.0.1:* blob: data:; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

// headers are those of every answer. The first three give SharedArrayBuffer.
var headers = [][2]string{
	{"Cross-Origin-Opener-Policy", "same-origin"},
	{"Cross-Origin-Embedder-Policy", "require-corp"},
	{"Cross-Origin-Resource-Policy", "same-origin"},
	{"Content-Security-Policy", policy},
	{"X-Content-Type-Options", "nosniff"},
	{"Referrer-Policy", "no-referrer"},
}

type handler struct {
	files fs.FS
	tags  tags
}

// New makes a handler of a folder's files; index.html is at "/".
func New(files fs.FS) http.Handler { return &handler{files: files} }

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w = paced{w}
	for _, kv := range headers {
		w.Header().Set(kv[0], kv[1])
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	name, ok := nameOf(r.URL.Path)
	if !ok || !h.exists(name) {
		http.Error(w, "no such page", http.StatusNotFound)
		return
	}
	stored, coding := h.choose(name, r, w.Header())
	if err := h.send(w, r, name, stored, coding); err != nil {
		http.Error(w, "the page's files cannot be read", http.StatusInternalServerError)
	}
}

// paced is an answer each piece of which a client has pieceTime to take: a large file may be slow, but not stand still.
type paced struct{ http.ResponseWriter }

func (p paced) Write(b []byte) (int, error) {
	_ = http.NewResponseController(p.ResponseWriter).SetWriteDeadline(time.Now().Add(pieceTime)) // tests' recorders have none
	return p.ResponseWriter.Write(b)
}

// nameOf is the file that a path means. Hidden files are not the page's.
func nameOf(urlPath string) (name string, ok bool) {
	name, ok = strings.CutPrefix(urlPath, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	if !ok || !fs.ValidPath(name) || strings.ContainsAny(name, "\\\x00") {
		return "", false
	}
	for segment := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(segment, ".") {
			return "", false
		}
	}
	return name, true
}

func (h *handler) exists(name string) bool {
	info, err := fs.Stat(h.files, name)
	return err == nil && info.Mode().IsRegular()
}

// choose picks the stored form of a file to send. A part of a file is always one of the file itself.
func (h *handler) choose(name string, r *http.Request, header http.Header) (stored, coding string) {
	stored = name
	for _, form := range []struct{ coding, suffix string }{{"br", ".br"}, {"gzip", ".gz"}} {
		if !h.exists(name + form.suffix) {
			continue
		}
		header.Set("Vary", "Accept-Encoding")
		if coding == "" && r.Header.Get("Range") == "" && accepts(r.Header.Values("Accept-Encoding"), form.coding) {
			stored, coding = name+form.suffix, form.coding
		}
	}
	return stored, coding
}

// send answers with a stored file. An error means that nothing was sent.
func (h *handler) send(w http.ResponseWriter, r *http.Request, name, stored, coding string) error {
	file, err := h.files.Open(stored)
	if err != nil {
		return err
	}
	defer file.Close()
	content, ok := file.(io.ReadSeeker)
	if !ok {
		all, err := io.ReadAll(file)
		if err != nil {
			return err
		}
		content = bytes.NewReader(all)
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	tag, err := h.tags.of(stored, info, content)
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", contentType(name))
	header.Set("Cache-Control", "no-cache")
	header.Set("ETag", tag)
	if coding != "" {
		header.Set("Content-Encoding", coding)
		header.Set("Content-Length", strconv.FormatInt(info.Size(), 10)) // ServeContent leaves it out of encoded answers
	}
	http.ServeContent(w, r, "", time.Time{}, content)
	return nil
}

// contentType is by the name's ending: mime.TypeByExtension would ask the machine, which may not know .wasm.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".wasm":
		return "application/wasm"
	case ".json", ".map":
		return "application/json"
	case ".webmanifest":
		return "application/manifest+json"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".ico":
		return "image/x-icon"
	case ".woff2":
		return "font/woff2"
	case ".txt", ".md", ".ts":
		return "text/plain; charset=utf-8"
	default:
		return "application/octet-stream"
	}
}

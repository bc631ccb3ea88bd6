//go:build page

package web

import (
	"embed"
	"io/fs"
)

//go:embed dist
var dist embed.FS

// Dist returns the page's files, index.html at the root, compressed forms (.br, .gz) beside them. Without the build tag
// "page" there are none and ok is false.
func Dist() (fsys fs.FS, ok bool) {
	sub, err := fs.Sub(dist, "dist")
	return sub, err == nil
}

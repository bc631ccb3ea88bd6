//go:build !page

package web

import "io/fs"

// Dist returns the page's files; this build has none.
func Dist() (fsys fs.FS, ok bool) { return nil, false }

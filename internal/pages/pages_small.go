//go:build !linux

package pages

// boundary is where memory begins.
const boundary = Align

// advise does nothing: only Linux has to be asked for large pages.
func advise([]byte) {}

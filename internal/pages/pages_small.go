//go:build !linux

package pages

// advise does nothing: only Linux has to be asked for large pages.
func advise([]byte) {}

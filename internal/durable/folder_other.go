//go:build !unix

package durable

// syncFolder has nothing to do on Windows, whose file system keeps a journal of names.
func syncFolder(string) error { return nil }

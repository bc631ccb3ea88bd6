// Package durable gives files names that survive a power cut.
package durable

import (
	"os"
	"path/filepath"
)

// Rename gives the file from, which is on the disk, the name to in a folder of the same file system, in place of what had
// it. After it has returned without an error a power cut leaves the new file there.
func Rename(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(to))
}

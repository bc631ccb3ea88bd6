package main

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"straw/internal/hub/hubtest"
)

// TestKilledPull kills straw pull when a random share of the file is there, and at times when all of it is. Whatever the
// point, only a whole file has the final name, and the next pull completes it.
func TestKilledPull(t *testing.T) {
	points := 24
	if testing.Short() {
		points = 4
	}
	data := hubtest.Model(4<<20, 0)
	site := hubtest.New(t, map[string][]byte{"tiny.gguf": data})
	pull := func(dir string) *exec.Cmd {
		cmd := exec.Command("straw", "pull", "hf:ann/tiny", "--dir", dir)
		cmd.Env = append(os.Environ(), "HF_ENDPOINT="+site.URL, "HF_TOKEN=hush")
		return cmd
	}
	random := rand.New(rand.NewPCG(1, 2))
	whole, resumed := 0, 0
	for i := range points {
		dir := t.TempDir()
		share := int64(random.IntN(len(data)))
		if i%4 == 0 {
			share = int64(len(data))
		}
		killed(t, pull(dir), func() bool { return len(stored(t, dir, ".gguf")) > 0 || partBytes(t, dir) >= share })
		for _, path := range stored(t, dir, ".gguf") {
			whole++
			if b, err := os.ReadFile(path); err != nil || !slices.Equal(b, data) {
				t.Errorf("killed at %d bytes: %s holds %d bytes that are not the file, %v", share, path, len(b), err)
			}
		}
		if partBytes(t, dir) > 0 {
			resumed++
		}
		if out, err := pull(dir).CombinedOutput(); err != nil {
			t.Fatalf("the next pull: %v: %s", err, out)
		}
		paths := stored(t, dir, "")
		if len(paths) != 1 {
			t.Fatalf("after the next pull there are %q", paths)
		}
		if b, err := os.ReadFile(paths[0]); err != nil || !slices.Equal(b, data) {
			t.Errorf("killed at %d bytes: the next pull left %d bytes that are not the file, %v", share, len(b), err)
		}
	}
	if resumed == 0 {
		t.Errorf("of %d kills none left a part (%d a whole file)", points, whole)
	}
}

// killed runs a command and ends it, which nothing can catch, when it is time; it may be done by then.
func killed(t *testing.T, cmd *exec.Cmd, due func() bool) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		cmd.Wait()
		close(done)
	}()
	for !due() {
		select {
		case <-done:
			return
		case <-time.After(200 * time.Microsecond):
		}
	}
	cmd.Process.Kill()
	<-done
}

// stored lists the files of a folder of models whose names end so.
func stored(t *testing.T, dir, suffix string) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && strings.HasSuffix(path, suffix) {
			paths = append(paths, path)
		}
		return nil // what goes while it is looked at is not there
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// partBytes is the size of what is not complete.
func partBytes(t *testing.T, dir string) int64 {
	t.Helper()
	n := int64(0)
	for _, path := range stored(t, dir, ".part") {
		if info, err := os.Stat(path); err == nil {
			n += info.Size()
		}
	}
	return n
}

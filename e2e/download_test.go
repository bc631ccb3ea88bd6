//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
)

// downloads lets the page save in a folder of its own, without a dialog, as in a browser that cannot write files.
func (p *tab) downloads(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	params := cdpbrowser.SetDownloadBehaviorParams{Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllow, DownloadPath: folder, BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID}
	if _, err := chromedp.Call(p.ctx, cdpbrowser.SetDownloadBehavior, params); err != nil {
		t.Fatal(err)
	}
	eval[bool](p, `(delete window.showSaveFilePicker, delete window.showDirectoryPicker, true)`)
	return folder
}

// downloaded waits for a file of the folder that is as good says.
func downloaded(t *testing.T, folder, name string, good func(content []byte) bool) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		got, err := os.ReadFile(filepath.Join(folder, name))
		if err == nil && good(got) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("no download %s as it should be: %d bytes, %v", name, len(got), err)
		}
	}
}

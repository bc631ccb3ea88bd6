//go:build deps

package deps

import (
	_ "github.com/andybalholm/brotli"
	_ "github.com/chromedp/chromedp"
	_ "github.com/dlclark/regexp2/v2"
	_ "github.com/evanw/esbuild/pkg/api"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/hack-pad/hackpadfs"
	_ "github.com/hack-pad/hackpadfs/mem"
	_ "github.com/hack-pad/hackpadfs/os"
	_ "github.com/jedib0t/go-pretty/v6/table"
	_ "github.com/klauspost/cpuid/v2"
	_ "github.com/peterh/liner"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/spf13/cobra"
	_ "golang.org/x/exp/mmap"
	_ "golang.org/x/term"
	_ "golang.org/x/text/unicode/norm"
	_ "pgregory.net/rapid"
)

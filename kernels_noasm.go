//go:build (!amd64 && !arm64) || purego

package kernels

// No form but the generic one: kernels.go has it already.

//go:build !amd64 || purego

package kernels

// No form but the generic one: kernels.go has it already.

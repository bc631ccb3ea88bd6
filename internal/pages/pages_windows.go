package pages

import (
	"syscall"
	"unsafe"
)

func reserve(n int) ([]byte, func([]byte), error) { return heap(n) }

func mapFile(fd uintptr, n int) ([]byte, func([]byte), error) {
	size := uint64(n)
	h, err := syscall.CreateFileMapping(syscall.Handle(fd), nil, syscall.PAGE_READONLY, uint32(size>>32), uint32(size), nil)
	if err != nil {
		return nil, nil, err
	}
	defer syscall.CloseHandle(h) // the view keeps the mapping
	at, err := syscall.MapViewOfFile(h, syscall.FILE_MAP_READ, 0, 0, uintptr(n))
	if err != nil {
		return nil, nil, err
	}
	// The view is no memory of Go's: its address may be kept as a number, and read as a pointer.
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&at)), n), unmap, nil
}

func unmap(b []byte) {
	if err := syscall.UnmapViewOfFile(uintptr(unsafe.Pointer(unsafe.SliceData(b)))); err != nil {
		panic("pages: " + err.Error()) // not a view of ours
	}
}

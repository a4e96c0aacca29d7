//go:build taskinstr_runtime

// A buffer from the pool carries no data from one user to the next, so it orders nobody (see
// rt/files/fmt).

package log

import "unsafe"

// taskinstr_buffer gets a buffer from the pool.
//
//go:norace
func taskinstr_buffer() *[]byte {
	task := taskinstr_suspend()
	p := bufferPool.Get().(*[]byte)
	taskinstr_resume(task)
	taskinstr_fresh(unsafe.Pointer(p), unsafe.Sizeof(*p))
	taskinstr_fresh(unsafe.Pointer(unsafe.SliceData(*p)), uintptr(cap(*p)))
	return p
}

// taskinstr_buffered puts a buffer back into the pool.
//
//go:norace
func taskinstr_buffered(p *[]byte) {
	task := taskinstr_suspend()
	bufferPool.Put(p)
	taskinstr_resume(task)
}

//go:build taskinstr_runtime

// Printers are reused, and package sync orders a Get from a Pool after the Put of the
// same value. So any two tasks that print would be ordered if by chance they get the same
// printer. But a printer carries no data from one user to the next: for its next user it
// is fresh memory.

package fmt

import "unsafe"

// taskinstr_printer gets a printer from the pool.
//
//go:norace
func taskinstr_printer() *pp {
	task := taskinstr_suspend()
	p := ppFree.Get().(*pp)
	taskinstr_resume(task)
	taskinstr_fresh(unsafe.Pointer(p), unsafe.Sizeof(*p))
	taskinstr_fresh(unsafe.Pointer(unsafe.SliceData(p.buf)), uintptr(cap(p.buf)))
	taskinstr_fresh(unsafe.Pointer(unsafe.SliceData(p.wrappedErrs)), uintptr(cap(p.wrappedErrs))*unsafe.Sizeof(0))
	return p
}

// taskinstr_printed puts a printer back into the pool.
//
//go:norace
func taskinstr_printed(p *pp) {
	task := taskinstr_suspend()
	ppFree.Put(p)
	taskinstr_resume(task)
}

//go:build taskinstr_runtime

// Printers are used again, and package sync orders a Pool's Get after the Put of the
// same value. That would order any two tasks that print one after the other, if by
// chance they get the same printer. But a printer carries nothing from one to the other:
// to its next user it is fresh memory.

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

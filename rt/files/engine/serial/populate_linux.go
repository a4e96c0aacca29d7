//go:build taskinstr_runtime

package runtime

import "unsafe"

// me_Populate gives pages memory that are about to be written to: one system call
// costs less than a fault for each. Kernels before Linux 5.14 refuse, and pages get their
// memory one by one.
func me_Populate(p unsafe.Pointer, n uintptr) {
	const populateWrite = 23 // MADV_POPULATE_WRITE
	madvise(p, n, populateWrite)
}

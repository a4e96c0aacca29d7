//go:build taskinstr_runtime

package runtime

import "unsafe"

// se_hostPopulate would give pages memory that are about to be written to.
func se_hostPopulate(p unsafe.Pointer, n uintptr) {}

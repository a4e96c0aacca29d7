//go:build taskinstr_runtime

package runtime

import "unsafe"

// ti_hostPopulate would give pages memory that are about to be written to.
func ti_hostPopulate(p unsafe.Pointer, n uintptr) {}

//go:build taskinstr_runtime

package runtime

import "unsafe"

// me_Populate would give pages memory that are about to be written to.
func me_Populate(p unsafe.Pointer, n uintptr) {}

//go:build taskinstr_runtime

// The tests that show reports. Package testing says which test a goroutine runs; the
// goroutines that it starts inherit the test.

package runtime

import "unsafe"

// tr_testPackage is the import path of the tested package, "" outside of test binaries.
var tr_testPackage string

//go:linkname taskinstr_package
func taskinstr_package(path string) {
	tr_testPackage = path
	tr_begin(false)
}

// taskinstr_test says which test the calling goroutine runs. The name stays where it is for
// ever; nil means no test.
//
//go:linkname taskinstr_test
func taskinstr_test(name *string) {
	if t := (*ti_Task)(unsafe.Pointer(getg().racectx)); t != nil {
		t.Test = uintptr(unsafe.Pointer(name))
	}
}

// tr_testJSON writes the package and the test of the goroutine that makes a report.
func tr_testJSON() {
	if tr_testPackage == "" {
		return
	}
	tr_puts(`,"package":`)
	tr_putq(tr_testPackage)
	gp := getg().m.curg
	if gp == nil || gp.racectx == 0 {
		return
	}
	if name := (*string)(unsafe.Pointer((*ti_Task)(unsafe.Pointer(gp.racectx)).Test)); name != nil {
		tr_puts(`,"test":`)
		tr_putq(*name)
	}
}

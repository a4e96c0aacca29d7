//go:build taskinstr_runtime

package runtime

import (
	"internal/goarch"
	sys "internal/runtime/syscall/linux"
	"unsafe"
)

func tr_pid() uint64 { return uint64(getpid()) }

func tr_create(name *byte) int32 {
	return open(name, _O_WRONLY|_O_CREAT|_O_TRUNC, 0666)
}

func tr_open(name *byte) int32 { return open(name, 0, 0) }

// Numbers of the system call mkdirat, and the folder from which it takes relative names.
const (
	tr_sysMkdirat = 258*goarch.IsAmd64 + 34*goarch.IsArm64
	tr_atFDCWD    = -100
)

// tr_createFolder reports whether it has created the folder.
func tr_createFolder(name *byte) bool {
	folder := tr_atFDCWD
	_, _, errno := sys.Syscall6(tr_sysMkdirat, uintptr(folder), uintptr(unsafe.Pointer(name)), 0777, 0, 0, 0)
	return errno == 0
}

//go:build !taskinstr_runtime

package serial

import "syscall"

const noReserve = syscall.MAP_NORESERVE

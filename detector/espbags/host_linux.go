//go:build !taskinstr_runtime

package espbags

import "syscall"

const noReserve = syscall.MAP_NORESERVE

//go:build !taskinstr_runtime

package online

import "syscall"

const noReserve = syscall.MAP_NORESERVE

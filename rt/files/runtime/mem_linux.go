//go:build taskinstr_runtime

package runtime

const tr_noReserve = 0x4000 // MAP_NORESERVE

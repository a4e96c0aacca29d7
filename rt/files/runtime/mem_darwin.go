//go:build taskinstr_runtime

package runtime

const tr_noReserve = 0x40 // MAP_NORESERVE

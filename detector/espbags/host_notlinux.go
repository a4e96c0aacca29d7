//go:build !taskinstr_runtime && unix && !linux

package espbags

const noReserve = 0

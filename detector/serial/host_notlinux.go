//go:build !taskinstr_runtime && unix && !linux

package serial

const noReserve = 0

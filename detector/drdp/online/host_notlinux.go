//go:build !taskinstr_runtime && unix && !linux

package online

const noReserve = 0

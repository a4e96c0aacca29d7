package main

import "bytes"

// Class: package internal/bytealg

func (racy) LastIndexByte() {
	b := make([]byte, 1)
	parallel(
		func() { b[0] = 1 },
		func() { sink(bytes.LastIndexByte(b, 7)) },
	)
}

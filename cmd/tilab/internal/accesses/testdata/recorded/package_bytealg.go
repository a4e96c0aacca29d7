package main

import "bytes"

func (racy) LastIndexByte() {
	b := make([]byte, 1)
	parallel(
		func() { b[0] = 1 },                        // want(racy/LastIndexByte) race: b[0]
		func() { sink(bytes.LastIndexByte(b, 7)) }, // want(racy/LastIndexByte) race: -
	)
}

package main

import "taskinstr/cmd/tilab/internal/accesses/testdata/recorded/hidden"

func (racy) HiddenField() {
	h := hidden.New(1)
	parallel(
		func() { h.Set(2) },        // want(racy/HiddenField) race: -
		func() { sink(h.Value()) }, // want(racy/HiddenField) race: h.Value
	)
}

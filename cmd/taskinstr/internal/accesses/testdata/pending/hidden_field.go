package main

import "taskinstr/cmd/taskinstr/internal/accesses/testdata/pending/hidden"

// Class: hidden field

func (racy) HiddenField() {
	h := hidden.New(1)
	parallel(
		func() { h.Set(2) },
		func() { sink(h.Value()) },
	)
}

package main

import "taskinstr/cmd/tilab/internal/accesses/testdata/classes/options"

// Class: unnamed type
//
// The type of the slice belongs to a package that this file does not import. Whoever
// keeps the slice writes a pointer to it, and that write is checked.

type plainOption int

func (plainOption) Apply() {}

func (racy) UnnamedType() {
	var s options.Set
	parallel(
		func() { s.Add(plainOption(1), plainOption(2)) }, // want race: -
		func() { sink(s.First()) },                       // want race: -
	)
}

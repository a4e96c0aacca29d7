// Package options makes the slice of its arguments known.
package options

import "taskinstr/cmd/tilab/internal/accesses/testdata/classes/options/option"

// Set holds options.
type Set struct{ List []option.Option }

// Add keeps the slice of its arguments.
//
//go:noinline
func (s *Set) Add(list ...option.Option) { s.List = list }

// First returns the first option.
//
//go:noinline
func (s *Set) First() option.Option {
	if len(s.List) == 0 {
		return nil
	}
	return s.List[0]
}

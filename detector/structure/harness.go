package structure

import (
	"strings"

	"taskinstr/detector/trace"
)

// Harness reports whether an operation is package testing's own: testing limits the
// number of tests that run at once, guards its internal state and waits for time to pass.
// These operations do not affect the results that tests compute. Two steps that only they
// order count as parallel.
func Harness(s *trace.Symbols, site, stack uint32) bool {
	c, _, ok := s.UserCall(site, stack)
	return ok && strings.HasPrefix(c.Func, "testing.")
}

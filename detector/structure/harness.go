package structure

import (
	"strings"

	"taskinstr/detector/trace"
)

// Harness reports whether an operation is package testing's own: how it limits the number
// of tests that run at once, guards its books and waits for time to pass. Which test goes
// first there changes nothing that tests compute, and what is not known to be ordered by
// it is taken to be parallel.
func Harness(s *trace.Symbols, site, stack uint32) bool {
	c, _, ok := s.UserCall(site, stack)
	return ok && strings.HasPrefix(c.Func, "testing.")
}

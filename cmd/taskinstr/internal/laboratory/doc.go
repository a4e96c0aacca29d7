// Package laboratory is "taskinstr selftest": it hands a suite to the command tilab, the
// laboratory, with this executable as the tool under test.
//
// The suites are no part of the product: they take as many lines as the rest of the command, and
// an installed taskinstr is needed for builds only. A checkout has both (package sibling).
package laboratory

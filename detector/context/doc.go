// Package context gives each calling context of a program a number, so that the place of an access is
// a few words. A context is a return address and the context that it returns to; 0 is the empty one.
// Reports follow the numbers outwards (Tree.Frame).
//
// A Tree has the contexts of an engine. Equal contexts mostly have one number: a Cache, which one thread
// at a time uses, remembers contexts, and a table that all threads share finds them by a hash. A context
// that both have lost gets another number. The engine marks the contexts that its history names, and
// Sweep frees the others.
//
// rt merges this package's text into package runtime.
package context

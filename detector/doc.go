// Package detector decides which accesses of a parallel program race. It sees
// task events and accesses, in parallel, as they happen, and keeps what it needs
// to know of them outside the Go heap. It knows nothing of goroutines.
package detector

// Package replay runs a program in the order of events that a detector gives with a race, and
// tells whether the race happened there.
package replay

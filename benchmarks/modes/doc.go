// Package modes measures the programs of benchmarks/run in several modes side by side: it
// builds them once in each mode and runs the modes in turns, so that a change of the
// machine's speed meets all of them.
package modes

// Package modes measures the programs of benchmarks/run in several modes side by side. It
// builds them once in each mode. The modes run in turns, so that a change of the
// machine's speed affects all of them.
package modes

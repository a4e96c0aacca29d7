// Command hooks measures single operations that the detector records without a check in the source:
// locks, atomics, channels, maps, pools, allocations and go statements. It prints the processor time of
// an operation in nanoseconds, the median of -runs runs in one process.
//
//	go build -o plain ./benchmarks/hooks && ./plain
//	go build -race -o race ./benchmarks/hooks && ./race
//	taskinstr build -o checked ./benchmarks/hooks && ./checked -operation='rlock, 2 tasks'
package main

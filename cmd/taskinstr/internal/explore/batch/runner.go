package batch

import "context"

// A Runner carries out batches in this process.
type Runner interface {
	// Run runs the schedules of b. If ctx is done it returns the result so far, whose Runs is
	// less than b.Count. An error says that the batch could not run at all: a binary
	// without the digest or without instrumentation, a full disk, an unknown strategy.
	Run(ctx context.Context, b *Batch) (*Result, error)
}

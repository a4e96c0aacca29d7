// Package contract states the entry points of a detector that package rt can merge into package
// runtime (docs/architecture.md, section 3), their callers and stacks, and the limits of their costs.
// Engine is for all detectors; Parallel adds the entry points for tasks that run at the same time. The
// compiler checks the methods of each detector against these types, and the tests of
// this package check the sources: the runtime calls nothing else, and an entry point on a task's own
// stack cannot grow it.
//
// # Preconditions of all entry points
//
//   - One thread at a time drives a task. Any number of threads call entry points of one engine at the
//     same time, for different tasks.
//   - Go does not deschedule the caller inside of an entry point: it runs on the system stack, or with
//     m.locks raised, or the entry point is nosplit (Stack).
//   - The caller holds no lock of the engine, and an entry point returns without one. The exception is
//     BeginUpdate, BeginLoad and BeginStore, which keep the object of the variable until EndUpdate.
//   - No entry point blocks, allocates Go memory, or calls back other than through the host functions.
//
// The laws at the methods are those of the conformance tests, which all detectors pass.
package contract

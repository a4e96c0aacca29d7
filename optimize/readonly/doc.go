// Package readonly is the pass that removes the checks of reads of memory that no task
// writes while more than one task may exist. Two reads do not race, and the start of the
// tasks orders them after the earlier writes. A write in another phase of the main task
// is ordered as well, by the moment between the phases at which no other task exists.
//
// The pass needs, for every access of the site:
//
//   - no write to the memory beside the read (ssapass.WrittenBeside is false);
//   - nothing that the runtime starts by itself, a finalizer or a callback, touches the
//     memory (ssapass.Outside is false): such a read may meet a write of a main task that
//     seems to be alone.
//
// A captured variable that only the call writes that made it is read by this call without
// checks: the reads and the writes are of one task (ssapass, ownvariable.go).
//
// A first value, which a literal gives new memory, is no write in this sense as long as
// only checked code publishes the memory; package fresh gives the reason.
//
// In package scope the phases are those of an invocation, for memory that is confined to it
// (ssapass, invocation.go), and for other memory the package's own initialization (ssapass, init
// phase): tables that only initializers write, and that other packages cannot name, are read
// without checks. Memory that other packages know may be written there.
//
// Source: TaskChecker (Raman et al.), section 6.2. Departures: the paper looks at the
// fields and arrays that are written inside of any task. Here the unit is a cell of a
// single object, and the writes of the main task beside running tasks count as well.
package readonly

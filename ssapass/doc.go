// Package ssapass analyses a program before it is compiled. It is the base of the
// static passes: the whole program in SSA, its access sites, the targets of pointers
// (package pointsto), the effects of functions, and the memory that tasks share.
// Package site says which accesses get a check; package splice makes the checks. The
// analysis needs the first of these two.
//
// # Use
//
//	p, err := ssapass.Load(ssapass.Config{Dir: dir, Flags: flags, Patterns: patterns})
//	a := p.Analyze()
//	for _, s := range a.Sites.List {
//		for _, c := range s.Accesses { // all of them have to agree
//			mem := a.Where(s, c)
//			...a.SharedAt(mem), a.WrittenInParallel(mem), a.Parallel(c.Instr)...
//		}
//	}
//
// | question | answered by |
// |---|---|
// | which functions may run, whom does a call run, who calls a function | Program.Functions, Analysis.Callees, Callers |
// | the accesses of the source, and what each is in SSA | Analysis.Sites, Sites.Lookup, Sites.Of |
// | what memory an access touches | Analysis.Where; pointsto.Set |
// | may two accesses meet | Analysis.Points.MayAlias, Points.Overlap |
// | can another task reach it (escape) | Analysis.SharedAt, Shared, ParamEscapes |
// | is it written while tasks run (readonly) | Analysis.WrittenInParallel |
// | may another task exist here (maintask) | Analysis.Parallel with Outside; MainOnly, InTask |
// | may this instruction release, acquire, ... (hoist, dominate) | Analysis.InstrSync, CallSync |
// | what may a call do | Analysis.Summary |
// | which locks are held here | Analysis.Held, EntryLocks |
//
// # Terms
//
// A site is an access of the source: a place that is read or written, or the
// elements behind a slice or map that a builtin or range clause reads or
// writes. Its key (Key) is file, line and column after line directives, the
// text of the expression in the site table's form (site.Text), whether it is a
// write, and whether the elements are meant. Package site computes the same key
// from syntax alone, with the base name of the file (Key.Site). A site has one access for each SSA
// instruction that it is: none if the functions around it cannot run (Dead),
// several in generic code, in test variants of a package, or where line
// directives map several expressions to one position. A decision about the site
// needs every access to agree. A key that Lookup does not know, and any file
// whose Program.Text differs from the text at hand, means: checked.
//
// op= and ++ are a read site and a write site with one expression; package site has
// only the write. An access of a whole struct or array is one instruction, and
// the Set of its address has the width of the type.
//
// A Set holds cells: abstract memory words of objects, see package pointsto. Its
// Unknown bit adds every object that escaped to code not seen. A Set with no
// cells and no Unknown bit belongs to code that never runs or that the analysis
// lost; all questions answer for it as for anything.
//
// The main task runs the initializers and main; every other task begins with a
// go statement, or is started by code not seen (timers, finalizers,
// exported functions). Code not seen is whatever has no body: assembly, system
// calls, package runtime.
//
// # Algorithm
//
// Load reads the packages with go/packages and builds SSA with generics
// instantiated; of package runtime and internal/runtime only declarations.
// Functions that may run are found by rapid type analysis, with every function
// used as a value taken to be called (reach.go); links by go:linkname, export
// directives and assembly are followed (links.go). Dynamic calls are resolved
// by variable type analysis (calls.go). Where it gives less than the points-to
// analysis finds in the called value, or where that comes from code not seen,
// all functions of the signature or method that rapid type analysis knows are
// added.
//
// Sites are found by position: SSA gives each load and store the position of an
// identifier, selector, bracket or star, and sitewalk.go looks there for each
// expression of the syntax trees. Loads that SSA gives no position are reached
// from a neighbour: embedded pointers from the selection behind them, range
// elements from the variable they are assigned to.
//
// Summaries are computed bottom-up over the components of the call graph
// (summary.go) from a base table of package sync and of functions without body
// (base.go). The bits of Sync say what may happen in the task itself; a task
// that is started contributes MaySpawn and MayRelease and nothing of its own
// effects. A deferred call counts at RunDefers, or at the return where only bodies
// of loops over functions defer calls. Effects larger than effectLimit cells become
// Everything.
//
// Phases (phase.go): a forward flow over each function tells where a task may
// exist that was started since its entry; WaitGroup.Wait ends those whose
// WaitGroup is a local used for nothing else, with an Add(1) before each go in
// its block and a deferred Done first in the task (or WaitGroup.Go), if they wait
// for those that they start themselves. Top-down, a function called where tasks exist is parallel as
// a whole. The goroutines of tests and benchmarks, for which package testing waits at
// once, count as calls unless a test may call T.Parallel (testing.go).
//
// Sharing (tasks.go): objects reachable from what escaped to code not seen,
// from package-level variables named in functions of other tasks, or from
// operands of go statements. Channels carry what is stored in them, so that
// what is sent through a shared channel is shared.
//
// Locks (lock.go): forward flow of locks that are held for certain, named by
// access path from an SSA value; an unlock of any other name, or a call that may
// do so, empties the set.
//
// # Soundness
//
// Facts only say that something is safe; what is not known is not safe. They
// hold for programs that
//
//   - reach memory by unsafe only through pointers converted from pointers
//     (pointsto follows those; an unfitting conversion gives the object up to
//     code not seen) and never beyond the object's bounds;
//   - have assembly that works on what its arguments point to and keeps none
//     of it, where that holds no pointers;
//   - let each task give up only locks that it took (for Held);
//   - are run as they were analysed: no plugins;
//   - do not look on while package testing writes the profiles and traces that flags
//     asked for (their tasks are left out).
//
// The functions that only the Go runtime calls when the program dies (Error and
// String of a panic's value) are left out.
//
// Parallel speaks of tasks started by the program. Finalizers, cleanups and
// callbacks of the runtime may run at any time: a pass that relies on Parallel
// being false asks Outside as well.
//
// The sets are insensitive to the order of statements: an object that escapes
// anywhere is shared everywhere.
package ssapass

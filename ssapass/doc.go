// Package ssapass analyses a program before it is compiled. It is the base of the
// static passes: it provides the SSA of the whole program, its access sites, the
// points-to sets of pointers (package pointsto), the effects of functions, and the
// memory that tasks share. Package site determines which accesses get a check, and the
// analysis uses it. Package splice inserts the checks, and the analysis does not depend
// on it.
//
// # Use
//
//	p, err := ssapass.Load(ssapass.Config{Dir: dir, Flags: flags, Patterns: patterns})
//	a := p.Analyze()
//	for _, s := range a.Sites.List {
//		for _, c := range s.Accesses { // all of them have to agree
//			mem := a.Where(s, c)
//			...a.SharedAt(mem), a.WrittenBeside(c.Instr, mem), a.Parallel(c.Instr)...
//		}
//	}
//
// | question | answered by |
// |---|---|
// | which functions may run, which functions a call runs, which calls run a function | Program.Functions, Analysis.Callees, Callers |
// | the accesses of the source, and their SSA instructions | Analysis.Sites, Sites.Lookup, Sites.Of |
// | the memory of an access | Analysis.Where; pointsto.Set |
// | may two accesses meet | Analysis.Points.Overlap |
// | may another task reach the memory (escape) | Analysis.SharedAt, Private |
// | does other code know the elements that an append writes (fresh) | Analysis.Behind |
// | may another task write the memory meanwhile (readonly) | Analysis.WrittenBeside; WrittenInParallel, FilledInParallel |
// | may another task be live here (maintask) | Analysis.Parallel with Outside; MainOnly, InTask; in a unit AloneWithin |
// | may this instruction release, acquire, ... (hoist, dominate) | Analysis.InstrSync, CallSync |
// | the effects of a call | Analysis.Summary |
// | the locks held here | Analysis.Held |
//
// # Terms
//
// A site is an access of the source: an expression that reads or writes memory, or a
// builtin or range clause that reads or writes the elements behind a slice or map. Its
// key (Key) has the file, line and column after line directives, the text of the
// expression in the form of the site table (site.Text), whether the access is a write,
// and whether it is to elements. Package site computes the same key from syntax alone,
// with the base name of the file (Key.Site). A site has one access for each of its SSA
// instructions: none if the functions around it cannot run (Dead), and several in
// generic code, in test variants of a package, or where line directives map several
// expressions to one position. A decision about the site needs every access to agree.
// An access stays checked if Lookup does not know its key, or if Program.Text of its
// file differs from the text that is compiled.
//
// op= and ++ are a read site and a write site with the same expression; package site
// has the write only. An access of a whole struct or array is one instruction, and the
// Set of its address has the width of the type.
//
// A Set holds cells, which are abstract memory words of objects; see package pointsto.
// Its Unknown bit adds every object that escaped to external code. A Set without cells
// and without the Unknown bit belongs to code that never runs or that the analysis
// lost; for such a Set all questions have the safe answer.
//
// External code has no body in sight: assembly, system calls, and package runtime. Code
// outside a Unit is external, too.
//
// The main task runs the initializers and main. Every other task begins with a go
// statement, or external code starts it (timers, finalizers, exported functions). A
// task is live from its start to its end, as far as the analysis can tell. The main
// task is alone while no other task is live. A parallel region is the code that may run
// between two points at which the main task is alone; see region.go.
//
// # Algorithm
//
// Load reads the packages with go/packages and builds SSA with generics instantiated;
// of packages runtime and internal/runtime it builds declarations only. Rapid type
// analysis finds the functions that may run (reach.go); it assumes that every function
// used as a value is called. It follows links by go:linkname, export directives and
// assembly (links.go). Variable type analysis resolves dynamic calls (calls.go). If the
// points-to set of a called value has more functions, or is unknown, all functions of
// the signature or method that rapid type analysis knows are callees as well. In a unit, a
// call of an unexported field of function type calls what the unit stores in that field
// (fieldcall.go), and functions of std that call back have models in place of their bodies
// (model.go).
//
// Sites are found by position. Package ssa gives each load and store the position of an
// identifier, selector, bracket or star, and sitewalk.go looks there for each
// expression of the syntax trees. It finds a load without a position through a
// neighbour: a load of an embedded pointer through the selection that follows it, and a
// load of a range element through the variable that receives it.
//
// A generic function that packages outside of a unit may instantiate has opaque instances, which
// represent the instances of these packages (opaque.go). Without one, its sites have no accesses.
//
// Summaries are computed bottom-up over the strongly connected components of the call
// graph (summary.go), from a base table of package sync and of functions without body
// (base.go). The bits of Sync are effects in the task itself. A task that is started
// contributes MaySpawn and MayRelease but not its own effects. A deferred call counts
// at RunDefers, or at the return if only bodies of loops over functions defer calls. An
// effect of more than effectLimit cells becomes Everything.
//
// Live tasks (livetasks.go): a forward data-flow analysis of each function computes
// where tasks that it started may be live. WaitGroup.Wait ends the tasks of a local
// WaitGroup that has no other use, if each go statement has an Add(1) before it in its
// block or an Add(n) before its loop (announce.go), each task begins with a deferred
// Done (or WaitGroup.Go starts it), and each task waits for the tasks that it starts
// itself. Top-down, a function that is called while tasks are live is parallel as a
// whole. The goroutines of tests and benchmarks, for which package testing waits at
// once, count as calls unless a test may call T.Parallel (testing.go).
//
// Invocations (invocation.go): a unit has live tasks and regions, too, for memory that a call
// from outside keeps to itself. The tasks of other calls do not know it.
//
// Sharing (tasks.go): an object is shared if it is reachable from an object that
// escaped to external code, from a package-level variable that a function of another
// task names, or from an operand of a go statement. A channel holds the values that are
// sent through it, so values sent through a shared channel are shared.
//
// Locks (lock.go): a forward data-flow analysis computes the locks that are held on all
// paths, named by access path from an SSA value. An unlock under any other name, or a
// call that may unlock, empties the set. The first call of Held runs this analysis.
//
// # Soundness
//
// A fact states that something is safe; without a fact nothing is safe. Facts hold for
// programs that
//
//   - reach memory by unsafe only through pointers converted from pointers, never beyond the
//     bounds of the object (pointsto follows these conversions; after a conversion to another
//     layout the object escapes);
//   - reach, outside of the packages in sight, no more of a variable through a pointer to a
//     part of it, such as &x.f, than that part;
//   - have assembly that only accesses memory that its arguments reach, and that keeps no
//     pointer to such memory where it holds no pointers;
//   - let each task release only locks that it acquired (for Held);
//   - run as they were analysed, without plugins;
//   - for a Unit: have no package that pulls unexported functions or variables of another one
//     by a go:linkname directive, unless these have a directive themselves (the linker demands
//     this of symbols of the standard library, unless it gets -checklinkname=0, but not of
//     symbols of other packages), and none that gets pointers out of unexported fields by
//     reflection and package unsafe, to call unexported methods;
//   - do not read the profiles and traces that flags of package testing ask for while testing
//     writes them (the tasks that write them are omitted).
//
// The analysis omits calls that only the Go runtime makes when the program dies: Error
// and String of the value of a panic.
//
// Parallel covers the tasks that the program starts. Finalizers, cleanups and callbacks
// of the runtime may run at any time, so a pass that relies on Parallel being false
// must ask Outside as well.
//
// The sets are flow-insensitive: an object that escapes anywhere is shared everywhere.
//
// The glossary of all packages is docs/design/glossary.md.
package ssapass

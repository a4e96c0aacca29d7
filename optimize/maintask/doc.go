// Package maintask is the pass that removes the checks of accesses which run only while
// no other task exists: in the main task, before the first go statement or after a Wait
// for all tasks. No task runs beside such an access, so that it cannot race.
//
// It needs, for every access of the site:
//
//   - no other task may exist at the access (ssapass.Parallel is false);
//   - nothing that the runtime starts by itself, a finalizer or a callback, touches the
//     memory (ssapass.Outside is false).
//
// The pass needs the whole program. In package scope it could prove accesses of initializers
// alone, which run once: the tasks of a main package before its main.main are not in sight.
//
// Source: TaskChecker (Raman et al.), section 6.1. Departures: the paper's main task is
// the code outside of any finish. Here a flow analysis finds the phases of the main task
// across calls, and several of them may lie between tasks. The pass leaves to the
// detector (Engine.Alone) the code that is alone only at run time, such as the code
// behind a pool that was stopped, or behind a loop over Wait.
package maintask

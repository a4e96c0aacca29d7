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
// In package scope other tasks may exist at any time. There the pass looks at memory that is
// confined to an invocation, a call from outside with all that runs because of it, and asks
// whether the invocation has no other task (ssapass.AloneWithin). The invocation of a main
// package is the program, with its variables.
//
// Source: TaskChecker (Raman et al.), section 6.1. Departures: the paper's main task is
// the code outside of any finish. Here a flow analysis finds the phases of the main task
// across calls, and several of them may lie between tasks. The pass leaves to the
// detector (Engine.Alone) the code that is alone only at run time, such as the code
// behind a pool that was stopped, or behind a loop over Wait.
package maintask

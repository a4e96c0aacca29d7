// Package structure finds the structure of ordinary Go programs: it reads the raw events
// of a trace and adds the finish scopes and promises that they are equivalent to.
//
// # The mapping
//
//   - A round of a WaitGroup is a finish scope under two conditions: each Done before the
//     Wait is the last operation of its task and that task descends from the waiting task,
//     and no other task waits for the round. The scope begins before the first fork
//     that leads to one of these tasks. So errgroup and other libraries built on
//     WaitGroups become async and finish.
//   - Any other round consists of promises: each Done sets one and the Wait gets them all.
//     Examples are a goroutine that waits for its siblings and closes a channel, and a Done
//     in the middle of a task.
//   - A close sets a promise; each receive from the closed channel gets it.
//   - A channel with one sending and one receiving task is a sequence of promises: the k-th
//     send precedes the k-th receive, and the k-th receive precedes the send that takes the
//     freed place of the buffer. Several senders count as one if they send in turn: the
//     receiver, or a descendant of it, forks each sender after the previous sender's message
//     has arrived. On an unbuffered channel the past of each side precedes the next events
//     of the other.
//   - sync.Once is a promise, set after the function and read by all later callers.
//   - Mutex and RWMutex are locks, which traces contain already.
//
// # Synchronization outside the structure
//
// Any other synchronization becomes an [event.Outside] with its operation and place:
// channels with several senders or receivers, select, Cond, WaitGroups whose rounds
// overlap, locks that another task releases, tasks that the runtime makes for timers and
// finalizers. An atomic operation, a pool or I/O becomes one only if it orders two steps
// that are parallel in the structure found so far; most order nothing.
//
// # Passes
//
// Whether a channel has one sender is known only at the end of the trace. So a [Finder]
// reads the trace once and makes a [Plan], and a [Mapper] reads it again and adds the
// events. Raw events stay in the trace, before the events that they add.
package structure

// Package structure maps what ordinary Go does onto structured events: it reads the raw
// events of a trace and adds the finish scopes and promises that they amount to.
//
// # The mapping
//
//   - A WaitGroup is a finish scope, if all that is done before a Wait is done by tasks
//     that end with it and descend from the task that waits, and nobody else waits for
//     the same. The scope begins in front of the first fork that leads to one of them.
//     So errgroup and what else is built on WaitGroups is async and finish.
//   - Any other Wait reads promises: each Done sets one. A goroutine that waits for its
//     siblings and closes a channel, and a Done in the middle of a task, are of that kind.
//   - A close is a promise, which those set that receive from the closed channel.
//   - A channel with one sending and one receiving task is a sequence of promises: the
//     k-th send precedes the k-th receive, and that the send that takes its place in the
//     buffer. Several senders are as good as one where each is forked, by the receiver
//     or below, when the message of the one before has arrived. On an unbuffered one each side precedes what the other does next.
//   - sync.Once is a promise, set behind the function and read by who comes later.
//   - Mutex and RWMutex are locks, in traces already.
//
// # What is left
//
// All else that orders becomes an [event.Outside] with the operation and its place:
// channels with several senders or receivers, select, Cond, WaitGroups whose rounds
// overlap, locks that another task gives up, tasks that the runtime makes for timers and
// finalizers. Atomic operations, pools and I/O are one only where they order two steps
// that the structure found so far leaves parallel: most order nothing.
//
// # Passes
//
// Whether a channel has one sender is known at its end alone. So a [Finder] reads the
// trace once and makes a [Plan], and a [Mapper] reads it again and adds the events. Raw
// events stay in the trace, in front of what is added for them.
package structure

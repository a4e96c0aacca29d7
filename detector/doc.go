// Package detector decides which accesses of a parallel program race. It sees
// task events and accesses, on all threads, as they happen, and keeps what it
// needs to know of them outside the Go heap. It knows nothing of goroutines,
// stacks or text: those are the host's, which is package runtime (rt merges this
// package into it, see docs/architecture.md) or, in tests, ordinary Go code.
//
// # Terms
//
// A task is what one go statement starts. A step is a run of one task between
// two of its forks or releases, numbered from 1. A point (U, i) stands for "task
// U up to its step i, and all that precedes it". A release publishes the point
// of the step it ends; an acquire orders what follows after the points it finds.
// An access that is ordered after more, because it was repeated after an
// acquire, races with less; so acquires end no step.
//
// # Orders
//
// Three orders, each contained in the next:
//
//   - structural: program order, fork, and release to acquire of sync objects. A
//     lock that is given up by a task which does not hold it is a message: its
//     unlock is a release merged at the lock's address, which whoever takes the
//     lock next acquires.
//   - weak: structural, and from the end of a critical section to a later access
//     in another one of the same lock that conflicts with an access in the
//     former, unless both hold the lock shared. This is rule (a) of weak causal
//     precedence. The edges of all bytes of an access come before it is judged.
//   - happens-before: structural, and from each end of an exclusive hold to all
//     later holds of the lock, from each end of a shared hold to later exclusive
//     ones.
//
// Conflicting accesses unordered in happens-before race. Those that are ordered
// there, unordered in the weak order, and under no common lock that one of them
// holds exclusively, are predicted to race. With Options.All predictions go by
// the structural order. With Options.NoPredict lock edges count as structure, no
// locksets are kept, and nothing is predicted.
//
// A hold ends when its task ends it. An exclusive hold ended by another task has
// ended, too, but has no end in the sense of the weak order; who holds a lock
// shared is not known to others, so after an unlock by a task that holds nothing
// shared holds end when no reader is left. A lock is an address and what was
// allocated there.
//
// What the filter (below) holds back repeats an access of the same step under the
// same locks, because filters forget at each fork, release, lock and unlock of
// their task; it would change no answer. Only where another task has ended a
// hold in between does it count as not having happened.
//
// # How order is kept
//
// The question is always: does (U, i) precede the present of task T? Three things
// answer it, in turn (order.go):
//
//   - T is U, or was forked by U at the end of step i or later;
//   - T's clock: a sparse persistent map from tasks to steps (clock.go). A child
//     shares its parent's, a release shares the releaser's with the object, and
//     merging two costs what differs between them;
//   - join records: the first to acquire a release of U writes into U "my steps
//     up to d precede (V, s)", once. That is all that a task which is forked and
//     joined leaves behind: it enters no clock. A query that fails for U goes on
//     with (V, s).
//
// T has two clocks, for the order of predictions and for happens-before, which
// are one as long as no lock is handed from task to task. A clock need not be
// merged if its owner's point at the clock's last change is known, and replaces
// the merger's own if it contains the merger's last change. Where a clock has become
// another task's as it was at a point, knowing that point will do as well (change in
// order.go); so a task that sends to many others, or a lock that thousands pass on,
// costs each of them the same.
//
// # Shadow
//
// A history says who accessed bytes, when, how and under which locks; an origin says
// where: site, instruction and calls. They lie apart. A record is shared by all accesses
// of a kind that a task makes in one step under the same locks; a history is two
// numbers, for writes and reads: a record, or a list of records (record.go, history.go).
// Beside them are two origins, written only where an access changes the history, and
// read only by a report. So a second access of the step, from wherever, changes nothing.
// A list of records has a list of origins beside it, of the same length. Words with the
// same readers share the list of records, from wherever each word was read, so what
// becomes of the words is the same, too.
//
// A block of 8 KiB has up to 29 runs of bytes with equal history and origins, or, cut
// finer, 16 bytes for each word (cells.go, runs.go). A word whose bytes differ has an
// element of its own with the history of each. Ranges that come back make a block runs
// again.
//
// Records are replaced by those that stand for them: all that precede an access and whose
// critical sections are over, whatever locks it holds (judge). So lists are as long as
// there are accesses that nothing orders. Nothing is evicted. Each node of a list leads to
// the next record that is not atomic, so an atomic access does not look at the others,
// however many tasks made them. Sync objects hang below the block of their address; Alloc
// resets both.
//
// # The ways of an access
//
// Probe sees whether bytes have the task's record: then nothing is to be done. Quick
// does what takes short lists alone, no join records to tell the order, no order of
// critical sections that is new, and no memory but the task's stock. The access replaces a
// single write and a single read at once if the task's clock shows that it follows them;
// as a rule they are its own (gives). For other histories foresee works the outcome out
// once in an epoch, and the task remembers it: the new history, and a turn for the writes
// and one for the reads, which says how the origins change. Access does the rest. The
// first two run on the task's own stack (quick.go).
//
// # The filter
//
// A Task begins with a key and the address of a table that instrumented code reads: an
// entry key | addr | size<<48 | write<<63 at (addr>>3 ^ addr<<6) & 511 says that these
// bytes were checked in the epoch that the key's bits from 54 on number. Access makes
// the entries, once the task has passed a few: until then its table is one that stays
// empty (memo.go). Nothing but the key tells epochs apart, and a task's memory can change
// its owner without the task's doing only while it does not look: the host calls
// InvalidateFilters at each collection, with the world stopped.
//
// # Memory
//
// All elements live in arenas, arrays in reserved address ranges that are
// backed by memory as they grow, and are named by 32-bit indices (arena.go).
// Address space set aside: about 1.5 TiB (an estimate from the table limits).
// Sweep, with the world stopped, frees records, lists, critical sections, tasks
// and their clock entries that nothing leads to, and forgets accesses that
// precede all tasks alive; a task that is forked without a parent later counts as
// ordered after those, unless KeepHistory was called. NeedSweep is due in
// proportion to what the last sweep kept, so sweeping costs a constant for each
// record made. A task that is alone and forks forgets all accesses (alone.go).
//
//	task        104 B for as long as it lives or an access names it,
//	            1.7 KiB while it lives; 4 KiB for a filter, 4 KiB for caches and
//	            32 KiB for larger ones as it turns out to need them (memo.go)
//	record      20 B for each step, lockset and kind of access
//	origin      20 B for each site, instruction and stack that a task remembers
//	list node   20 B for each of several records of the same bytes, shared by words,
//	            and 8 B for its origin in each word
//	section     48 B for each critical section with an access
//	clock node  48 B for up to 8 tasks
//	point       48 B for each task that released to an object since it was acquired
//	object      80 B
//	block       640 B for 8 KiB; 16 KiB more as cells; 136 B for a split word
//	frame       16 B for each calling context
//
// # Time
//
//	Access        constant; a range costs the runs it meets, or its words if cells
//	Fork          constant
//	Release       constant, amortized
//	Acquire       the points new to the task, each constant for joined tasks, else
//	              the logarithm of the tasks plus what differs between the clocks
//	Lock          as Acquire, of one point; Unlock: constant
//	Alloc         the runs and objects in the range, or its words if cells; nothing
//	              where there is no shadow
//	order query   a few loads; in chains of joins the length of the chain
//
// # Sources
//
// Join records and the task tree follow the DPST of PTRacer and DRDP's non-tree
// joins, but need no search for common ancestors, because a child's clock has
// what precedes it. Histories keep what FastTrack keeps (with Options.All per lockset, as
// in ALL-SETS) and give up nothing. The weak order is a part of Kini, Mathur and
// Viswanathan's WCP (rule (a) alone, which needs no queues).
// Package oracle states all of the above by brute force.
package detector

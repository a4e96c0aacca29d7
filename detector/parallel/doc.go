// Package parallel decides which accesses of a parallel program race. It receives task
// events and accesses from all threads as they happen and keeps its state outside the Go
// heap. It knows nothing of goroutines, stacks or text; these belong to the host, which
// is package runtime (rt merges this package into it, see docs/architecture.md) or, in
// tests, ordinary Go code.
//
// # Terms
//
// A task is the execution started by one go statement. A step is a maximal part of a task
// without a fork or release (an unlock is a release); steps are numbered from 1. An epoch
// (U, i) names step i of task U and represents all that U has done up to it, with
// everything that precedes that. (In FastTrack an epoch is a task and the value of its
// clock.) A release publishes the epoch of the step that it ends. An acquire orders
// everything the task does next after the epochs that it finds. An acquire ends no step:
// an access repeated after an acquire is ordered after more accesses and so races with
// fewer. A generation of a task is the time in which its filter and caches (below) stay
// valid; each step and each lock operation begins a new one.
//
// # Orders
//
// There are three orders, each contained in the next:
//
//   - structural: program order, fork, and release to acquire of sync objects. If a task
//     unlocks a lock that it does not hold, the lock passes a message: the unlock is a
//     release merged at the lock's address, and the next task to take the lock acquires
//     it.
//   - weak: structural, and from the end of a critical section to a later access in
//     another section of the same lock, if that access conflicts with an access in the
//     first section and at least one section holds the lock exclusively. This is rule (a)
//     of weak causal precedence. All such edges of an access are added before the access
//     is judged. Here two atomic accesses of the program conflict as well if one of them
//     writes: in another order of the sections a load would take another value. Operations of
//     locks, which are atomic accesses to the locks' words (Task.Word), do not. There is also
//     an edge from the end of a critical section to the beginning, or the end, of a later section of the lock,
//     if the beginning of the earlier one precedes that point and at least one of the two is exclusive.
//     This is rule (b). Each lock remembers the last sections in which their tasks released
//     something (announced.go), and a task those in which it was forked. Two quiet sections (Task.Quiet) have no
//     such edges.
//   - happens-before: structural, from each end of an exclusive hold to all later holds
//     of the lock, and from each end of a shared hold to later exclusive holds.
//
// Two conflicting accesses that happens-before does not order race. Two conflicting
// accesses that happens-before orders and the weak order does not are predicted to race,
// unless they lie inside of two critical sections of one lock, at least one of which is
// exclusive. With Options.All the structural order replaces the weak order. With
// Options.NoPredict lock edges belong to the structural order, no locksets are kept, and
// nothing is predicted.
//
// # Critical sections
//
// A critical section belongs to its lock, and any task may end it. An access lies inside of the
// section if it follows the beginning and precedes the end, in the weak order. So a section protects
//
//   - the accesses of the task that began it, until the task ends it,
//   - the accesses of a task to which the lock was handed over, until this task, or a task that
//     follows the access, ends the section,
//   - the accesses of tasks that its task forks and waits for.
//
// It protects neither the accesses that its task makes after it has handed the lock over, nor those
// of a task that the end of the section does not wait for. In general the end of the section decides,
// so some predictions are reported then (handover.go). A section that lasts to the end of the
// execution protects all that follows its beginning.
//
// A hold is the time during which the task that took a lock holds it. If another task unlocks an
// exclusive hold, the hold is over. The unlock is a message to all later holders, so it needs no end
// in the weak order. The engine does not know which tasks hold a lock shared. So a shared unlock by
// a task without a hold may end any shared section, and after it all shared holds of the lock
// end when its last reader leaves. A lock is identified by its address and the allocation there.
//
// The filter (below) only holds back accesses that repeat an access of the same step
// under the same locks, because a task's filter expires at each of its forks, releases,
// locks and unlocks. Such a repetition would change no result.
//
// # How order is kept
//
// All checks ask one question: does step s of task U precede the present of task T? Each task has a
// slot (slot.go), and T's clock has, for each slot, the highest step there that is known to precede
// T: an array of 64 steps, and further arrays if there are more slots (clock.go). So the answer costs
// three loads. Clocks are counted by reference: a fork, a release and the end of a critical section
// share T's, and T's next change copies 64 steps.
//
// A task that ends leaves its slot. A later task may have the slot if it follows all that the first
// one did, or if no access of the first is left in the shadow. So a program in which 1,024 tasks live,
// or have left accesses that may still race, has exact answers, however many tasks have lived. Tasks
// beyond that share slots (Engine.inexact). This may hide races, and predictions end for some locks or for all (relax).
//
// T has two clocks, one for the order of predictions and one for happens-before. They share the arrays
// that are equal in both (unite). Two rules avoid most joins of clocks. If T
// already knows the epoch of the other clock's last change, T's clock already contains
// the other clock. If the other clock contains the last change of T's clock, it replaces
// T's clock. When a clock has become a copy of another task's clock at some epoch,
// knowledge of that epoch serves as well (change in clock.go, Engine.take). So a task that sends to
// many others, and a lock that thousands of tasks pass on, cost each receiver the same.
//
// A sync object holds the epoch and the clocks of its last release or, if several tasks have released
// that do not follow each other, a clock that joins theirs.
//
// # Shadow
//
// The history of some bytes holds the task, the epoch, the kind and the locks of each
// access to them. An origin holds the place of an access: site, instruction and calls.
// Histories and origins are stored apart. All accesses of one kind
// that a task makes in one step under the same locks share a record. A history is two
// numbers, for writes and for reads; each is a record or a list of records (record.go,
// list.go, history.go). Beside them are two origins, which are written only when an
// access changes the history and read only by a report. So a further access of the same
// step, at any place, changes nothing. A list of records has a list of origins of the
// same length beside it. Words with the same readers share the list of records, wherever
// each word was read, and so share later changes of their histories too. A task that reads a word in
// one step after the other changes its own read there in place, if this read is among the newest (reread).
//
// A block is the shadow of 8 KiB. It has up to 29 runs of bytes with equal histories and
// origins or, if the program divides it more finely, a cell of 16 bytes for each word
// (runs.go, cells.go). A word whose bytes have different records has a separate element that holds its
// histories, each with a mask of bytes. If only their places differ, the origin of the word is a pair of
// origins (origin.go). A block of cells becomes a block of runs again when
// long accesses return.
//
// A new access replaces the records that it subsumes: those that precede it and whose
// critical sections have ended, under any locks (see judge). So a list is as long as the
// number of mutually unordered accesses. Nothing else is evicted (except of racing
// writes, see writersKept). Each list node leads to the next record of a non-atomic
// access, so that an atomic access skips the other atomic ones, however many tasks made
// them. Sync objects are attached to the block of their address; Alloc resets both.
//
// # The paths of an access
//
// Three functions handle an access, the cheapest first. Probe looks for the task's own
// record in the history of the bytes; if it is there, the access needs no work. Quick
// handles an access that needs only short lists, no new order between critical sections, and no
// memory but the proc's stocks, which Restock refills. If the history is a single write and a single
// read and the task's clock shows that both precede the access, Quick replaces them at once (usually both are the task's
// own, see quickReplaces). For other histories foresee computes the result once for each
// generation, and the task's proc (proc.go) remembers it: the new history, and one edit each for the
// writes and the reads, which says how the origins change. Access handles the rest. Probe
// and Quick run on the task's own stack (probe.go, quick.go).
//
// # New memory
//
// Memory that a task gets is zero, and by Go's memory model this initialization is a write. New makes it the
// history of the memory, with the place of the allocation. What the task then does with the memory in the same
// step repeats the write, so Probe answers it (new.go). Most objects live no longer than that.
//
// # Memory order
//
// Threads share the data below. On a processor that does not keep its memory accesses in order (arm64) the
// engine relies on Load32 and Load64 (of package mem) as acquires, on Store32 and Store64 as releases, on Cas32 and Add32
// as both, and on Fence, which orders earlier stores before later ones. All other loads and stores are
// plain, and on amd64 Fence is nothing.
//
//   - What a lock word or the sequence lock of a block guards is accessed under the lock alone, unless
//     it is named below. A lock is taken with Cas32 and given up with Store32. (With Options.TSO a plain
//     store gives it up.) Records, sets, sections, origins and their lists reach other tasks in
//     histories, and so under the lock of a block, and are complete by then.
//   - Probe reads runs and split words without the lock, all by Load32 and Load64, between two loads of
//     the sequence lock. The holder's stores come behind the odd value (Fence in TryLockSeq) and
//     before the even one (Store32).
//   - Probe reads a cell by Load64, of which each half counts for itself. It looks there for records of
//     the task's present step. An old value suffices: bytes that a record of this step has covered
//     stay covered. An old entry of the directory suffices, too, because a page of cells belongs to one
//     block until a sweep. The list node that a cell names is complete before the cell (Fence in
//     foresee, judge and reread).
//   - A table of the directory, a block, a page of cells, an object and a frame are complete before the
//     Store32 or Store64 that makes a reader find them. A reader without a lock finds them by Load32 or
//     Load64. Whoever finds an object this way locks it and looks at its address again.
//   - A section is complete before the Store32 to ended, and the sections that setNode.ends names have
//     ended before the Store32 to ends. record.ends is one number, the same for all readers.
//   - A page or top of a clock changes in place if Load32 finds one owner. An owner leaves with Add32,
//     behind its last load.
//   - A task leaves Engine.others with Add32, behind all else that it does. The task that loads 0 there
//     sees Engine.nslots, joined and slot.cover as all others left them. recheck and the 0 in crowded may come late: then
//     the task is alone later.
//   - slotOf and slot.mixedTo are stored before the first release of a task of the slot, so whoever knows
//     a step of it sees them. mixedTo may rise afterwards, for later steps.
//   - Acquired loads an object's address, version and epoch. They change before the program's own release, and
//     whoever calls Acquired has seen that release.
//   - The mark of an origin, Engine.conflictN and the 0 in taskInfo.body are stored last, for reports
//     that other tasks make (Known, Conflict, nameOf).
//   - A task's body, filter and caches belong to the thread that drives it, a proc to its processor. The
//     host's scheduler orders one thread after another. Others change them with the world stopped.
//
// # The filter
//
// A Task begins with a key and the address of its filter, a table that instrumented code
// reads. The key holds the task's generation, in the bits from 54 on. The entry key |
// addr | size<<48 | write<<63 at index (addr>>3 ^ addr<<6) & 511 means that these bytes
// were checked in that generation. Access makes the entries once the task has made a few
// accesses; until then its filter is one that stays empty (filter.go). Only the key tells
// generations apart. Memory can change its owner without an event of the task only while
// the task is stopped: the host calls InvalidateFilters at each garbage collection, with
// the world stopped.
//
// # Memory
//
// All elements live in arenas: arrays in reserved address ranges, with memory committed
// as they grow, whose elements are named by 32-bit indices (package mem). Each processor of the host
// has a proc (proc.go), which takes elements in batches for the tasks that run there, keeps
// elements that they free, and remembers places, calling contexts and lists for all of them. So
// tasks rarely wait for each other, and a short task finds the contexts of earlier tasks. The
// reserved address space is about 2.2 TiB. An access visits elements of eight arenas, the hot ones, which
// use large pages early (mem.Arena.Hot). Sweep runs
// with the world stopped. It forgets accesses that precede all live tasks, and frees
// records, lists, critical sections and tasks that are no longer reachable, and finds the slots whose
// tasks have left nothing.
// A task forked later without a parent counts as ordered after the forgotten accesses,
// unless KeepHistory was called. NeedSweep asks for a sweep in proportion to the elements
// that the last sweep kept, so sweeping costs a constant for each record made. A task that is
// alone and forks forgets all accesses (alone.go).
//
//	task        82 B as long as it lives or an access names it,
//	            768 B while it lives, and 4 KiB for a filter if it needs one
//	proc        121 KiB for each processor
//	record      20 B for each step, lockset and kind of access
//	origin      20 B for each site, instruction and stack that a proc remembers
//	list node   24 B for each of several records of the same bytes, shared by words,
//	            and 8 B for its origin in each word
//	section     48 B for each critical section with an access
//	clock       264 B for each 64 slots, shared by tasks, objects and sections
//	object      280 B, and 60 B for a lock that was taken shared
//	suspension  392 B for each prediction that waits for the end of a section
//	announced   132 B for a lock in whose sections a task has released something
//	buffer      16 B, and 8 bytes of addresses without memory for each element, for each
//	            channel of elements of size zero (buffer.go)
//	block       640 B for 8 KiB; 16 KiB more as cells; 48 B for each two histories
//	            of a split word
//	frame       16 B for each calling context
//
// # Time
//
//	Access        constant; a range costs the number of its runs, or of its words if cells
//	Fork          constant
//	Release       constant, amortized
//	Acquire       constant if the epoch is known or one clock is known to contain the other,
//	              else the slots
//	Lock, Unlock  as Acquire, of one epoch and of the announced sections that are new to the task
//	Alloc         the runs and objects in the range, or its words if cells; nothing
//	              without shadow
//	New           as Alloc, and the blocks of the range
//	order query   three loads
//
// # Sources
//
// Slots are those of FastTrack and of LLVM's race runtime, given up exactly. Histories keep the
// same accesses as FastTrack (with
// Options.All, for each lockset, as in ALL-SETS) and give up nothing. The weak order is a part of WCP by
// Kini, Mathur and Viswanathan: rule (a), and rule (b) for the last few sections of a lock in place of a queue of all. Package oracle
// states all of the above by brute force.
//
// The glossary of all packages is docs/design/glossary.md.
package parallel

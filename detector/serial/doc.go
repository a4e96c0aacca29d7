// Package serial is the part that detectors of serial execution share: shadow memory,
// histories of words and bytes, calling contexts, locksets, reports, and the list of tasks
// that run. Packages espbags (ESP-bags) and drdp (DRDP) embed its Engine and decide
// about order (Algorithm). One task runs at a time, so nothing here is locked or atomic.
//
// The same text is an ordinary package and, merged by package rt, a part of package runtime
// (docs/architecture.md). An ordinary Engine calls its algorithm through an interface
// (host.go). In package runtime there is one engine, the calls are direct, and the compiler
// inlines the small ones (rt/files/engine/serial).
//
// # Terms
//
//   - A unit is a piece of execution that the shadow can name: a task for ESP-bags, a step
//     of a task for DRDP. Units below Engine.Base precede everything that still happens.
//   - A word is 8 bytes of memory. Its entry names the last writer and the readers since.
//   - An origin is the place of an access: site, instruction and calling context.
//   - A line is a piece of memory that may have one entry for a range of its words.
//   - A cell is the history of a word byte by byte.
//   - A chunk is 64 KiB of memory.
//   - A task is alone if it is the only one that runs and everything that has ended
//     precedes it. Its accesses leave no trace.
//
// # Locations
//
// The shadow has 8 bytes for each word, the entry, which instrumented code tests itself, and
// 8 bytes for the origins of its writer and its reader (shadow.go). An entry is about the
// bytes that both accessed; other bytes have no history. A word with other differences
// between its bytes, or with an access under locks, has a cell (cell.go).
//
// A write that races with nothing replaces writer and readers: an access that races with one
// of them later races with the write. A read by the unit that wrote last leaves no trace.
// Several readers that do not represent each other are a list, which words share
// (readers.go).
//
// Ranges have one history for each line, or for the part of it that they cover. A word of it
// that is accessed alone leaves the line and returns with the next range (line.go). Entry
// and origins of a line lie side by side, so a row of a matrix costs a few cache lines.
//
// # Locks
//
// An access under locks is an element of a list of its byte. Elements that another one
// represents are left out, as in ALL-SETS (Cheng, Feng, Leiserson, Randall and Stark:
// Detecting Data Races in Cilk Programs that Use Locks, SPAA 1998). Two accesses under a
// common lock do not race, unless both hold it shared. An atomic access is one under a lock
// that all atomic accesses share. The report is exact as long as a list of a byte has at
// most maxLockers elements; Stats.Overflows counts accesses beyond.
//
// # The ways of an access
//
// From the quickest to the slowest; each handles the accesses that the one in front of it
// leaves over:
//
//	instrumented code    compares the entry with three that leave no trace
//	First, Same, Pass    also with entries that the step remembers; ranges of up to 32 words
//	Covered              also entries of lines and of parts of words
//	Again                repeats a judgement of the step, for a known place
//	Quick                judges up to 8 words, if order is known at once
//	Access               everything else; it may run searches and reports races
//
// All but Access run on the stack of the task.
//
// # Memory
//
// Arrays lie in address ranges that get memory when they are written (package mem). When a
// task that is alone forks, everything recorded precedes all that follows, so Base rises and
// all entries count as empty (alone.go). Otherwise Sweep gives back everything without a name
// in the shadow or in a table.
//
//	word      16 B; 16 KiB for each 8 KiB page of memory with an access
//	line      32 B
//	reader    20 B, shared by the words that have the same readers
//	cell     164 B
//	locker    24 B, shared by the bytes that have the same list
//	origin    16 B for each site and calling context
//
// The glossary of all packages is docs/design/glossary.md.
package serial

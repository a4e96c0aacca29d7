// Package predictions writes small random programs whose tasks synchronize in all ways, and runs each in all orders of its
// operations. A predicted race is right if the two accesses race in one of these orders.
//
// Each plain variable of a case has two accesses, in two tasks, so that a report names the pair. What a task does may depend on flags,
// maps, channels, locks that it tries, and on numbers that it reads under their locks, but on no plain variable. So the
// orders of the operations that synchronize determine all races.
package predictions

// Package gather is the pass that checks elements together if accesses reach them in a
// loop, with any subscripts: merging, partitioning, scanning, filling with gaps, slices
// that walk along their array. A variable of the function holds two ranges. An element at
// one end of a range makes it longer, and an element inside changes nothing. Any other
// element replaces the older range, which is checked then. The last ranges are checked
// behind the loop, and when a return or a panic leaves the function.
//
// An access is gathered in the outermost loop in which its slice stays within one array
// (array.go). Accesses of one array share a variable if their subscripts differ by
// constants only.
//
// The loop needs:
//
//   - nothing in it or in its callees orders this task and another, blocks, changes
//     locks, or ends the program: then a check behind an access is in the step of the
//     access;
//   - no jump to a label outside;
//   - no end by a variable that the loop divides or shifts (divides): such a loop writes a few
//     digits.
//
// The function around the loop needs:
//
//   - no goto, if it defers calls: the variables are declared behind the last deferred call,
//     and else at the function's start, where no goto jumps over the declaration;
//   - it defers calls only by statements of its own list, in front of the loop. Other
//     deferred calls would run between a panic and the check, which is deferred itself;
//   - it has few returns for its deferred calls, and the compiler inlines checks into it
//     (site.Defers).
//
// Reads of elements with pointers or truth values keep their checks. The check of such a read may
// show that a critical section comes after an earlier one, which orders what the program
// reaches by the pointer. Delayed behind the checks of these accesses, it would let them look as if
// only the lock had ordered them. (Other elements may be indexes or counters with the same
// effect; a predicted race may then be false.)
//
// Where most ranges stay short, the elements are reached in no order. If the array is known
// in front of the loop and small beside the number of accesses, a bit for each element
// marks those that were accessed, and runs of marked elements are checked in the end.
// Otherwise each element is checked alone, as without the pass.
//
// A site that covers others is gathered as well, because the others are in the same step.
// An element that continues a range costs a comparison. Any other element costs as much
// as before, and the range costs a call. Marks cost an allocation of the instrumented
// function.
//
// # Cost
//
// A variable is 96 bytes that each activation of the function clears, and a deferred call that
// the compiler codes at the returns: 5 to 10 ns where the loop finds all its elements in the
// filter. A loop of one to three iterations over memory that the task has not yet checked takes as
// long as without the pass, one of five half as long. Two kinds of functions would pay more.
// In a function into which the compiler inlines no checks, the variables escape and are
// allocated: a bundler's transforms took 1.67 of -race's time with the variables, 1.43
// without. In a function with many returns, each activation records the deferred call.
//
// Source: none of the papers. The pass affine computes such ranges; here they are found at run time.
//
// Limits: if the main task ends the program while the loop runs, races of at most a few
// kilobytes may be missed.
package gather

// Package gather is the pass that checks neighbouring elements together if an access
// reaches them one after the other in a loop, with any subscripts: merging,
// partitioning, filling with gaps. A variable of the function holds the range so far. An
// element at one end of the range makes it longer, and an element inside changes nothing.
// Any other element begins a new range, and the old range is checked. The last range is
// checked behind the loop, and when a return or a panic leaves the function.
//
// The loop needs:
//
//   - nothing in it or in its callees orders this task and another, blocks, changes
//     locks, or ends the program: then a check behind an access is in the step of the
//     access;
//   - no jump to a label outside.
//
// The function around the loop needs:
//
//   - no goto;
//   - it defers calls only by statements of its own list, in front of the loop. Other
//     deferred calls would run between a panic and the check, which is deferred itself.
//
// Loops without a counter stay as they are. They often reach the same elements again in
// one step, as when searching or partitioning, and the filter of the task knows single
// elements, not ranges.
//
// A site that covers others is gathered as well, because the others are in the same step.
// An element that continues a range costs a comparison. Any other element costs as much
// as before, and the range costs a call. After a few ranges of one element most ranges are
// no longer formed.
//
// Source: none of the papers. The pass affine computes such ranges; here they are found at run time.
//
// Limits: if the main task ends the program while the loop runs, races of at most a few
// kilobytes may be missed.
package gather

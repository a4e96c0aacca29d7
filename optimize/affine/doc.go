// Package affine is the pass that replaces the checks of array elements in a loop nest by
// one scan in front of it, of exactly the elements that the nest will access.
//
// # Terms
//
// A nest is a loop with all loops inside it, or several statements in a row. A reference is
// an access of the nest to an array element, with its subscripts and its domain, the
// iterations that make it. A footprint is the set of elements of one array that the
// references reach. A scan is code that visits a footprint in long runs. A symbol is an
// integer that has one value all through the nest. A location is a part of an element:
// fields of elements are parts at an offset.
//
// # Algorithm
//
// Loop headers and conditions that are affine in the iterators give the domain of each
// access, its subscripts the access relation. Package polyhedral computes from these the
// set of elements and the code that scans it. The code in front of the nest first tests
// that all iterations will take place: that pointers on the way are not nil, that no
// symbol is so large that arithmetic wraps, and that every subscript of the nest is within
// its slice. Then it makes the checks and sets a flag. If a test fails, the flag stays
// unset, and each access is checked where it stands.
//
// The nest needs:
//
//   - no release, acquire, go, blocking, or change of locks, in callees neither: then all
//     of the nest is in one step, and a check in front of it covers the accesses inside;
//   - no early exit: no return, no goto or jump out of it, and no panic except by a
//     subscript or a nil pointer that the code tests (call.go for callees that the pass
//     does not look into);
//   - paths to arrays, bounds, and symbols that stay the same in it: they are named by
//     variables that the nest does not assign to, and by memory that it does not write
//     (points-to sets).
//
// An access needs affine subscripts, affine bounds of the loops around it, and affine
// conditions around it or none. An access under another condition, in a loop that may
// break, or that another pass has decided about, keeps its check, if it has one. Its
// subscripts have to be within bounds, and the code tests them if they are affine.
//
// The rows of slices of slices are read by the nest as well, and scanned like other
// elements. So are pointers in slices: the nest writes none of them, and the code tests
// that none is nil.
//
// A field of an element is a part of it (part.go). The scan checks that part of each
// element, or of the variable that each pointer points to. Parts that touch and are
// accessed in the same elements have one check (merge.go), and whole elements without gaps
// have one check for the range. Memory that two pointers point to is checked twice.
//
// If a nest is refused, the loops inside it are tried alone. An array keeps its checks if
// its scan would take as many steps as the nest. A run of elements is one step, and so is a row of
// elements, or of parts of elements, that are equally far apart: one check visits them all. Each
// element of a row may be several neighbours wide, such as three of the four bytes of a pixel.
// The targets of pointers are a step each.
//
// The walk over a nest keeps the values of local variables that the nest assigns to
// (values.go): of integers as polynomials over iterators and symbols, of slices as windows of
// arrays (window.go). A loop without a single iterator, such as one over a slice that walks
// along its array, runs over a counter of its iterations (counter.go). So does a loop whose
// step is a symbol; the code tests that the step is positive. If the stride of a row is a symbol and
// the loop's step is not, as in x[ix] with ix += inc, the code tests the sign of the stride. It scans
// a row if the stride is positive, and otherwise checks each element by itself. Quotients and remainders of constants are iterators
// with one value (quotient.go). An access with a subscript that depends on data keeps its check; its
// subscript must be within bounds by its type and operators (lookup.go).
//
// Functions of math, math/bits, encoding/binary and some others have contracts, since their
// bodies or facts may be out of sight (loop.Contract). Stores of numbers change no
// pointers, slices, or numbers of another size (package loop, kinds.go).
//
// Calls of simple functions of the package, such as accessors of a matrix, are looked into
// (inline.go): methods and functions that are statements in a row, and their callees
// likewise. An if statement with a constant condition counts as the side that runs. If the
// scan replaces all checks that such a call would make, the call goes to a clone of the function
// without checks (clone.go), in a version of the loop that runs while the flag is set
// (internal/splice/version.go).
//
// So do calls of the accessors of encoding/binary, such as binary.LittleEndian.Uint64(b[i:]),
// for which the generated file has copies without checks (accessor.go). Such a function
// accesses a number of bytes from the start of its argument, or panics before it accesses any.
// The code in front of the nest tests that the argument of each call has these bytes, and
// checks them: exactly those bytes are accessed, in one step. A call that may be left out, or
// whose bytes the scan does not check, goes to the function with all checks.
//
// Statements in a row are a nest without a loop (flat.go): neighbouring elements that they
// access become one range.
//
// # Cost
//
// The code in front of a nest takes the time of a few checks, and the loop exists twice. With
// the pass a store over a mapped file takes 0.45 of its time without it, a bundler 0.97 ±0.11, a
// lock-free skip list's tests 0.98 ±0.06 (docs/lab/tables.md).
//
// # Source
//
// DRDP, section 4.4.2. Departures: sets are exact, and the code decides at run time
// whether the scan applies; a source-to-source compiler computes the paper's sets, for
// loops that the user marked.
//
// Limits: a loop or callee that never ends is assumed to end. A scan checks the bytes of an
// accessor's argument also if package encoding/binary is built without checks.
package affine

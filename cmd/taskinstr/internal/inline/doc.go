// Package inline keeps the compiler's decisions about inlining in a package with checks.
//
// The compiler inlines functions whose bodies have at most 80 nodes, and a call that is not inlined
// counts 57 more. Checks are calls, so most functions with checks would become too large: accessors
// become calls, and results of constructors go to the heap. With -race the compiler adds its checks
// after inlining.
//
// # Terms
//
// The price of a function is the compiler's count for its body, as the user wrote it. A function
// is kept if its price is within the budget and no directive forbids inlining. A call is kept if its
// callee is.
//
// # Algorithm
//
// The price is computed from the syntax and the types, bottom-up: a kept call costs as much as its
// callee (cost.go). The kept functions of a package, with their prices, go into its archive for the
// importers (Facts).
//
// The compiler accepts larger bodies at the calls that a profile names as hot. A profile names a call
// by the linker's name of the calling function and the distance of the call's line from that function's
// line. So Analyze makes a profile of the kept calls (profile.go). When a body is inlined, the compiler
// decides about the calls in it once more, as calls of the function into which it goes; their lines are
// in the facts as well. A function is larger than the budget only if it is the callee of a hot call,
// therefore the profile names only kept functions as callees, and a hot call of another function
// remains a call.
//
// The profile names no calls in functions marked go:nosplit. Ordinary checks need most of the stack that the linker allows a
// chain of such functions, so functions with checks are called there, and may grow the stack.
//
// # Conversions of unsafe pointers
//
// With -d=checkptr the compiler makes a call for each conversion of an unsafe pointer, in the bodies that it inlines and for
// loops over slices as well, where it makes conversions itself. So the same analysis finds the functions in which a
// conversion may fail (pointers.go). A conversion cannot fail if its operand comes from a pointer to a variable that is at least
// as large and as much aligned. The conversions of an inlined or instantiated body count for the function that it
// becomes a part of. A package in which no conversion may fail is compiled without the flag. In another package the
// functions without such conversions get the directive go:nocheckptr, unless it would keep the compiler from inlining
// them. The archive has the names of all functions that bring such conversions to others (Unproven), of the imports as well.
//
// # The detector
//
// Package runtime contains the detector and gets another profile. This profile names the calls of functions with the
// directive //taskinstr:inline (Marked). A check passes a dozen small functions. The functions that most checks pass
// have the directive, and so have the functions between them: a function that inlines a marked one exceeds the
// budget itself. Inlining makes frames larger, and the linker rejects chains of go:nosplit functions over 792 bytes.
//
// # Limits
//
// All errors are of one kind: a function is inlined, or not, other than in a plain build. TestCosts
// compares the prices with the compiler's.
//
//   - Functions of more than 5,000 nodes inline callees of at most 20 nodes, and checks count in both.
//   - Functions with type parameters have no facts and no profile.
//   - A compilation sees the archives of its direct imports, so methods that a type of another
//     package brings along are not kept. The same holds for packages without checks.
//   - Calls in initializers of variables are not kept.
package inline

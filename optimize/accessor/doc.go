// Package accessor finds small functions whose accesses a caller knows, such as getters and
// setters, and the calls that may go to a copy of such a function.
//
// An accessor reads and writes nothing but fields and elements of what its parameters point to,
// and calls nothing. Its accesses are those that a caller would make in its place. Where the plan
// knows that the checks of one call are not needed, that call goes to a copy without checks, and
// all other calls keep the checks (builder.Redirect).
//
// # Soundness
//
// A pass that redirects a call has a proof for that call, or covers, as for a removed check. The copy
// has the accessor's text, so it reads, writes and panics like the accessor. The names of
// functions in the stack of such a panic are those of the copies.
//
// # Conditions
//
// The text of an accessor is copied as it stands, so it has no directives for the compiler, no
// type parameters and few bytes. A call that may go to the copy names the function or method, in
// the function's own package, and is one instruction of SSA: no instance and no test variant of
// the package has another one in its place.
package accessor

// Package accesses implements "tilab accesses": it compares the accesses
// that the Go compiler instruments under -race with the checks that package splice makes.
// It explains each difference, or fails.
//
// # Terms
//
// A compiler access is a call in compiled code, at one token of the source. Either the
// call records an access (runtime.raceread and the like), or it calls a runtime function
// whose hook records an access and is patched away in our builds. A check is a site of
// package splice with its syntax and the kind of its access. A difference is an access
// that one side alone has. A class is a kind of difference with a reason.
//
// # The compiler's side
//
// The compiler's listing (-S) has files and lines, but no columns. So each file is
// compiled with a line directive in front of each token, and the line in the listing is
// the number of a token (stamp.go, listing.go). Nothing is linked, so no C compiler is
// needed. Packages are compiled in the order of their imports, so that code which is
// inlined or instantiated in another package keeps its tokens too. Functions without a
// position (wrappers of methods, functions for == and for map keys) are recognized by
// their symbols.
//
// # Our side
//
// Package splice rewrites the same package, and its result lists the sites (sites.go). A
// test of package splice compares this list with the rewritten text.
//
// # Comparing
//
// The compiler's parser gives a node the position of one of its tokens: a selection has
// the position of its dot, an assignment the position of its operator. A variable has no
// position of its own; it is read at the position of the node around it (tree.go). A
// check corresponds to the accesses of the same kind at the tokens of its syntax
// (match.go). The other accesses are classified by syntax and types (class.go and the
// files class_*.go). The classes find facts about variables themselves, independently of
// package splice (facts.go). In packages outside of the request the listing has lines
// only: their code counts where it is inlined, line by line.
//
// # Limits
//
// The audit compares places, not conditions and sizes: a check that its helper makes only
// sometimes counts as a check. Hooks that both builds call (maps, channels, growing
// slices) are not compared, since they are the same calls. Test files and cgo packages
// are not compared.
package accesses

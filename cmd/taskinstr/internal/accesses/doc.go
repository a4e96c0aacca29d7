// Package accesses implements "taskinstr selftest accesses": it compares the
// accesses that the Go compiler instruments under -race with the checks that
// package splice makes, and explains each difference or fails.
//
// # Terms
//
// An access of the compiler's is a call that records one (runtime.raceread and the
// like), or a call of a runtime function whose hook records what it reads or writes
// and is patched away in our builds, at one token of the source. A check is a site
// of package splice with its syntax and the kind of its access. A difference is an
// access that one side alone has. A class is a kind of difference with a reason.
//
// # The compiler's side
//
// The listing of the compiler (-S) has files and lines, but no columns. So each file
// is compiled with a line directive in front of each token, and the line that the
// listing gives is the number of a token (stamp.go, listing.go). Nothing is linked,
// hence no C compiler is needed. Packages are compiled in the order of their imports,
// so that code which is inlined or instantiated elsewhere keeps its tokens too.
// Functions without a position (wrappers of methods, functions for == and for map
// keys) are told by their symbols.
//
// # Our side
//
// Package splice rewrites the same package. The checks are read from its output, not
// from its own account: each use of a number of the site table is an argument of a
// helper, and the kind of the access follows from the helper's text (sites.go).
//
// # Comparing
//
// The compiler's parser gives nodes the position of a token of their own: a selection
// has that of its dot, an assignment that of its operator. A variable has none; it is
// read at the position of the node around it (tree.go). A check corresponds to the
// accesses of the same kind at the tokens of its syntax (match.go). The rest is
// classified by syntax and types (class.go and the files class_*.go); facts about
// variables are found there once more, independently of package splice (facts.go).
// Of packages that were not asked for, only lines are known: their code counts where
// it is inlined, line by line.
//
// # Limits
//
// The audit compares places, not conditions and sizes: a check that its helper makes
// only sometimes counts as a check. Hooks that both builds call (maps, channels,
// growing slices) are not compared, since they are the same calls. Test files and cgo
// packages are not compared.
package accesses

// Package lint implements "taskinstr lint PACKAGES". For each memory access of the
// packages it says whether a build with the same options checks the access, and why.
//
// # Terms
//
// A site is an access of the source that has a check if no pass runs (package site). Its
// fate is the decision of a plan of package optimize: kept (checked each time), removed
// (never checked), or guarded (checked unless a variable says that another check covers
// the access). The report names the pass that decided, its reason, and the covering site
// if there is one.
//
// # How the list is made
//
// The plan comes from the same functions as in a build. In package scope the go command
// compiles the packages, and each is planned from the inputs of its compilation
// (toolexec.Input); the digest in the archive shows that the build has the same plan. In
// program scope the plan is made as in the wrapper (ssapass.Load, optimize.Make), except for
// the standard library, which has the plans of package scope.
//
// The analysis also knows accesses without a check in any build, such as the accesses of
// variables that stay in one task. site.Find says which accesses have a check to lose
// (table.go). The list has a check about which no plan can decide as kept. Accesses that
// only the hooks of the runtime check (maps, channels) have no check in the code, and the
// list leaves them out.
//
// # Output
//
// The default text is a digest (digest.go): functions in the order of their executed
// checks, estimated (package frequency) or from a profile (profile.go), and for each kept
// check the change with which it would go (advice.go). Comments exclude sites (ignore.go).
//
// One file per format: text.go, json.go, sarif.go, checkstyle.go, html.go. They print a
// Report and decide nothing.
package lint

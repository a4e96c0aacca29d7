// Package lint implements "taskinstr lint PACKAGES": it says of every memory
// access of the packages whether a build would check it, and why, and builds
// nothing.
//
// # Terms
//
// A site is an access of the source that splicing would give a check if no pass
// was run. Its fate is what the plan of package optimize makes of it: kept
// (checked each time), removed (never checked), or guarded (checked unless a
// variable says that another check stands for it). A pass decided it, with a
// reason; a site that another one covers names it.
//
// # How the list is made
//
// The plan comes from the same functions as in a build (ssapass.Load,
// optimize.Make). It knows accesses that need no check in any build, such as
// those of variables that stay in one task; so each package is spliced too, and
// the table of sites in the result says which accesses have a check to lose
// (table.go). What is in that table and out of the plan's reach is listed as
// kept. Accesses that only the runtime's hooks see (maps, channels) have no check
// in the code and are not listed.
//
// # Output
//
// One file per format: text.go, json.go, sarif.go, checkstyle.go, html.go. They
// print a Report and decide nothing.
package lint

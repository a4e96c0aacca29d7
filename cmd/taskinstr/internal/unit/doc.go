// Package unit plans one package by itself. This is package scope; package planner analyzes a
// whole module.
//
// In package scope the passes run while a package is compiled. The inputs are the
// compiler's: the package's files and the archives of its imports. The archive of an import
// contains its types (export data) and facts of its functions (the member FactsMember, see
// ssapass.Facts), which the build of the import stored there. All other code is external.
// So the plan is a function of the compiler's inputs. It needs no store, works in any order
// of builds, and go's build cache keeps it together with the object code.
//
// An archive has no facts if the package gets no checks or if another tool compiled it.
// Such an archive, and one with facts of another format, counts as external code. It is not an
// error: the checks that would need the facts stay.
//
// A defect of the analysis or of a pass does not stop the build (Failure). Package toolexec then
// compiles the package with every check and without facts, and marks the archive (Fallback).
//
// A build stores the digest of its plan in the archive as well (PlanMember). `taskinstr
// lint` makes the plan again with the same inputs and compares the digests, so it cannot
// silently disagree with the build.
package unit

// Package taskinstr holds the sources that decide about the output of an instrumented
// compilation: those of package toolexec and of every package of this module below it. The
// go command keeps compilations apart by the identity of the compiler, which includes a
// digest of these sources, so that `go run ./cmd/taskinstr` and an installed taskinstr of the
// same sources share the build cache.
package taskinstr

import "embed"

// Source holds the sources. A test in package toolexec fails if a file is missing.
//
//go:embed go.mod go.sum source.go
//go:embed cmd/taskinstr/internal/archive/*.go
//go:embed cmd/internal/gocmd/*.go
//go:embed cmd/taskinstr/internal/inline/*.go
//go:embed cmd/internal/option/*.go
//go:embed cmd/taskinstr/internal/outfile/*.go
//go:embed cmd/taskinstr/internal/planner/*.go
//go:embed cmd/taskinstr/internal/scope/*.go
//go:embed cmd/taskinstr/internal/toolexec/*.go
//go:embed cmd/taskinstr/internal/typecheck/*.go
//go:embed cmd/taskinstr/internal/unit/*.go
//go:embed detector/context/*.go detector/event/*.go detector/mem detector/parallel/*.go detector/race/*.go detector/schedule/*.go detector/serial/*.go detector/serial/*/*.go
//go:embed detector/theorem/*.go detector/trace/wire/*.go
//go:embed internal/*/*.go internal/splice/files
//go:embed optimize/*.go optimize/*/*.go
//go:embed polyhedral/*.go
//go:embed rt/*.go rt/files
//go:embed ssapass/*.go ssapass/*/*.go
var Source embed.FS
